package rng

import "testing"

// TestPhiloxKnownAnswers holds the vectors that Random123 publishes for
// philox4x64 with ten rounds: all zeros, all ones, digits of π.
func TestPhiloxKnownAnswers(t *testing.T) {
	const ones = 1<<64 - 1
	for _, c := range []struct {
		ctr    [4]uint64
		k0, k1 uint64
		want   [4]uint64
	}{
		{[4]uint64{}, 0, 0,
			[4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
				0x7e68b68aec7ba23b}},
		{[4]uint64{ones, ones, ones, ones}, ones, ones,
			[4]uint64{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6,
				0xa09caebf594f0ba0}},
		{[4]uint64{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
			0x452821e638d01377, 0xbe5466cf34e90c6c,
			[4]uint64{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5,
				0x57bd43b5e52b7fe6}},
	} {
		if got := philox(c.ctr, c.k0, c.k1); got != c.want {
			t.Errorf("philox(%x) = %x, want %x", c.ctr, got, c.want)
		}
	}
}

// TestGeneratorsReference holds the first words that the authors' programs for
// the two generators print from the smallest states.
func TestGeneratorsReference(t *testing.T) {
	g := Source{s: [4]uint64{1, 2, 3, 4}}
	for i, want := range []uint64{41943041, 58720359, 3588806011781223} {
		if got := g.Uint64(); got != want {
			t.Errorf("xoshiro256++ word %d is %d, want %d", i, got, want)
		}
	}
	l := lane{1, 2}
	var d [2*lanes + 1]uint64
	l.fill(d[:])
	for i, want := range []uint64{393217, 669327710093319, 1732421326133921491} {
		if got := d[i*lanes]; got != want {
			t.Errorf("xoroshiro128++ word %d is %d, want %d", i, got, want)
		}
	}
}

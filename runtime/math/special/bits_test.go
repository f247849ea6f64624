package special

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// TestBits pins the bits of every function of the table on a spread of
// arguments: they are the same on every machine, and change only on purpose.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	for _, row := range table {
		for _, scale := range []float64{1e-3, 0.9, 20, 1e5} {
			for i, x := range spread(200, -scale, scale) {
				v := row.f(x, spread(200, -3, 3)[i])
				if v != v {
					v = 0 // the bits of a NaN are the machine's
				}
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
				h.Write(b[:])
			}
		}
	}
	const want = 0x9f88fb18aad09cb5
	if got := h.Sum64(); got != want {
		t.Errorf("the bits of all results hash to %#x, want %#x", got, uint64(want))
	}
}

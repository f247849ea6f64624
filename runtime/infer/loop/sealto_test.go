package loop

import (
	"bytes"
	"errors"
	"testing"
)

// TestSealTo: a state that is written in parts has the bytes of one that is appended, and the size
// that was told before.
func TestSealTo(t *testing.T) {
	l := Label{Magic: "sgtest00", Fingerprint: 7, Chain: 2, Dim: 3}
	for _, n := range []int{0, 1, full/8 - 4, full/8 - 3, full, 3*full + 1} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i) / 3
		}
		walk := func(d *Codec) { d.Floats(x) }
		var b bytes.Buffer
		if err := SealTo(&b, l, walk); err != nil {
			t.Fatal(err)
		}
		want := Seal(nil, l, walk)
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d numbers: other bytes", n)
		}
		if size := SealedSize(l, walk); size != len(want) {
			t.Errorf("%d numbers: size %d, want %d", n, size, len(want))
		}
		read := make([]float64, n)
		if problem := Unseal(b.Bytes(), l, func(d *Codec) { d.Floats(read) }); problem != "" {
			t.Errorf("%d numbers: %s", n, problem)
		}
		if n > 0 && read[n-1] != x[n-1] {
			t.Errorf("%d numbers: the last is %g", n, read[n-1])
		}
	}
	full := errors.New("the disk is full")
	walk := func(d *Codec) { d.Floats(make([]float64, 1<<15)) }
	if err := SealTo(failing{full}, l, walk); err != full {
		t.Errorf("the error is %v", err)
	}
}

// A failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

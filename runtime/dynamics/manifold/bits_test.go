package manifold

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// TestBits pins the bits of flows and projections: they are the same on every
// machine, and change only on purpose.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	for _, m := range []Manifold{NewEuclidean(3), NewSphere(2), NewSphere(13), NewStiefel(5, 3),
		NewStiefel(40, 7)} {
		b := random(m, 9)
		for i := range 30 {
			m.Flow(b.x, b.v, math.Ldexp(1, i/3-6))
			m.Project(b.x, b.v)
			for _, s := range [][]float64{b.x, b.v} {
				for _, v := range s {
					var w [8]byte
					binary.LittleEndian.PutUint64(w[:], math.Float64bits(v))
					h.Write(w[:])
				}
			}
		}
	}
	const want = 0xc9834a7f604c110d
	if got := h.Sum64(); got != want {
		t.Errorf("the bits hash to %#x, want %#x", got, uint64(want))
	}
}

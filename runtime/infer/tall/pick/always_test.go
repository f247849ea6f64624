package pick

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAlways: the rows that are taken always are those of which n rows drawn by size would have
// one or more in the mean.
func TestAlways(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	class := make([]uint8, 400)
	for i := range class {
		class[i] = Classify(math.Exp(1.5 * r.NormFloat64()))
	}
	class[7], class[300] = Classify(0), Classify(1e6)
	s, left := NewSizes(class, 20), 0.0
	for _, c := range s.classes {
		left += float64(c.n) * sizeOf(c.number)
	}
	for _, i := range s.Always() {
		if 20*sizeOf(class[i]) < left {
			t.Errorf("row %d of size %g is taken always, the others have %g", i, sizeOf(class[i]), left)
		}
	}
	if s.Probability(300) != 1 {
		t.Error("the largest row is not taken always")
	}
}

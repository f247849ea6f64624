package tall

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestSizes: the probabilities of rows that are drawn add up to 1, weights are
// 1/(n p), rows are drawn as often as they should be, and sums are unbiased, the rows
// that are taken always included.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 400
	class, x, total := make([]uint8, n), make([]float64, n), 0.0
	for i := range class {
		x[i] = math.Exp(1.5 * r.NormFloat64())
		class[i] = pick.Classify(x[i])
		total += x[i]
	}
	class[7], class[300] = pick.Classify(0), pick.Classify(1e6)
	for _, s := range []*pick.Sizes{pick.NewSizes(class, 20), pick.EvenSizes(n)} {
		sum := 0.0
		for i := range n {
			if p := s.Probability(i); p < 1 {
				sum += p
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("probabilities add up to %g", sum)
		}
		const size, turns = 20, 20000
		b := control.NewBatch(size, s)
		count, stream := make([]float64, n), rng.New(1, 0, purposeBatch)
		var mean meanOf
		for k := range turns {
			src := stream.At(uint64(k))
			b.Draw(s, &src)
			sum := 0.0
			for j, row := range b.Rows {
				if j < b.Drawn {
					count[row]++
					if w := 1 / (size * s.Probability(row)); math.Abs(b.Weights[j]/w-1) > 1e-12 {
						t.Fatalf("row %d weighs %g, not %g", row, b.Weights[j], w)
					}
				}
				sum += b.Weights[j] * x[row]
			}
			mean.add(sum)
		}
		if z := (mean.mean - total) / mean.error(); math.Abs(z) > 4 {
			t.Errorf("sums are %g, not %g: %g errors off", mean.mean, total, z)
		}
		for i, c := range count {
			p := s.Probability(i)
			if p == 1 {
				p = 0
			}
			want := size * turns * p
			if math.Abs(c-want) > 5*math.Sqrt(want)+1e-9 {
				t.Errorf("row %d was drawn %g times, not %g", i, c, want)
			}
		}
	}
}

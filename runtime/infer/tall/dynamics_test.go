package tall

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// noisy is the evaluator of a normal law of precisions λ whose gradients have noise of
// variance v by coordinate, with correlation.
type noisy struct {
	rowEvaluator
	lambda, sd []float64
	shared     float64 // of the noise of all coordinates alike
	stream     rng.Stream
	turn       uint64
	xi         []float64
}

func (e *noisy) Difference(x, _ []float64, _ []int, _ []float64, _ float64, grad []float64) {
	e.stream.Normals(e.turn, e.xi)
	e.turn++
	for i := range grad {
		grad[i] = -e.lambda[i]*x[i] + e.sd[i]*e.xi[i] + e.shared*e.xi[len(grad)]
	}
}

// TestStepIsExact: with the noise taken out a step has the exact variance of x on a
// Gaussian at its end, for any stable step, any curvature and any noise that friction can
// hide, correlated noise too; with the diagonal of that alone it has not.
func TestStepIsExact(t *testing.T) {
	lambda := []float64{0.25, 0.5, 1, 1.7, 2.5}
	n := len(lambda)
	for _, c := range []struct{ h, v, shared float64 }{{0.3, 0.3, 0}, {0.3, 2, 0}, {0.7, 0.3, 0},
		{0.7, 2, 0}, {0.7, 0.5, 0.5}} {
		sd := make([]float64, n)
		noise := &Noise{Diag: make([]float64, n), Matrix: make([]float64, n*n)}
		for i := range sd {
			sd[i] = math.Sqrt(c.v)
			for j := range sd {
				noise.Matrix[i*n+j] = c.shared * c.shared
			}
			noise.Matrix[i*n+i] += c.v
			noise.Diag[i] = noise.Matrix[i*n+i]
		}
		k, err := newKick(c.h, 1, noise)
		if err != nil {
			t.Fatal(err)
		}
		e := &noisy{lambda: lambda, sd: sd, shared: c.shared, stream: rng.New(9, 0, purposeNoise),
			xi: make([]float64, n+1)}
		est := control.New(e, &control.Anchor{X: make([]float64, n), Rows: make([]float64, n)},
			whitening.New(make([]float64, n), true))
		w := newWalker(n)
		normals := rng.New(10, 0, purposeKick)
		xi := make([]float64, n)
		const steps = 400000
		sums := make([]meanOf, n)
		block := make([]float64, n)
		for s := range steps {
			normals.Normals(uint64(s), xi)
			w.step(k, est, &control.Batch{}, xi)
			for i, z := range w.z {
				block[i] += z * z / 1000
			}
			if s%1000 == 999 {
				for i := range sums {
					sums[i].add(block[i])
					block[i] = 0
				}
			}
		}
		for i := range sums {
			ratio, error := sums[i].mean*lambda[i], sums[i].error()*lambda[i]
			if math.Abs(ratio-1) > 4*error || error > 0.02 {
				t.Errorf("h %g, noise %g and %g shared: variance of λ = %g is %.4f ± %.4f of "+
					"what it should be", c.h, c.v, c.shared, lambda[i], ratio, error)
			}
		}
	}
	if _, err := newKick(0.7, 1, &Noise{Diag: []float64{5}}); err == nil {
		t.Error("noise that friction cannot hide is accepted")
	}
}

package surrogate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// logistic has the rows of a logistic regression, and a prior that is no part of them.
type logistic struct {
	target.DifferenceEvaluator
	x [][]float64
	y []float64
}

func (l *logistic) LogLik(b []float64, rows []int, out []float64) {
	for i, r := range rows {
		eta := dot(l.x[r], b)
		out[i] = l.y[r]*eta - math.Log1p(math.Exp(eta))
	}
}

func (l *logistic) Gradient(b []float64, rows []int, scale, _ float64, grad []float64) {
	for j := range grad {
		grad[j] = -b[j]
		for _, r := range rows {
			grad[j] += scale * (l.y[r] - 1/(1+math.Exp(-dot(l.x[r], b)))) * l.x[r][j]
		}
	}
}

// Leverages by differences of log likelihoods are those by gradients, for a narrow posterior
// and for a wide one.
func TestLeverages(t *testing.T) {
	const n, d = 500, 3
	r := rand.New(rand.NewPCG(1, 8))
	l := &logistic{}
	for range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = r.NormFloat64() * math.Exp(r.NormFloat64())
		}
		l.x, l.y = append(l.x, x), append(l.y, float64(r.IntN(2)))
	}
	for _, width := range []float64{1e-4, 0.05, 0.3} {
		white := whitening.New([]float64{0.3, -0.2, 0.1}, true)
		copy(white.Chol, []float64{1, 0, 0, 0.4, 0.8, 0, -0.3, 0.2, 1.5})
		for i := range white.Chol {
			white.Chol[i] *= width
		}
		probes := [][]float64{white.Mean}
		for range leverageProbes {
			z, x := make([]float64, d), make([]float64, d)
			for j := range z {
				z[j] = r.NormFloat64()
			}
			white.Point(z, x)
			probes = append(probes, x)
		}
		a, b := make([]float64, n-7), make([]float64, n-7)
		leveragesByGradients(l, probes, white, 7, a)
		leveragesByDifferences(l, probes, white, 7, b)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 0.01*a[i]+1e-12 {
				t.Fatalf("width %v, row %d: %.6g by gradients, %.6g by differences", width, i, a[i], b[i])
			}
		}
	}
}

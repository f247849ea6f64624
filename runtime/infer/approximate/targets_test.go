package approximate

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// A density is a target on R^n, or on a sphere, by its log density and gradient.
type density struct {
	d    int
	kind string // of the geometry
	f    func(x, g []float64) float64
}

func (t *density) Name() string { return "density" }
func (t *density) Dim() int     { return t.d }
func (t *density) Blocks() []target.Block {
	return []target.Block{{Name: "x", Len: t.d, Geometry: target.Geometry{Kind: t.kind, Points: 1,
		Dim: t.d}}}
}
func (t *density) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{t.d}, Len: t.d}}
}
func (t *density) OutputLen() int  { return t.d }
func (t *density) Rows() int       { return 0 }
func (t *density) RowAxis() string { return "" }
func (t *density) NewEvaluator(int) target.Evaluator {
	return &densityEvaluator{t, make([]float64, t.d)}
}

type densityEvaluator struct {
	t *density
	g []float64
}

func (e *densityEvaluator) Gradient(x []float64, _ []int, _, _ float64, g []float64) { e.t.f(x, g) }
func (e *densityEvaluator) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return e.t.f(x, e.g)
}
func (e *densityEvaluator) LogDensityGradient(
	x []float64, _ []int, _, _ float64, g []float64,
) float64 {
	return e.t.f(x, g)
}
func (e *densityEvaluator) Constrain(x, out []float64)         { copy(out, x) }
func (e *densityEvaluator) Unconstrain(out, x []float64) error { copy(x, out); return nil }
func (e *densityEvaluator) LogLik([]float64, []int, []float64) {}

// normal is N(mean, precision⁻¹).
func normal(mean []float64, precision [][]float64) *density {
	d := len(mean)
	return &density{d, "euclidean", func(x, g []float64) float64 {
		f := 0.0
		for i := range d {
			g[i] = 0
			for j := range d {
				g[i] -= precision[i][j] * (x[j] - mean[j])
			}
			f += g[i] * (x[i] - mean[i]) / 2
		}
		return f
	}}
}

// mixed is a mixture of normal laws with unit variances about some middles.
func mixed(weights []float64, middles ...[]float64) *density {
	d := len(middles[0])
	return &density{d, "euclidean", func(x, g []float64) float64 {
		logs := make([]float64, len(middles))
		for k, m := range middles {
			logs[k] = math.Log(weights[k])
			for i := range d {
				logs[k] -= (x[i] - m[i]) * (x[i] - m[i]) / 2
			}
		}
		f := logSumExp(logs)
		clear(g)
		for k, m := range middles {
			for i := range d {
				g[i] -= math.Exp(logs[k]-f) * (x[i] - m[i])
			}
		}
		return f
	}}
}

// funnel is Neal's: v ~ N(0, 3), the others N(0, e^{v/2}).
func funnel(d int) *density {
	return &density{d, "euclidean", func(x, g []float64) float64 {
		v := x[0]
		f := -v*v/18 - float64(d-1)*v/2
		g[0] = -v/9 - float64(d-1)/2
		for i := 1; i < d; i++ {
			a := x[i] * x[i] * math.Exp(-v)
			f -= a / 2
			g[0] += a / 2
			g[i] = -x[i] * math.Exp(-v)
		}
		return f
	}}
}

// banana is that of Rosenbrock: x ~ N(0, 1), y − b x² ~ N(0, s).
func banana(b, s float64) *density {
	return &density{2, "euclidean", func(x, g []float64) float64 {
		r := (x[1] - b*x[0]*x[0]) / s
		g[0] = -x[0] + r/s*2*b*x[0]
		g[1] = -r / s
		return -x[0]*x[0]/2 - r*r/2
	}}
}

// approximated runs a method on a target.
func approximated(t *testing.T, of target.Target, change func(c *Config)) (*Result, error) {
	t.Helper()
	c := DefaultConfig()
	c.Seed = 11
	change(&c)
	return Run(context.Background(), of, c, loop.Options{}, nil)
}

// moments are the means and covariances of the draws of a result.
func moments(r *Result) (mean []float64, cov [][]float64, n float64) {
	d := r.t.Dim()
	mean, cov = make([]float64, d), make([][]float64, d)
	for i := range cov {
		cov[i] = make([]float64, d)
	}
	w, x := r.Drawer(), make([]float64, d)
	n = float64(r.Config.Chains) * float64(r.Config.Draws)
	var all [][]float64
	for k := range r.Config.Chains {
		for i := range r.Config.Draws {
			w.Draw(k, i, x)
			all = append(all, append([]float64(nil), x...))
			for j, v := range x {
				mean[j] += v / n
			}
		}
	}
	for _, x := range all {
		for i := range d {
			for j := range d {
				cov[i][j] += (x[i] - mean[i]) * (x[j] - mean[j]) / (n - 1)
			}
		}
	}
	return mean, cov, n
}

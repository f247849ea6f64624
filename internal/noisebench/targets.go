package noisebench

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A rowTarget is a posterior written by hand: the log density of its prior and of
// one row, each with its gradient, which is added times a weight.
type rowTarget struct {
	blocks []target.Block
	dim, n int
	prior  func(x []float64, jacobian float64, grad []float64) float64
	row    func(i int, x []float64, weight float64, grad []float64) float64
}

func newTarget(geometry target.Geometry, rows int) *rowTarget {
	n := geometry.Points * geometry.Dim * max(geometry.Cols, 1)
	return &rowTarget{blocks: []target.Block{{Name: "x", Len: n, Geometry: geometry}},
		dim: n, n: rows}
}

func (t *rowTarget) Name() string           { return "noisebench" }
func (t *rowTarget) Dim() int               { return t.dim }
func (t *rowTarget) Blocks() []target.Block { return t.blocks }
func (t *rowTarget) Rows() int              { return t.n }
func (t *rowTarget) RowAxis() string        { return "N" }
func (t *rowTarget) OutputLen() int         { return t.dim }
func (t *rowTarget) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{t.dim}, Len: t.dim}}
}

func (t *rowTarget) NewEvaluator(int) target.Evaluator {
	return &rowEvaluator{t, make([]float64, t.dim)}
}

type rowEvaluator struct {
	t       *rowTarget
	scratch []float64
}

func (e *rowEvaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	clear(grad)
	f := e.t.prior(x, jacobian, grad)
	if rows == nil {
		for i := range e.t.n {
			f += scale * e.t.row(i, x, scale, grad)
		}
	}
	for _, i := range rows {
		f += scale * e.t.row(i, x, scale, grad)
	}
	return f
}

func (e *rowEvaluator) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

// HasDifference implements target.DifferenceEvaluator.
func (e *rowEvaluator) HasDifference() bool { return true }

// Difference implements target.DifferenceEvaluator.
func (e *rowEvaluator) Difference(
	x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	e.t.prior(anchor, jacobian, e.scratch) // rows may use what the prior computed of a state
	clear(grad)
	for k, i := range rows {
		e.t.row(i, anchor, -weights[k], grad)
	}
	e.t.prior(x, jacobian, grad)
	for k, i := range rows {
		e.t.row(i, x, weights[k], grad)
	}
}

func (e *rowEvaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, e.scratch)
}

func (e *rowEvaluator) Constrain(x, out []float64)               { copy(out, x) }
func (e *rowEvaluator) Unconstrain(out, x []float64) error       { copy(x, out); return nil }
func (e *rowEvaluator) LogLik(_ []float64, _ []int, _ []float64) {}

// tilt gives a target rows whose log densities are linear, ±size·z u·x, and add up
// to nothing: minibatches have noise along u, and the posterior does not change.
func (t *rowTarget) tilt(u []float64, size float64) *rowTarget {
	src := rng.New(5, 0, rng.Test).At(0)
	force := make([]float64, t.n)
	for i := 0; i+1 < t.n; i += 2 {
		force[i] = size * (0.5 + src.Float64())
		force[i+1] = -force[i]
	}
	order := make([]int, t.n) // so that pairs are not neighbours
	for i := range order {
		order[i] = i
	}
	src.Perm(order)
	t.row = func(i int, x []float64, weight float64, grad []float64) float64 {
		a, f := force[order[i]], 0.0
		for j, v := range u {
			f += a * v * x[j]
			grad[j] += weight * a * v
		}
		return f
	}
	return t
}

// normal is N(0, I) on R^n.
func normal(n int) *rowTarget {
	t := newTarget(target.Geometry{Kind: "euclidean", Points: 1, Dim: n}, 200)
	t.prior = func(x []float64, _ float64, grad []float64) float64 {
		f := 0.0
		for i, a := range x {
			grad[i] -= a
			f -= a * a / 2
		}
		return f
	}
	return t
}

// pulled is the density e^{Σ_k κ x_k} over the entries at.
func pulled(geometry target.Geometry, kappa float64, at ...int) *rowTarget {
	t := newTarget(geometry, 200)
	t.prior = func(x []float64, _ float64, grad []float64) float64 {
		f := 0.0
		for _, i := range at {
			grad[i] += kappa
			f += kappa * x[i]
		}
		return f
	}
	return t
}

// stiefelVariance is the variance of the entry X[2, 0] of a 3 by 2 matrix with
// orthonormal columns of density e^{κ (X[0,0] + X[1,1])}. Such a matrix is the first
// two columns of a rotation; in Euler's angles the exponent is
// κ (1 + cos β) cos(α + γ), and X[2,0]² is sin²β cos²γ.
func stiefelVariance(kappa float64) float64 {
	const steps = 4000
	sum, total := 0.0, 0.0
	for i := range steps {
		beta := math.Pi * (float64(i) + 0.5) / steps
		inner := 0.0 // I₀ of κ (1 + cos β), over its greatest
		for k := range 200 {
			s := math.Pi * (float64(k) + 0.5) / 200
			inner += math.Exp(kappa * ((1+math.Cos(beta))*math.Cos(s) - 2))
		}
		w := math.Sin(beta) * inner
		sum += w * math.Sin(beta) * math.Sin(beta) / 2
		total += w
	}
	return sum / total
}

// sphereVariance is that of a coordinate across the mean of a direction in R^n of
// density e^{κ x₁}.
func sphereVariance(n int, kappa float64) float64 {
	return special.VMFRatio(float64(n), kappa) / kappa
}

// regression is y ~ N(x·w, 1) with columns of correlation 0.36 and w ~ N(0, 10 I):
// its covariance, and the posterior.
func regression(rows, p int) (t *rowTarget, mean []float64, cov [][]float64) {
	src := rng.New(7, 0, rng.Test).At(0)
	x, y := make([][]float64, rows), make([]float64, rows)
	precision, sum := make([][]float64, p), make([]float64, p)
	for j := range precision {
		precision[j] = make([]float64, p)
		precision[j][j] = 0.1
	}
	for i := range x {
		z := src.Normal()
		x[i] = make([]float64, p)
		for j := range x[i] {
			x[i][j] = 0.6*z + 0.8*src.Normal()
			y[i] += 0.3 * float64(j-2) * x[i][j]
		}
		y[i] += src.Normal()
		for j := range p {
			sum[j] += x[i][j] * y[i]
			for k := range p {
				precision[j][k] += x[i][j] * x[i][k]
			}
		}
	}
	cov = inverse(precision)
	mean = make([]float64, p)
	for j := range p {
		for k := range p {
			mean[j] += cov[j][k] * sum[k]
		}
	}
	t = newTarget(target.Geometry{Kind: "euclidean", Points: 1, Dim: p}, rows)
	t.prior = func(w []float64, _ float64, grad []float64) float64 {
		f := 0.0
		for j, a := range w {
			grad[j] -= a / 10
			f -= a * a / 20
		}
		return f
	}
	t.row = func(i int, w []float64, weight float64, grad []float64) float64 {
		r := y[i]
		for j, a := range w {
			r -= x[i][j] * a
		}
		for j := range w {
			grad[j] += weight * r * x[i][j]
		}
		return -r * r / 2
	}
	return t, mean, cov
}

// inverse is that of a small positive definite matrix, by Gauss and Jordan.
func inverse(m [][]float64) [][]float64 {
	n := len(m)
	a := make([][]float64, n)
	for i := range a {
		a[i] = append(append([]float64(nil), m[i]...), make([]float64, n)...)
		a[i][n+i] = 1
	}
	for i := range a {
		p := a[i][i]
		for j := range a[i] {
			a[i][j] /= p
		}
		for k := range a {
			if k == i {
				continue
			}
			q := a[k][i]
			for j := range a[k] {
				a[k][j] -= q * a[i][j]
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a
}

// counts are rows of classes, n_k of class k in a drawn order.
func counts(n []int) (class []int) {
	for k, m := range n {
		for range m {
			class = append(class, k)
		}
	}
	src := rng.New(9, 0, rng.Test).At(0)
	order := make([]int, len(class))
	for i := range order {
		order[i] = i
	}
	src.Perm(order)
	out := make([]int, len(class))
	for i, j := range order {
		out[i] = class[j]
	}
	return out
}

// ilr is the posterior of a probability vector with a uniform prior and counted
// rows, by the isometric log-ratio chart: π is the softmax of H y.
func ilr(n []int) (t *rowTarget, share func(x []float64, k int) float64) {
	class, size := counts(n), len(n)
	h := make([][]float64, size) // columns orthonormal and across (1, 1, …)
	for k := range h {
		h[k] = make([]float64, size-1)
		for j := range h[k] {
			scale := 1 / math.Sqrt(float64((j+1)*(j+2)))
			switch {
			case k <= j:
				h[k][j] = scale
			case k == j+1:
				h[k][j] = -scale * float64(j+1)
			}
		}
	}
	pi := func(x, out []float64) {
		total := 0.0
		for k := range out {
			out[k] = 0
			for j, y := range x {
				out[k] += h[k][j] * y
			}
			out[k] = math.Exp(out[k])
			total += out[k]
		}
		for k := range out {
			out[k] /= total
		}
	}
	t = newTarget(target.Geometry{Kind: "euclidean", Points: 1, Dim: size - 1}, len(class))
	// Evaluators of several chains run one after the other here, and share p.
	p := make([]float64, size)
	add := func(x []float64, k int, weight float64, grad []float64) float64 { // log π_k
		for j := range x {
			slope := h[k][j]
			for l, q := range p {
				slope -= q * h[l][j]
			}
			grad[j] += weight * slope
		}
		return math.Log(p[k])
	}
	t.prior = func(x []float64, jacobian float64, grad []float64) float64 {
		pi(x, p)
		f := 0.0
		for k := range p {
			f += jacobian * add(x, k, jacobian, grad)
		}
		return f
	}
	t.row = func(i int, x []float64, weight float64, grad []float64) float64 {
		return add(x, class[i], weight, grad)
	}
	return t, func(x []float64, k int) float64 {
		out := make([]float64, size)
		pi(x, out)
		return out[k]
	}
}

// expandedMean is the same by the chart π = |ρ|/Σ|ρ| with ρ_k ~ gamma(1, 1).
func expandedMean(n []int) (t *rowTarget, share func(x []float64, k int) float64) {
	class := counts(n)
	t = newTarget(target.Geometry{Kind: "mirrored", Points: 1, Dim: len(n)}, len(class))
	sign := func(a float64) float64 { return math.Copysign(1, a) }
	t.prior = func(x []float64, _ float64, grad []float64) float64 {
		f := 0.0
		for k, a := range x {
			grad[k] -= sign(a)
			f -= math.Abs(a)
		}
		return f
	}
	total := func(x []float64) (sum float64) {
		for _, a := range x {
			sum += math.Abs(a)
		}
		return sum
	}
	t.row = func(i int, x []float64, weight float64, grad []float64) float64 {
		k, sum := class[i], total(x)
		for j, a := range x {
			grad[j] -= weight * sign(a) / sum
		}
		grad[k] += weight / x[k]
		return math.Log(math.Abs(x[k]) / sum)
	}
	return t, func(x []float64, k int) float64 { return math.Abs(x[k]) / total(x) }
}

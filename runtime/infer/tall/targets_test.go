package tall

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A rowTarget is a posterior written by hand: rows of a log density and its
// gradient, and a prior.
type rowTarget struct {
	n, d  int
	prior func(x, grad []float64) float64 // adds to grad where it is not nil
	// row returns the log density of row i at x and adds w times its gradient to grad,
	// where that is not nil.
	row    func(i int, x []float64, w float64, grad []float64) float64
	blocks []target.Block // nil: one on R^d
}

func (t *rowTarget) Name() string { return "rows" }
func (t *rowTarget) Dim() int     { return t.d }
func (t *rowTarget) Blocks() []target.Block {
	if t.blocks != nil {
		return t.blocks
	}
	return []target.Block{{Name: "x", Len: t.d,
		Geometry: target.Geometry{Kind: "euclidean", Points: t.d, Dim: 1}}}
}
func (t *rowTarget) Rows() int       { return t.n }
func (t *rowTarget) RowAxis() string { return "N" }
func (t *rowTarget) OutputLen() int  { return t.d }
func (t *rowTarget) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{t.d}, Len: t.d}}
}
func (t *rowTarget) NewEvaluator(int) target.Evaluator {
	return &rowEvaluator{t}
}

type rowEvaluator struct{ *rowTarget }

func (e *rowEvaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	clear(grad)
	f := 0.0
	if rows == nil {
		for i := range e.n {
			f += scale * e.row(i, x, scale, grad)
		}
	}
	for _, i := range rows {
		f += scale * e.row(i, x, scale, grad)
	}
	return f + e.prior(x, grad)
}
func (e *rowEvaluator) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}
func (e *rowEvaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	f := e.prior(x, nil)
	if rows == nil {
		for i := range e.n {
			f += scale * e.row(i, x, 0, nil)
		}
	}
	for _, i := range rows {
		f += scale * e.row(i, x, 0, nil)
	}
	return f
}
func (e *rowEvaluator) Constrain(x, out []float64)         { copy(out, x) }
func (e *rowEvaluator) Unconstrain(out, x []float64) error { copy(x, out); return nil }
func (e *rowEvaluator) LogLik(x []float64, rows []int, out []float64) {
	for k, i := range rows {
		out[k] = e.row(i, x, 0, nil)
	}
}
func (e *rowEvaluator) HasDifference() bool { return true }
func (e *rowEvaluator) Difference(
	x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	clear(grad)
	e.prior(x, grad)
	for k, i := range rows {
		e.row(i, x, weights[k], grad)
		e.row(i, anchor, -weights[k], grad)
	}
}

// normalPrior is N(0, sd²) for each coordinate.
func normalPrior(sd float64) func(x, grad []float64) float64 {
	return func(x, grad []float64) float64 {
		f := 0.0
		for i, v := range x {
			f -= v * v / (2 * sd * sd)
			if grad != nil {
				grad[i] -= v / (sd * sd)
			}
		}
		return f
	}
}

// linear is a regression: density gives log p(y | η) and its derivative by η = x·β.
func linear(
	n, d int, x, y []float64, sd float64, density func(y, eta float64) (f, slope float64),
) *rowTarget {
	return &rowTarget{n: n, d: d, prior: normalPrior(sd),
		row: func(i int, b []float64, w float64, grad []float64) float64 {
			row := x[i*d : (i+1)*d]
			eta := 0.0
			for j, v := range row {
				eta += v * b[j]
			}
			f, s := density(y[i], eta)
			if grad != nil {
				s *= w
				for j, v := range row {
					grad[j] += s * v
				}
			}
			return f
		}}
}

func logistic(y, eta float64) (f, slope float64) {
	p := 1 / (1 + math.Exp(-eta))
	return y*eta - math.Max(eta, 0) - math.Log1p(math.Exp(-math.Abs(eta))), y - p
}

func poisson(y, eta float64) (f, slope float64) {
	mu := math.Exp(eta)
	return y*eta - mu, y - mu
}

// skewed makes rows with an intercept, covariates of which some are skewed.
func skewed(n, d int, seed uint64) (x []float64, r *rand.Rand) {
	r = rand.New(rand.NewPCG(seed, 7))
	x = make([]float64, n*d)
	for i := range n {
		x[i*d] = 1
		for j := 1; j < d; j++ {
			v := r.NormFloat64()
			if j%3 == 0 {
				v = math.Exp(v) - 1.6
			}
			x[i*d+j] = v
		}
	}
	return x, r
}

// logisticRegression is a logistic regression with skewed covariates.
func logisticRegression(n, d int, seed uint64) *rowTarget {
	x, r := skewed(n, d, seed)
	beta := make([]float64, d)
	for j := range beta {
		beta[j] = 0.4 * r.NormFloat64()
	}
	y := make([]float64, n)
	for i := range y {
		eta := 0.0
		for j, b := range beta {
			eta += x[i*d+j] * b
		}
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return linear(n, d, x, y, 5, logistic)
}

// poissonRegression is a Poisson regression with skewed covariates.
func poissonRegression(n, d int, seed uint64) *rowTarget {
	x, r := skewed(n, d, seed)
	beta := make([]float64, d)
	for j := range beta {
		beta[j] = 0.3 * r.NormFloat64()
	}
	y := make([]float64, n)
	for i := range y {
		eta := 0.0
		for j, b := range beta {
			eta += x[i*d+j] * b
		}
		limit, p, k := math.Exp(-math.Exp(math.Min(eta, 4))), 1.0, 0.0
		for p *= r.Float64(); p > limit; p *= r.Float64() {
			k++
		}
		y[i] = k
	}
	return linear(n, d, x, y, 5, poisson)
}

// mixture is y ~ ½ N(a, 1) + ½ N(b, 1), with two modes.
func mixture(n int, seed uint64) *rowTarget {
	r := rand.New(rand.NewPCG(seed, 13))
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
		if r.Float64() < 0.5 {
			y[i] += 2.5
		}
	}
	return &rowTarget{n: n, d: 2, prior: normalPrior(5),
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			a, b := y[i]-x[0], y[i]-x[1]
			pa, pb := math.Exp(-a*a/2), math.Exp(-b*b/2)
			if grad != nil {
				grad[0] += w * pa / (pa + pb) * a
				grad[1] += w * pb / (pa + pb) * b
			}
			return math.Log(pa + pb)
		}}
}

// weighted is what importance weights of a Student t law about the mode say: means,
// standard deviations, and the effective number of draws.
func weighted(
	t *rowTarget, w *whitening.Map, draws int, seed uint64,
) (mean, sd []float64, effective float64) {
	const nu = 20
	r := rand.New(rand.NewPCG(seed, 17))
	e := &rowEvaluator{t}
	d := t.d
	xs, logs := make([][]float64, draws), make([]float64, draws)
	most := math.Inf(-1)
	z := make([]float64, d)
	seeds := make([]uint64, draws)
	for k := range seeds {
		seeds[k] = r.Uint64()
	}
	loop.Parallel(context.Background(), draws, 0, func(_, k int) error {
		z := append([]float64(nil), z...)
		r := rand.New(rand.NewPCG(seeds[k], 1))
		chi := 0.0
		for range nu {
			u := r.NormFloat64()
			chi += u * u
		}
		s, norm := math.Sqrt(nu/chi), 0.0
		for i := range z {
			z[i] = s * r.NormFloat64()
			norm += z[i] * z[i]
		}
		xs[k] = make([]float64, d)
		w.Point(z, xs[k])
		logs[k] = e.LogDensity(xs[k], nil, 1, 1) + (nu+float64(d))/2*math.Log1p(norm/nu)
		return nil
	})
	for _, l := range logs {
		most = math.Max(most, l)
	}
	mean, sd = make([]float64, d), make([]float64, d)
	total, squares := 0.0, 0.0
	for k, l := range logs {
		v := math.Exp(l - most)
		total += v
		squares += v * v
		for i, x := range xs[k] {
			mean[i] += v * x
		}
	}
	for i := range mean {
		mean[i] /= total
	}
	for k, l := range logs {
		v := math.Exp(l-most) / total
		for i, x := range xs[k] {
			sd[i] += v * (x - mean[i]) * (x - mean[i])
		}
	}
	for i := range sd {
		sd[i] = math.Sqrt(sd[i])
	}
	return mean, sd, total * total / squares
}

// outliers is a logistic regression in which the last covariate is 0 except for four rows, where it
// is a thousand times as large as others are.
func outliers(n, d int, seed uint64) *rowTarget {
	x, r := skewed(n, d, seed)
	y := make([]float64, n)
	for i := range y {
		x[i*d+d-1] = 0
		if i%(n/4) == 7 {
			x[i*d+d-1] = 1000 * r.NormFloat64()
		}
		if r.Float64() < 0.002 {
			y[i] = 1
		}
	}
	return linear(n, d, x, y, 1, logistic)
}

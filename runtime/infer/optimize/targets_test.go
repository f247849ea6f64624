package optimize

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// logistic is a regression of y_i = ±1 on z_i with the prior x ~ N(0, 10 I). Its
// Jacobian is Σ a_j x_j, so that one can see how it is weighted.
type logistic struct {
	dim      int
	z        [][]float64
	y        []float64
	jacobian []float64
	wall     float64 // beyond it the gradient is no number; 0: there is none
}

// newLogistic spreads n rows by the golden ratio.
func newLogistic(n, dim int) *logistic {
	l := &logistic{dim: dim, jacobian: make([]float64, dim)}
	for i := range n {
		z, s := make([]float64, dim), 0.3
		for j := range z {
			_, f := math.Modf(float64(i*dim+j+1) * 0.6180339887498949)
			z[j] = 4*f - 2
			s += z[j] * float64(1-2*(j%2)) / float64(j+1)
		}
		_, f := math.Modf(float64(i+1) * 0.7548776662466927)
		y := 1.0
		if f > 1/(1+math.Exp(-s)) {
			y = -1
		}
		l.z, l.y = append(l.z, z), append(l.y, y)
	}
	return l
}

func (l *logistic) Name() string { return "logistic" }
func (l *logistic) Dim() int     { return l.dim }
func (l *logistic) Blocks() []target.Block {
	return []target.Block{{Name: "w", Len: 1,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}},
		{Name: "v", Offset: 1, Len: l.dim - 1,
			Geometry: target.Geometry{Kind: "euclidean", Points: l.dim - 1, Dim: 1}}}
}
func (l *logistic) Outputs() []target.Output {
	return []target.Output{{Name: "w", Len: 1},
		{Name: "v", Offset: 1, Len: l.dim - 1, Shape: []int{l.dim - 1}}}
}
func (l *logistic) OutputLen() int                    { return l.dim }
func (l *logistic) Rows() int                         { return len(l.z) }
func (l *logistic) RowAxis() string                   { return "N" }
func (l *logistic) NewEvaluator(int) target.Evaluator { return l }

func (l *logistic) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	for j := range x {
		grad[j] = -x[j]/10 + jacobian*l.jacobian[j]
	}
	one := func(i int) {
		t := 0.0
		for j, z := range l.z[i] {
			t += z * x[j]
		}
		r := scale * l.y[i] / (1 + math.Exp(l.y[i]*t))
		for j, z := range l.z[i] {
			grad[j] += r * z
		}
	}
	if rows == nil {
		for i := range l.z {
			one(i)
		}
	}
	for _, i := range rows {
		one(i)
	}
	if l.wall > 0 && math.Abs(x[1]) > l.wall {
		grad[1] = math.NaN()
	}
}

func (l *logistic) row(i int, x []float64) float64 {
	t := 0.0
	for j, z := range l.z[i] {
		t += z * x[j]
	}
	return -math.Log1p(math.Exp(-l.y[i] * t))
}

func (l *logistic) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	f := 0.0
	for j := range x {
		f += -x[j]*x[j]/20 + jacobian*l.jacobian[j]*x[j]
	}
	for i := range l.z {
		if rows == nil {
			f += scale * l.row(i, x)
		}
	}
	for _, i := range rows {
		f += scale * l.row(i, x)
	}
	return f
}

func (l *logistic) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	l.Gradient(x, rows, scale, jacobian, grad)
	return l.LogDensity(x, rows, scale, jacobian)
}
func (l *logistic) Constrain(x, out []float64)         { copy(out, x) }
func (l *logistic) Unconstrain(out, x []float64) error { copy(x, out); return nil }
func (l *logistic) LogLik(x []float64, rows []int, out []float64) {
	for i := range out {
		out[i] = l.row(i, x)
	}
}

// mode finds the maximum by Newton's method.
func (l *logistic) mode() []float64 {
	x, g, plus, minus := make([]float64, l.dim), make([]float64, l.dim), make([]float64, l.dim),
		make([]float64, l.dim)
	const eps = 1e-5
	for range 30 {
		l.Gradient(x, nil, 1, 0, g)
		a := make([][]float64, l.dim)
		for i := range a {
			y := append([]float64(nil), x...)
			y[i] = x[i] + eps
			l.Gradient(y, nil, 1, 0, plus)
			y[i] = x[i] - eps
			l.Gradient(y, nil, 1, 0, minus)
			a[i] = make([]float64, l.dim+1)
			for j := range l.dim {
				a[i][j] = -(plus[j] - minus[j]) / (2 * eps)
			}
			a[i][l.dim] = g[i]
		}
		for k := range a { // the matrix is positive definite
			for i := range a {
				if i == k {
					continue
				}
				r := a[i][k] / a[k][k]
				for j := k; j <= l.dim; j++ {
					a[i][j] -= r * a[k][j]
				}
			}
		}
		for i := range x {
			x[i] += a[i][l.dim] / a[i][i]
		}
	}
	return x
}

// well is the double well U = (x + 4)(x + 1)(x − 1)(x − 3)/14 + ½ (Ding et al.
// 2014), without rows. Its minima are −2.935363 (the deeper one) and 2.223664.
type well struct{ logistic }

func newWell() *well { return &well{*newLogistic(0, 1)} }

func (w *well) Blocks() []target.Block {
	return []target.Block{{Name: "theta", Len: 1,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}}}
}
func (w *well) NewEvaluator(int) target.Evaluator { return w }
func (w *well) Gradient(x []float64, _ []int, _, _ float64, grad []float64) {
	t := x[0]
	grad[0] = -(4*t*t*t + 3*t*t - 26*t - 1) / 14
}
func (w *well) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	t := x[0]
	return -((t+4)*(t+1)*(t-1)*(t-3)/14 + 0.5)
}

func ptr(x float64) *float64 { return &x }

// config of an algorithm with minibatches of 7 of the rows.
func config(algorithm string, h float64, steps int64) Config {
	c := DefaultConfig()
	c.Algorithm, c.Step, c.Steps, c.Batch = algorithm, h, steps, 7
	return c
}

func mustChain(t testing.TB, g, held target.Target, c Config, number int) *Chain {
	t.Helper()
	ch, err := NewChain(g, held, c, number)
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func mustSteps(t testing.TB, c *Chain, n int64) {
	t.Helper()
	for range n {
		if err := c.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// A model with missing entries has the density of the complete one at the
// values of its unknowns, which stand in for the entries in their order.
func TestMissingEntries(t *testing.T) {
	const text = `
dim N, P
data x[N, P] : real?
data z[N] : positive?
data y[N] : real
param m[P], b[P] : real ~ normal(0, 1)
param s : positive ~ exponential(1)
for n in N {
  x[n] ~ normal(m, s)
  z[n] ~ gamma(2, s)
  y[n] ~ normal(x[n] @ b + log(z[n]), 1)
}`
	const n, p = 4, 2
	x := []float64{0.5, -1, 2, 0.3, 1.5, -0.7, 0.1, 0.9}
	z := []float64{1, 2, 0.5, 3}
	y := []float64{0.1, 2, -1, 0.4}
	compiled := func() *driver.Compiled {
		c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		return c
	}
	model := func(x, z []float64) (dims map[string]int, density func(at []float64) float64,
		gradient func(at []float64) []float64) {
		c := compiled()
		b, _, errs := data.Validate(&c.Spec.Schema,
			map[string]*data.Value{"x": data.Dense(x, n, p), "z": data.Dense(z, n),
				"y": data.Dense(y, n)}, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		m, err := c.VM(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := m.Evaluator(0)
		return b.Dims, func(at []float64) float64 { return e.LogDensity(at, nil, 1, 1) },
			func(at []float64) []float64 {
				g := make([]float64, len(at))
				e.Gradient(at, nil, 1, 1, g)
				return g
			}
	}
	holes := append([]float64(nil), x...)
	holes[1], holes[4], holes[6] = math.NaN(), math.NaN(), math.NaN()
	zs := append([]float64(nil), z...)
	zs[2] = math.NaN()
	dims, partial, gradient := model(holes, zs)
	if dims["x.missing"] != 3 || dims["z.missing"] != 1 {
		t.Fatalf("sizes are %v", dims)
	}
	_, complete, _ := model(x, z)
	shared := []float64{0.2, -0.4, 0.7, 0.1, -0.3} // m, b, log s
	// In the order of declaration; z is positive, so its state is a logarithm, whose Jacobian is z.
	at := append([]float64{x[1], x[4], x[6], math.Log(z[2])}, shared...)
	if got, want := partial(at), complete(shared)+math.Log(z[2]); math.Abs(got-want) > 1e-12 {
		t.Errorf("log density %v, of the complete data %v", got, want)
	}
	g := gradient(at)
	for i := range at {
		const h = 1e-6
		up, down := append([]float64(nil), at...), append([]float64(nil), at...)
		up[i] += h
		down[i] -= h
		if d := (partial(up) - partial(down)) / (2 * h); math.Abs(d-g[i]) > 1e-7*(1+math.Abs(d)) {
			t.Errorf("gradient[%d] = %v, differences give %v", i, g[i], d)
		}
	}
}

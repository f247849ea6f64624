package examples_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

const varyingIntercepts = `dim N, J, P
data g[N] : index[J]
data x[N, P] : real
data y[N] : bool
param m : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
param a[J] : real ~ normal(m, s)
param b[P] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(a[g[n]] + x[n] @ b) }
`

// intercepts has n rows in 40 groups, 20 of which have 3 rows each; 45 unknowns.
func intercepts(t *testing.T, n int) *model.Model {
	t.Helper()
	const j, p = 40, 3
	r := rand.New(rand.NewPCG(18, 3))
	a := make([]float64, j)
	for k := range a {
		a[k] = 0.5 + 0.8*r.NormFloat64()
	}
	g, x, y := make([]float64, n), make([]float64, n*p), make([]float64, n)
	for i := range n {
		k := r.IntN(j / 2)
		if i < 60 {
			k = j/2 + i%(j/2)
		}
		eta := a[k]
		for q := range p {
			x[i*p+q] = r.NormFloat64()
			eta += 0.4 * float64(q-1) * x[i*p+q]
		}
		g[i] = float64(k)
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return bindModel(t, varyingIntercepts, &data.Bound{
		Dims: map[string]int{"N": n, "J": j, "P": p}, Values: map[string]*array.Value{
			"g": array.Dense(g, n), "x": array.Dense(x, n, p), "y": array.Dense(y, n)}})
}

func bindModel(t *testing.T, text string, b *data.Bound) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
	if diags.Errors() {
		t.Fatal(diags)
	}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// weightedMeans are the means and standard deviations of weighted states.
func weightedMeans(states [][]float64, weights []float64) (mean, sd []float64) {
	mean, sd = make([]float64, len(states[0])), make([]float64, len(states[0]))
	for k, x := range states {
		for i, v := range x {
			mean[i] += weights[k] * v
		}
	}
	for k, x := range states {
		for i, v := range x {
			sd[i] += weights[k] * (v - mean[i]) * (v - mean[i])
		}
	}
	for i := range sd {
		sd[i] = math.Sqrt(sd[i])
	}
	return mean, sd
}

// states are those of draws, each with the same weight.
func states(t *testing.T, m *model.Model, d *sampler.Draws) (out [][]float64, weights []float64) {
	t.Helper()
	e := m.Evaluator(0)
	for k := range d.Chains {
		for i := range d.Len(k) {
			x := make([]float64, m.Dim())
			if err := e.Unconstrain(d.Draw(k, i), x); err != nil {
				t.Fatal(err)
			}
			out = append(out, x)
		}
	}
	for range out {
		weights = append(weights, 1/float64(len(out)))
	}
	return out, weights
}

// surrogateOf runs a surrogate of a model.
func surrogateOf(
	t *testing.T, m *model.Model, draws int64, set surrogate.Settings,
) (*surrogate.Result, error) {
	t.Helper()
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Draws, c.Warmup, c.Seed = "nuts", 4, draws, 400, 7
	set.Seed, set.Radius = 7, 2
	return surrogate.Run(context.Background(), m, c, set, loop.Options{})
}

// farthestMean is the largest distance of means in standard deviations of the truth.
func farthestMean(mean, truth, sd []float64) float64 {
	worst := 0.0
	for i := range mean {
		worst = max(worst, math.Abs(mean[i]-truth[i])/sd[i])
	}
	return worst
}

// TestSurrogateIntercepts: a hierarchy by a surrogate, with and without rows as they are, is
// that of nuts on all rows. TestSurrogateManyIntercepts has more rows and longer chains.
func TestSurrogateIntercepts(t *testing.T) { interceptsAgree(t, 3000, 300, 500, 500) }

// interceptsAgree holds a surrogate of n rows, with drawn draws a chain, against four chains of
// nuts.
func interceptsAgree(t *testing.T, n int, warmup, draws, drawn int64) {
	t.Helper()
	m := intercepts(t, n)
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Draws, c.Seed = "nuts", 4, warmup, draws, 3
	truth, sd := weightedMeans(states(t, m, collect(t, m, c)))
	for _, rows := range []int{-1, 1000} {
		r, err := surrogateOf(t, m, drawn, surrogate.Settings{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		x := r.Exactness
		mean, _ := weightedMeans(r.Drawn, r.Weights)
		far := farthestMean(mean, truth, sd)
		t.Logf("%d rows: %+v; worst mean %.3f sd", rows, x, far)
		if share := x.Effective / float64(x.Draws); x.K > 0.5 || share < 0.85 || far > 0.1 {
			t.Errorf("%d rows: k %.2f, share %.2f, a mean is off by %.2g sd", rows, x.K, share, far)
		}
	}
}

// Models that no surrogate stands for are refused with the reason.
func TestSurrogateRefuses(t *testing.T) {
	const n = 3000
	r := rand.New(rand.NewPCG(4, 4))
	y, z, b := make([]float64, n), make([]float64, n), make([]float64, n)
	unit := make([]float64, 0, 3*n)
	for i := range y {
		y[i], z[i], b[i] = r.NormFloat64(), r.NormFloat64(), float64(r.IntN(2))
		if y[i] += 3; i%2 == 0 {
			y[i] -= 6
		}
		u, v := r.NormFloat64(), r.NormFloat64()
		s := math.Sqrt(u*u + v*v + 4)
		unit = append(unit, u/s, v/s, 2/s)
	}
	bound := func(names ...string) *data.Bound {
		all := map[string]*array.Value{"y": array.Dense(y, n), "z": array.Dense(z, n),
			"b": array.Dense(b, n), "x": array.Dense(unit, n, 3)}
		out := &data.Bound{Dims: map[string]int{"N": n, "D": 3, "H": 4, "K": 2500},
			Values: map[string]*array.Value{}}
		for _, name := range names {
			out.Values[name] = all[name]
		}
		return out
	}
	for _, c := range []struct {
		name, text string
		bound      *data.Bound
		want       string
	}{
		{"mixture", `dim N
data y[N] : real
param m1, m2 : real ~ normal(0, 5)
for n in N { y[n] ~ mixture(0.4, normal(m1, 1), normal(m2, 1)) }
`, bound("y"), "several modes"},
		{"network", `dim N, H
data z[N] : real
data b[N] : bool
param u[H], c[H], v[H] : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(sum(v[h] * tanh(u[h] * z[n] + c[h]) for h in H)) }
`, bound("z", "b"), ""},
		{"sphere", `dim N, D
data x[N] : sphere[D]
param mu : sphere[D]
for n in N { x[n] ~ vmf(mu, 5) }
`, bound("x"), "curved space"},
		{"many unknowns", `dim N, K
data y[N] : real
param a[K] : real ~ normal(0, 1)
for n in N { y[n] ~ student_t(4, a[0], 1) }
`, bound("y"), "2500 unknowns"},
		{"no rows", `param a : real ~ normal(0, 1)
`, &data.Bound{Dims: map[string]int{}, Values: map[string]*array.Value{}}, "no axis"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := surrogateOf(t, bindModel(t, c.text, c.bound), 500, surrogate.Settings{})
			if refusal := new(surrogate.Refusal); !errors.As(err, &refusal) ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			} else {
				t.Log(err)
			}
		})
	}
}

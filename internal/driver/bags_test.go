package driver

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/data"
)

// Models of counts, which may be kept sparse.
var bags = []struct{ name, text string }{
	{"rates", `
param phi[2] : simplex[V] ~ dirichlet(0.5)
param r[2] : positive ~ gamma(1, 1)
for d in D { x[d] ~ poisson(r @ phi) }`},
	{"log rates", `
param eta[V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson_log(eta) }`},
	{"probabilities", `
param phi : simplex[V] ~ dirichlet(0.5)
for d in D { x[d] ~ multinomial(phi) }`},
	{"logits", `
param eta[V] : real ~ normal(0, 1)
for d in D { x[d] ~ multinomial_logit(eta) }`},
	{"a mixture", `
param theta : simplex[K] ~ dirichlet(1)
param eta[K, V] : real ~ normal(0, 1)
let phi = [softmax(eta[k]) for k in K]
for d in D {
  local z : index[K] ~ categorical(theta) by marginal
  x[d] ~ multinomial(phi[z])
}`},
	{"rates of a row's own", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D { x[d] ~ poisson(z[d] @ phi) }`},
	{"rates of a row's own, some factors left out", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param w[K] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson((z[d] * exp(w)) @ phi + 0.1) }`},
	{"predictors", `
param w[V], s : real ~ normal(0, 1)
for d in D { y[d] ~ normal(x[d] @ w + sum(x[d]) * s, 1) }`},
}

// TestBags: `bag[V]` and `sparse` choose a storage, not a meaning: the density,
// its gradient and the likelihood of each row are those of dense counts.
func TestBags(t *testing.T) {
	const docs, words = 40, 25
	r := rand.New(rand.NewPCG(3, 4))
	counts := make([]float64, docs*words)
	for i := range counts {
		if r.IntN(4) == 0 {
			counts[i] = float64(1 + r.IntN(6))
		}
	}
	for _, d := range []int{0, 17, 18, docs - 1} {
		clear(counts[d*words:][:words]) // rows without counts
	}
	z := make([]float64, docs*3)
	for i := range z {
		z[i] = 3 * r.Float64()
	}
	y := make([]float64, docs)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for _, c := range bags {
		type result struct{ lp, gradient, rows []float64 }
		results := map[string]result{}
		for _, kind := range []string{"count[V]", "bag[V]", "sparse count[V]"} {
			text := "dim D, V, K = 3\ndata x[D] : " + kind + "\n"
			if strings.Contains(c.text, "y[d]") {
				text += "data y[D] : real\n"
			}
			m, diags := Compile(source.New("bag.sg", text+c.text+"\n"), Options{})
			if m == nil {
				t.Fatalf("%s, %s: %v", c.name, kind, diags[0].Message)
			}
			values := map[string]*data.Value{"x": data.Dense(counts, docs, words)}
			if strings.Contains(c.text, "y[d]") {
				values["y"] = data.Dense(y, docs)
			}
			if strings.Contains(c.text, "z[d]") {
				values["z"] = data.Dense(z, docs, 3)
			}
			bound, _, errs := data.Validate(&m.Spec.Schema, values, nil, data.Options{})
			if errs != nil {
				t.Fatal(errs[0])
			}
			target, err := m.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			draw := rand.New(rand.NewPCG(5, 6))
			x, g := make([]float64, target.Dim()), make([]float64, target.Dim())
			for i := range x {
				x[i] = draw.NormFloat64()
			}
			e := target.NewEvaluator(docs)
			part := []int{3, 17, 17, 39}
			var out result
			e.Gradient(x, nil, 1, 1, g)
			out.lp, out.gradient = append(out.lp, e.LogDensity(x, nil, 1, 1), e.LogDensity(x, part, 10, 0.5)), append(out.gradient, g...)
			e.Gradient(x, part, 10, 0.5, g)
			out.gradient = append(out.gradient, g...)
			out.rows = make([]float64, docs)
			e.LogLik(x, nil, out.rows)
			results[kind] = out
		}
		dense := results["count[V]"]
		for kind, got := range results {
			same(t, c.name+", "+kind+": log density", got.lp, dense.lp)
			same(t, c.name+", "+kind+": gradient", got.gradient, dense.gradient)
			same(t, c.name+", "+kind+": rows", got.rows, dense.rows)
		}
	}
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-10*(1+math.Abs(want[i]))) {
			t.Errorf("%s, %d: %v, not %v", what, i, got[i], want[i])
			return
		}
	}
}

// TestZeroRates: a word that no row has may have the probability 0.
func TestZeroRates(t *testing.T) {
	m, diags := Compile(source.New("bag.sg", `dim D, V
data x[D] : bag[V]
data p[V] : real
param s : positive ~ exponential(1)
for d in D { x[d] ~ poisson(s * p) }
`), Options{})
	if m == nil {
		t.Fatal(diags[0].Message)
	}
	bound, _, errs := data.Validate(&m.Spec.Schema, map[string]*data.Value{
		"x": data.Dense([]float64{2, 0, 1, 0, 0, 3}, 2, 3), "p": data.Dense([]float64{1, 0, 2}, 3)}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	target, err := m.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, g := target.NewEvaluator(2), make([]float64, 1)
	e.Gradient([]float64{0.3}, nil, 1, 1, g)
	s := math.Exp(0.3)
	lp := 6*math.Log(s) + 4*math.Log(2) - 2*3*s - math.Log(2) - math.Log(6) - s + 0.3
	if got := e.LogDensity([]float64{0.3}, nil, 1, 1); math.Abs(got-lp) > 1e-12 {
		t.Errorf("log density %v, not %v", got, lp)
	}
	if want := 6 - 6*s - s + 1; math.Abs(g[0]-want) > 1e-12 {
		t.Errorf("gradient %v, not %v", g[0], want)
	}
}

package modeltest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/irtest"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// bags are models of counts, which may be kept sparse: where a row has a part in its
// rates, rates that are sums of products, logarithms of rates that are, and what is
// neither; and other functions of single counts.
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
	{"rates of a row's own and of all rows", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param a : positive ~ gamma(1, 1), b[V] : positive ~ gamma(1, 1)
for d in D { x[d] ~ poisson(a * z[d] @ phi + b) }`},
	{"rates of a row's own with a factor for every column", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param a[V] : positive ~ gamma(1, 1)
for d in D { x[d] ~ poisson((z[d] @ phi) * a) }`},
	{"rates of a row's own as quotients", `
data z[D, K] : positive, o[D] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param b[V] : positive ~ gamma(1, 1)
for d in D { x[d] ~ poisson((z[d] @ phi) / o[d] / b) }`},
	{"rates of a row's own that are squares", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson((z[d] @ eta) * (z[d] @ eta) + 0.1) }`},
	{"positive functions of predictors", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson(log1p_exp(z[d] @ eta)) }`},
	{"exponentials of predictors", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson(exp(z[d] @ eta)) }`},
	{"log rates that are predictors", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson_log(z[d] @ eta) }`},
	{"log rates that are predictors with a factor, less others", `
data z[D, K] : positive, o[D] : positive
param eta[K, V], b[V], s : real ~ normal(0, 1)
for d in D { x[d] ~ poisson_log(s * (z[d] @ eta) / o[d] - b - log(o[d])) }`},
	{"log rates that are products of predictors", `
data z[D, K] : positive
param eta[K, V], b[K, V] : real ~ normal(0, 0.3)
for d in D { x[d] ~ poisson_log((z[d] @ eta) * (z[d] @ b)) }`},
	{"exposures", `
data o[D] : positive
param eta[V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson(o[d] * softmax(eta)) }`},
	{"log exposures", `
data o[D] : positive
param eta[V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson_log(log(o[d]) + eta) }`},
	{"groups", `
data g[D] : index[K]
param phi[K] : simplex[V] ~ dirichlet(0.5)
param a[K] : positive ~ gamma(1, 1)
for d in D { x[d] ~ poisson(a[g[d]] * phi[g[d]]) }`},
	{"log rates of groups", `
data g[D] : index[K]
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ poisson_log(eta[g[d]]) }`},
	{"probabilities of a row's own", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ multinomial(softmax(z[d] @ eta)) }`},
	{"logits of a row's own", `
data z[D, K] : positive
param eta[K, V], b[V] : real ~ normal(0, 1)
for d in D { x[d] ~ multinomial_logit(z[d] @ eta + b) }`},
	{"more variance than a Poisson has", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param a : positive ~ gamma(1, 1)
for d in D { x[d] ~ neg_binomial_2(z[d] @ phi, a) }`},
	{"more variance than a Poisson has, for all rows", `
param r[V] : positive ~ gamma(1, 1)
param a[V] : positive ~ gamma(1, 1)
for d in D { x[d] ~ neg_binomial_2(r, a) }`},
	{"more variance than a Poisson has, by predictors", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
param a : positive ~ gamma(1, 1)
for d in D { x[d] ~ neg_binomial_2_log(z[d] @ eta, a) }`},
	{"counts of trials", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
for d in D { x[d] ~ binomial_logit(12, z[d] @ eta) }`},
	{"rates of classes", `
param phi[K] : simplex[V] ~ dirichlet(0.5)
param th : simplex[K] ~ dirichlet(1)
param a : positive ~ gamma(1, 1)
for d in D {
  local c : index[K] ~ categorical(th) by marginal
  x[d] ~ poisson(a * phi[c])
}`},
	{"log rates of classes", `
data z[D, K] : positive
param eta[K, V], b[K, V] : real ~ normal(0, 1)
param th : simplex[K] ~ dirichlet(1)
for d in D {
  local c : index[K] ~ categorical(th) by marginal
  x[d] ~ poisson_log(z[d] @ eta + b[c])
}`},
	{"rates of classes and of a row's own", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
param th : simplex[K] ~ dirichlet(1)
for d in D {
  local c : index[K] ~ categorical(th) by gibbs
  x[d] ~ poisson(z[d] @ phi + phi[c])
}`},
	{"a class that is there or not", `
param phi[K] : simplex[V] ~ dirichlet(0.5)
param c : unit ~ beta(1, 1)
for d in D {
  local h : bool ~ bernoulli(c) by marginal
  x[d] ~ poisson(h * phi[0] + phi[1])
}`},
	{"proportions", `
param phi[K] : simplex[V] ~ dirichlet(0.5)
param a, b : positive ~ gamma(1, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(1) by gmc
  x[d] ~ poisson(a * theta @ phi + b)
}`},
	{"scores", `
param eta[K, V], b[V] : real ~ normal(0, 1)
for d in D {
  local u[K] : real ~ normal(0, 1) by gmc
  x[d] ~ poisson_log(u @ eta + b)
}`},
	{"scores of logits", `
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  local u[K] : real ~ normal(0, 1) by gmc
  x[d] ~ multinomial_logit(u @ eta)
}`},
	{"factors", `
param phi[K] : simplex[V] ~ dirichlet(0.5)
param b[V] : positive ~ gamma(1, 1)
for d in D {
  local psi[K] : positive ~ gamma(1.5, 1)
  x[d] ~ poisson(psi @ phi + b)
}`},
	{"a scale", `
data z[D, K] : positive
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D {
  local s : positive ~ gamma(1.5, 1)
  x[d] ~ poisson(s * z[d] @ phi)
}`},
	{"a scale integrated out", `
param r[V] : positive ~ gamma(1, 1)
for d in D {
  local s : positive ~ gamma(1.5, 1) by collapse
  x[d] ~ poisson(s * r)
}`},
	{"bits of predictors", `
param eta[K, V] : real ~ normal(0, 1)
param c[K] : real ~ normal(0, 1)
for d in D {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  x[d] ~ poisson_log(h @ eta)
}`},
	{"bits and factors", `
param phi[K] : simplex[V] ~ dirichlet(0.5)
param c[K] : real ~ normal(0, 1)
for d in D {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  local psi[K] : positive ~ gamma(0.5, 1)
  x[d] ~ poisson((psi * h) @ phi)
}`},
	{"predictors", `
param w[V], s : real ~ normal(0, 1)
for d in D { y[d] ~ normal(x[d] @ w + sum(x[d]) * s, 1) }`},
	{"numbers", `
data z[D, K] : positive
param eta[K, V] : real ~ normal(0, 1)
param s : positive ~ gamma(1, 1)
for d in D { x[d] ~ normal(z[d] @ eta, s) }`},
}

// bagText is a model of bags with counts of this kind.
func bagText(kind, text string) *source.File {
	out := "dim D, V, K = 3\ndata x[D] : " + kind + "\n"
	if strings.Contains(text, "y[d]") {
		out += "data y[D] : real\n"
	}
	return source.New("bag.sg", out+text+"\n")
}

// TestBagForms: whatever can be compiled of dense counts can be of a bag, for chains
// too, and where whole rows are scored by draws from the prior, or entries given others.
func TestBagForms(t *testing.T) {
	for _, c := range bags {
		for _, way := range []struct {
			name    string
			compile func(*source.File) (bool, diag.List)
		}{
			{"params", func(s *source.File) (bool, diag.List) {
				c, d := driver.Compile(s, driver.Options{})
				return c != nil, d
			}},
			{"chains", func(s *source.File) (bool, diag.List) {
				c, d := driver.Compile(s, driver.Options{Sampled: true})
				return c != nil, d
			}},
			{"summed out", func(s *source.File) (bool, diag.List) {
				c, d := driver.Compile(s, driver.Options{Exact: true})
				return c != nil, d
			}},
			{"whole rows", func(s *source.File) (bool, diag.List) {
				c, d := driver.Complete(s, driver.Options{Prior: true})
				return c != nil, d
			}},
			{"entries", func(s *source.File) (bool, diag.List) {
				c, d := driver.Complete(s, driver.Options{})
				return c != nil, d
			}},
		} {
			if way.name != "params" && !strings.Contains(c.text, "local") {
				continue
			}
			dense, _ := way.compile(bagText("count[V]", c.text))
			if sparse, diags := way.compile(bagText("bag[V]", c.text)); sparse != dense {
				t.Errorf("%s, %s: dense %t, sparse %t: %v", c.name, way.name, dense, sparse, diags)
			}
		}
	}
}

// bagCounts are counts of which most are 0, with rows that have none.
func bagCounts(docs, words int) []float64 {
	r := rand.New(rand.NewPCG(3, 4))
	counts := make([]float64, docs*words)
	for i := range counts {
		if r.IntN(4) == 0 {
			counts[i] = float64(1 + r.IntN(6))
		}
	}
	for _, d := range []int{0, 17, 18, docs - 1} {
		if d < docs {
			clear(counts[d*words:][:words])
		}
	}
	return counts
}

// bagValues are data for the inputs of bags.
func bagValues(text string, counts []float64, docs, words int) map[string]*data.Value {
	r := rand.New(rand.NewPCG(7, 4))
	values := map[string]*data.Value{"x": data.Dense(counts, docs, words)}
	for _, in := range []struct {
		name string
		draw func() float64
		k    int
	}{{"z", func() float64 { return 3 * r.Float64() }, 3},
		{"o", func() float64 { return 0.5 + r.Float64() }, 1},
		{"g", func() float64 { return float64(r.IntN(3)) }, 1}, {"y", r.NormFloat64, 1}} {
		if !strings.Contains(text, in.name+"[d]") {
			continue
		}
		x := make([]float64, docs*in.k)
		for i := range x {
			x[i] = in.draw()
		}
		if in.k > 1 {
			values[in.name] = data.Dense(x, docs, in.k)
		} else {
			values[in.name] = data.Dense(x, docs)
		}
	}
	return values
}

// TestBags: `bag[V]` and `sparse` choose a storage, not a meaning: the density,
// its gradient and the likelihood of each row are those of dense counts, and the
// gradient is that of central differences.
func TestBags(t *testing.T) {
	const docs, words = 40, 25
	counts := bagCounts(docs, words)
	for _, c := range bags {
		type result struct{ lp, gradient, rows []float64 }
		results := map[string]result{}
		for _, kind := range []string{"count[V]", "bag[V]", "sparse count[V]"} {
			m, diags := driver.Compile(bagText(kind, c.text), driver.Options{Exact: true})
			if m == nil {
				t.Fatalf("%s, %s: %v", c.name, kind, diags[0].Message)
			}
			if m.Spec.Chain != nil { // chains have tests of their own
				continue
			}
			bound, _, errs := data.Validate(&m.Spec.Schema, bagValues(c.text, counts, docs, words),
				nil, data.Options{})
			if errs != nil {
				t.Fatal(errs[0])
			}
			target, err := m.VM(bound, nil)
			if err != nil {
				t.Fatal(c.name, kind, err)
			}
			draw := rand.New(rand.NewPCG(5, 6))
			x, g := make([]float64, target.Dim()), make([]float64, target.Dim())
			for i := range x {
				x[i] = draw.NormFloat64()
			}
			e := target.NewEvaluator(docs)
			part := []int{3, 17, 17, 39}
			if m.Spec.RowDim == "" { // locals of all rows are unknowns
				part = nil
			}
			var out result
			e.Gradient(x, nil, 1, 1, g)
			out.lp, out.gradient = append(out.lp, e.LogDensity(x, nil, 1, 1),
				e.LogDensity(x, part, 10, 0.5)), append(out.gradient, g...)
			e.Gradient(x, part, 10, 0.5, g)
			out.gradient = append(out.gradient, g...)
			if kind == "bag[V]" {
				for i := 0; i < len(x); i += max(1, len(x)/30) {
					at, h := x[i], 1e-5
					x[i] = at + h
					above := e.LogDensity(x, part, 10, 0.5)
					x[i] = at - h
					below := e.LogDensity(x, part, 10, 0.5)
					x[i] = at
					if d := (above - below) / (2 * h); !(math.Abs(d-g[i]) <=
						1e-6*(1+math.Abs(d)+1e-3*math.Abs(above))) {
						t.Errorf("%s: derivative %d is %v, by differences %v", c.name, i, g[i], d)
						break
					}
				}
			}
			if m.Program(fn.Loglik.ID()) != nil {
				out.rows = make([]float64, docs)
				e.LogLik(x, nil, out.rows)
			}
			results[kind] = out
		}
		dense := results["count[V]"]
		for kind, got := range results {
			irtest.Near(t, c.name+", "+kind+": log density", got.lp, dense.lp)
			irtest.Near(t, c.name+", "+kind+": gradient", got.gradient, dense.gradient)
			irtest.Near(t, c.name+", "+kind+": rows", got.rows, dense.rows)
		}
	}
}

// TestBagsWhole: rows are scored by draws from the prior as rows of dense counts are.
func TestBagsWhole(t *testing.T) {
	const docs, words = 5, 7
	counts, seen := bagCounts(docs, words), 0
	for _, c := range bags {
		results := map[string][]float64{}
		for _, kind := range []string{"count[V]", "bag[V]"} {
			p, _ := driver.Complete(bagText(kind, c.text), driver.Options{Prior: true})
			if p == nil {
				continue
			}
			bound, _, errs := data.Validate(&p.Scored.Spec.Schema,
				bagValues(c.text, counts, docs, words), nil, data.Options{})
			if errs != nil {
				t.Fatal(errs[0])
			}
			observed, all, err := p.Bind(bound, bound, driver.Recorded{})
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, observed.Dim())
			for i := range x {
				x[i] = 0.6 * math.Sin(float64(2*i+1))
			}
			o := target.LocalOptions{BurnIn: 5, Kept: 9, Leapfrog: 3}
			out := make([]float64, all.Width())
			all.Evaluator(o, 5).Eval(x, 1, all.Tuned(x, o, 5), out)
			results[kind] = out
		}
		if len(results) == 2 {
			seen++
			irtest.Near(t, c.name, results["bag[V]"], results["count[V]"])
		}
	}
	if seen < 5 {
		t.Errorf("%d models with draws", seen)
	}
}

// TestZeroRates: a word that no row has may have the probability 0.
func TestZeroRates(t *testing.T) {
	m, diags := driver.Compile(source.New("bag.sg", `dim D, V
data x[D] : bag[V]
data p[V] : real
param s : positive ~ exponential(1)
for d in D { x[d] ~ poisson(s * p) }
`), driver.Options{})
	if m == nil {
		t.Fatal(diags[0].Message)
	}
	bound, _, errs := data.Validate(&m.Spec.Schema, map[string]*data.Value{
		"x": data.Dense([]float64{2, 0, 1, 0, 0, 3}, 2, 3), "p": data.Dense([]float64{1, 0, 2}, 3)},
		nil, data.Options{})
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

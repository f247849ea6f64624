package latent_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

func init() {
	localCases = append(localCases, collapsedCases...)
}

// Chains of locals in models with unknowns that were integrated out: the conditionals are those of
// the marginal law.
var collapsedCases = []localCase{
	{name: "topics of words, their weights integrated out", text: `
dim N, W(N), V = 3, K = 2
data w[N, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
param a : positive ~ gamma(2, 1)
for n in N {
  local theta : simplex[K] ~ dirichlet(a) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[n, i] ~ categorical_logit(eta[z])
  }
}`, data: map[string]*data.Value{"w": data.Ragged([]float64{0, 1, 1, 2, 2}, [][]int{{2}, {3, 2}})},
		values: map[string]int{"z": 2}},
	{name: "an effect and bits, the effect integrated out", text: `
dim N, T = 3
data y[N, T] : real
param m, b, s : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(m, exp(s)) by collapse
  for t in T {
    local z : bool ~ bernoulli(0.4) by gibbs
    y[n, t] ~ normal(u + b * z, 1)
  }
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 2, 1, 0.1, -0.5}, 2, 3)},
		values: map[string]int{"z": 2}},
	{name: "bits of a probability that is integrated out", text: `
dim N, T = 3
data y[N, T] : real
param b, c : real ~ normal(0, 1)
for n in N {
  local p : unit ~ beta(exp(c), 2) by collapse
  for t in T {
    local z : bool ~ bernoulli(p) by gibbs
    y[n, t] ~ normal(b * z, 1)
  }
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 2, 1, 0.1, -0.5}, 2, 3)},
		values: map[string]int{"z": 2}},
	{name: "a class that chooses what is integrated out", text: `
dim N, T = 3
data w[N, T] : index[2]
data k[N] : count
param a, c : real ~ normal(0, 1)
for n in N {
  local theta[2] : simplex[2] ~ dirichlet([exp(a), 1]) by collapse
  local rate[2] : positive ~ gamma(exp(c), 1) by collapse
  local z : index[2] ~ categorical([0.3, 0.7]) by gibbs
  for t in T { w[n, t] ~ categorical(theta[z]) }
  k[n] ~ poisson((1 + z) * rate[z])
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 1, 0, 0, 0}, 2, 3),
		"k": data.Dense([]float64{3, 1}, 2)}, values: map[string]int{"z": 2}},
	{name: "a direction that is integrated out", text: `
dim N, T = 2
data x[N, T] : sphere[3]
param c : real ~ normal(0, 1)
for n in N {
  local mu : sphere[3] ~ vmf([1, 0, 0], exp(c)) by collapse
  local sharp : bool ~ bernoulli(0.5) by gibbs
  for t in T { x[n, t] ~ vmf(mu, if sharp then 5 + exp(c) else 1) }
}`, data: map[string]*data.Value{"x": data.Dense([]float64{0, 1, 0, 0, 0.6, 0.8, 1, 0, 0, 0.6, -0.8,
		0}, 2, 2, 3)}, values: map[string]int{"sharp": 2}},
}

// If the local and the unknown are in the same plate, the local can be summed out as well: the mean
// of the gradient over its values is then that of the sum.
func TestCollapsedMarginal(t *testing.T) {
	compared := 0
	for _, c := range collapsedCases {
		compiled, diags := driver.Compile(source.New("m.sg",
			strings.ReplaceAll(c.text, "by gibbs", "by marginal")+"\n"), driver.Options{})
		if compiled == nil {
			if diags[0].Code != "E0705" {
				t.Error(diags)
			}
			continue
		}
		compared++
		drawn, diags := driver.Compile(source.New("m.sg", c.text+"\n"), driver.Options{})
		if drawn == nil {
			t.Fatal(diags)
		}
		bound, _, errs := data.Validate(&compiled.Spec.Schema, c.data, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		m, err := compiled.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		other, err := drawn.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
		for i := range x {
			x[i] = math.Cos(float64(2*i + 1))
		}
		for row := range m.Rows() {
			m.Evaluator(1).Gradient(x, []int{row}, 1, 1, g)
			for i, want := range exactGradient(t, drawn, other, c, x, row) {
				if math.Abs(g[i]-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("%s, row %d, coordinate %d: %v summed out, %v averaged", c.name, row,
						i, g[i], want)
				}
			}
		}
	}
	if compared < 2 {
		t.Errorf("only %d models compared", compared)
	}
}

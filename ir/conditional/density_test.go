package conditional_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/gibbs"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// compiled is a model for Gibbs sampling, bound to the data of a file.
func compiled(t *testing.T, name, text, file string) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New(name, text), driver.Options{Gibbs: true})
	if c == nil {
		t.Fatalf("%s: %s", name, diags[0].Message)
	}
	b, _, errs := data.Bind(&c.Spec.Schema, []string{file}, nil, data.Options{})
	if errs != nil {
		t.Fatalf("%s: %v", name, errs[0])
	}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// compiledText is a case, compiled.
func compiledText(t *testing.T, c modelCase) *model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
		t.Fatal(err)
	}
	return compiled(t, c.name, c.text, path)
}

// TestConditionalsAreThoseOfTheDensity changes one unknown at a time and holds the difference of
// the log density against that of the law which was derived.
func TestConditionalsAreThoseOfTheDensity(t *testing.T) {
	models, laws := 0, map[target.Law]int{}
	check := func(name string, m *model.Model) {
		models++
		for _, c := range m.Conditionals() {
			laws[c.Law]++
		}
		agree(t, name, m)
	}
	for _, c := range cases {
		check(c.name, compiledText(t, c))
	}
	for _, name := range []string{"conjugate_regression", "linear_regression", "missing_values",
		"varying_intercepts", "group_effects", "raters", "vmf_posterior", "dirichlet_multinomial",
		"dirichlet_categorical", "beta_binomial"} {
		path := filepath.Join("..", "..", "examples", "models", name)
		text, err := os.ReadFile(path + ".sg")
		if err != nil {
			t.Fatal(err)
		}
		check(name, compiled(t, name, string(text), path+".json"))
	}
	for _, law := range []target.Law{target.NormalLaw, target.JointNormalLaw,
		target.PositiveNormalLaw, target.GammaLaw, target.PowersLaw, target.BetaLaw,
		target.DirichletLaw, target.DirectionLaw, target.CategoryLaw} {
		if laws[law] == 0 {
			t.Errorf("no conditional is %s", law)
		}
	}
}

// agree holds the conditionals of a model against its density at random states.
func agree(t *testing.T, name string, m *model.Model) {
	e := m.NewEvaluator(0).(target.ConditionalEvaluator)
	src := rng.New(5, 0, rng.Test).At(0)
	x := make([]float64, m.Dim())
	gibbs.New(m, e, m.Conditionals(), rng.New(5, 0, rng.Test),
		rng.New(6, 0, rng.Test)).Start(&src)
	for i := range x {
		x[i] = src.Normal()
	}
	for _, b := range m.Blocks() {
		if b.Geometry.Kind == "sphere" {
			for at := b.Offset; at < b.Offset+b.Len; at += b.Geometry.Dim {
				src.UniformSphere(x[at : at+b.Geometry.Dim])
			}
		}
	}
	values := make([]float64, m.OutputLen())
	e.Constrain(x, values)
	for i, c := range m.Conditionals() {
		out := make([]float64, c.Len())
		e.Conditional(i, values, out)
		z := values
		if c.Hidden {
			z = e.Hidden()
		}
		density := func() float64 {
			state := make([]float64, m.Dim())
			if err := e.Unconstrain(values, state); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return e.LogDensity(state, nil, 1, 0)
		}
		for range 4 {
			block := src.IntN(max(c.Blocks, 1))
			u := z[c.Offset+block*c.Size : c.Offset+(block+1)*c.Size]
			old := slices.Clone(u)
			f, g := density(), logLaw(&c, out, block, u)
			change(&src, &c, u)
			df, dg := density()-f, logLaw(&c, out, block, u)-g
			if !(math.Abs(df-dg) <= 1e-8*(1+math.Abs(f)+math.Abs(dg))) {
				t.Errorf("%s: by %s, %s, the log density changes by %g where the law of block %d does by %g",
					name, c.Name, c.Law, df, block, dg)
			}
			copy(u, old)
		}
	}
}

// logLaw is the log density of a block's law, up to a constant.
func logLaw(c *target.Conditional, out []float64, block int, u []float64) float64 {
	first, second := out[:c.Lens[0]], out[c.Lens[0]:]
	sum := 0.0
	switch c.Law {
	case target.NormalLaw:
		sum = first[block]*u[0] - 0.5*second[block]*u[0]*u[0]
	case target.JointNormalLaw:
		for i := range u {
			sum += first[block*c.Size+i] * u[i]
			for j := range u {
				sum -= 0.5 * u[i] * second[(block*c.Size+i)*c.Size+j] * u[j]
			}
		}
	case target.PositiveNormalLaw:
		sum = first[block]*u[0] + second[block]*u[0]*u[0]
	case target.GammaLaw, target.PowersLaw:
		sum = first[block] * math.Log(u[0])
		for j, p := range c.Powers {
			sum += second[j*c.Blocks+block] * math.Pow(u[0], p)
		}
	case target.BetaLaw:
		sum = first[block]*math.Log(u[0]) + second[block]*math.Log1p(-u[0])
	case target.DirichletLaw:
		for k := range u {
			sum += first[block*c.Size+k] * math.Log(u[k])
		}
	case target.DirectionLaw:
		for k := range u {
			sum += first[block*c.Size+k] * u[k]
		}
	case target.CategoryLaw:
		sum = first[block*c.Values+int(u[0])]
	default:
		panic(fmt.Sprint("no such law: ", c.Law))
	}
	return sum
}

// change puts a block elsewhere in its support.
func change(src *rng.Source, c *target.Conditional, u []float64) {
	switch c.Law {
	case target.NormalLaw, target.JointNormalLaw:
		for i := range u {
			u[i] += src.Normal()
		}
	case target.BetaLaw:
		u[0] = src.Float64()
	case target.DirichletLaw:
		alpha := make([]float64, len(u))
		for i := range alpha {
			alpha[i] = 1
		}
		src.Dirichlet(u, alpha)
	case target.DirectionLaw:
		src.UniformSphere(u)
	case target.CategoryLaw:
		u[0] = float64(src.IntN(c.Values))
	default:
		u[0] *= 0.3 + src.Exponential()
	}
}

// A modelCase is a model with data.
type modelCase struct{ name, text, data string }

var cases = []modelCase{
	{"mixture", `dim N, K = 2
data y[N] : real
param mu[K] : real ~ normal(0, 10)
param tau[K] : positive ~ gamma(2, 1)
param pi : simplex[K] ~ dirichlet(1)
for n in N {
  local z : index[K] ~ categorical(pi)
  y[n] ~ normal(mu[z], 1 / sqrt(tau[z]))
}`, `{"y": [-2.1, 3.0, 2.7, -1.4, 3.3]}`},
	{"rates", `dim N, G
data y[N] : count
data t[N] : positive
data g[N] : index[G]
param beta : positive ~ gamma(1, 1)
param lambda[G] : positive ~ gamma(2, beta)
for n in N { y[n] ~ poisson(t[n] * lambda[g[n]]) }`,
		`{"y": [1, 0, 4, 7], "t": [1, 2.5, 2, 3], "g": [0, 0, 1, 1], "G": 2}`},
	{"bits", `dim N
data y[N] : real
param p : unit ~ beta(2, 3)
param a : real ~ normal(0, 2)
for n in N {
  local b : bool ~ bernoulli(p)
  y[n] ~ normal(if b then a else 0, 0.5)
}`, `{"y": [0.1, 1.2, 0.9, -0.3]}`},
	{"walk", `dim T
data y[T] : real
param x[T] : real
param q, r : positive ~ inv_gamma(2, 1)
x[0] ~ normal(0, 1)
for t in 1:T { x[t] ~ normal(x[t - 1], sqrt(q)) }
for t in T { y[t] ~ normal(x[t], sqrt(r)) }`, `{"y": [0.2, 0.5, 1.1, 0.7, 1.9]}`},
	{"slopes", `dim N, G, P
data X[N, P] : real
data g[N] : index[G]
data y[N] : real
param m[P] : real ~ normal(0, 3)
param beta[G, P] : real
param tau[P] : positive ~ normal(0, 1)
param sigma : positive ~ exponential(1)
for j in G, p in P { beta[j, p] ~ normal(m[p], tau[p]) }
for n in N { y[n] ~ normal(X[n] @ beta[g[n]], sigma) }`,
		`{"X": [[1, 0.3], [1, -0.4], [1, 1.2], [1, 0.1], [1, -1]], "g": [0, 1, 1, 0, 1],
"y": [0.4, 1, 2.2, 0.1, -0.7], "G": 2}`},
	{"positive mean", `dim N
data y[N] : real
param a : positive ~ normal(0, 3)
for n in N { y[n] ~ normal(2 * a, 1.5) }`, `{"y": [0.4, 1, 2.2]}`},
	{"prior of a class", `dim N, I, K = 3
data item[N] : index[I]
data y[N] : real
param share : simplex[K] ~ dirichlet(2)
param z[I] : index[K] ~ categorical(share)
param mu[K] : real ~ normal(0, 3)
for n in N { y[n] ~ normal(mu[z[item[n]]], 1) }`,
		`{"item": [0, 0, 1, 2, 2], "y": [0.4, 1, 2.2, -1, -2], "I": 3}`},
	{"switching regressions", `dim N, P, K = 2
data x[N, P] : real
data y[N] : real
param share : simplex[K] ~ dirichlet(2)
param slope[K, P] : real ~ normal(0, 1)
param sigma : positive ~ inv_gamma(2, 1)
for n in N {
  local z : index[K] ~ categorical(share)
  y[n] ~ normal(dot(slope[z], x[n]), sigma)
}`, `{"x": [[1, 0.3], [1, -0.4], [1, 1.2], [1, 0.1], [1, -1]], "y": [0.4, 1, 2.2, 0.1, -0.7]}`},
	{"words", `dim D, W(D), V, K = 2
data w[D, W] : index[V]
param a : real ~ normal(0, 1) // so that the topics are not integrated out
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.3)
  for i in W {
    local z : index[K] ~ categorical(theta)
    w[d, i] ~ categorical(phi[z])
  }
}`, `{"V": 3, "w": [[0, 1, 1], [2, 0], [2, 2, 1, 0]]}`},
	{"two normals of one mean", `dim N, M
data x[N] : real
data y[M] : real
param mu : real
param s, t : positive ~ inv_gamma(3, 1)
for n in N { x[n] ~ normal(mu, sqrt(s)) }
for m in M { y[m] ~ normal(3 - 2 * mu, sqrt(t)) }`, `{"x": [1, 2, 1.5], "y": [0.1, -0.3]}`},
}

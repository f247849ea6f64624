package posterior_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// importanceCases are models with the exact probability of each row, at a state.
var importanceCases = []struct {
	name, text string
	data       map[string]*data.Value
	exact      func(x []float64, row int) float64
}{
	{"a real", `
dim N
data y[N] : real
param mu, s : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(mu, exp(s)) by gmc
  y[n] ~ normal(u, 0.5)
}`, map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2}, 2)},
		func(x []float64, row int) float64 { // normals add up
			y, v := []float64{0.3, -1.2}[row], math.Exp(2*x[1])+0.25
			return math.Exp(-(y-x[0])*(y-x[0])/(2*v)) / math.Sqrt(2*math.Pi*v)
		}},
	{"bits of a predictor", `
dim N
data y[N] : real
param w[3], c[3] : real ~ normal(0, 1)
for n in N {
  local h[3] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ normal(w @ h, 0.7)
}`, map[string]*data.Value{"y": data.Dense([]float64{0.8, -0.5}, 2)},
		func(x []float64, row int) float64 {
			y, sum := []float64{0.8, -0.5}[row], 0.0
			for bits := range 8 {
				p, at := 1.0, 0.0
				for k := range 3 {
					q := 1 / (1 + math.Exp(-x[3+k]))
					if bits>>k&1 == 1 {
						p, at = p*q, at+x[k]
					} else {
						p *= 1 - q
					}
				}
				sum += p * math.Exp(-(y-at)*(y-at)/(2*0.49)) / math.Sqrt(2*math.Pi*0.49)
			}
			return sum
		}},
	{"one topic a row", `
dim N
data y[N] : real
param mu[2] : real ~ normal(0, 1)
for n in N {
  local z : index[2] ~ categorical([0.3, 0.7]) by gibbs
  y[n] ~ normal(mu[z], 1)
}`, map[string]*data.Value{"y": data.Dense([]float64{0.8, -0.5}, 2)}, nil},
	{"a bag with a rate of the row's own", `
dim N, V = 3
data y[N] : bag[V]
param eta[V] : real ~ normal(0, 1)
for n in N {
  local theta : positive ~ gamma(1.5, 1)
  y[n] ~ poisson(theta * exp(eta) + 1)
}`, map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 1}, {1, 0, 0}, {0, 0, 0}})},
		func(x []float64, row int) float64 { // by quadrature along log theta
			sum := 0.0
			const h = 0.005
			for u := -14.0; u < 5; u += h {
				theta := math.Exp(u)
				l := 1.5*u - theta - special.Lgamma(1.5)
				for v, n := range [][]float64{{0, 2, 1}, {1, 0, 0}, {0, 0, 0}}[row] {
					rate := theta*math.Exp(x[v]) + 1
					l += n*math.Log(rate) - rate - special.Lgamma(n+1)
				}
				sum += h * math.Exp(l)
			}
			return sum
		}},
	{"proportions integrated out", topics + `for d in D {
  local theta : simplex[K] ~ dirichlet(0.7) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`, map[string]*data.Value{"w": data.Ragged([]float64{0, 1, 1, 2, 2}, [][]int{{2}, {3, 2}})},
		func(x []float64, row int) float64 {
			words, sum := [][]float64{{0, 1, 1}, {2, 2}}[row], 0.0
			for i, w := range words {
				sum += lda(x, words[:i], w)
			}
			return math.Exp(sum)
		}},
}

// TestImportance: the mean over draws from the prior is the probability of a
// row, within Monte Carlo error; what can be summed out has none.
func TestImportance(t *testing.T) {
	for _, c := range importanceCases {
		t.Run(c.name, func(t *testing.T) {
			p, diags := driver.Complete(source.New("m.sg", c.text+"\n"),
				driver.Options{Prior: true})
			if c.exact == nil { // all is summed out, so there is nothing to draw
				if p != nil || !diags.Errors() {
					t.Fatal("rows without draws were taken for rows with draws")
				}
				return
			}
			if p == nil {
				for _, d := range diags {
					t.Log(d.Code, d.Message)
				}
				t.Fatal(diags)
			}
			bound, _, errs := data.Validate(&p.Scored.Spec.Schema, c.data, nil, data.Options{})
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
			o := target.LocalOptions{BurnIn: 20, Kept: 300}
			tuned, e := all.Tuned(x, o, 5), all.Evaluator(o, 5)
			const visits = 150
			out, mean, square := make([]float64, all.Width()), make([]float64, all.Width()),
				make([]float64, all.Width())
			for v := range visits {
				e.Eval(x, uint64(v), tuned, out)
				for i, l := range out {
					q := math.Exp(l)
					mean[i], square[i] = mean[i]+q/visits, square[i]+q*q/visits
				}
			}
			for row := range mean {
				want := c.exact(x, row)
				sd := math.Sqrt((square[row] - mean[row]*mean[row]) / visits)
				if z := (mean[row] - want) / sd; !(math.Abs(z) <= 4) || sd > 0.02*want {
					t.Errorf("row %d: %v ± %v, exact %v", row, mean[row], sd, want)
				}
			}
		})
	}
}

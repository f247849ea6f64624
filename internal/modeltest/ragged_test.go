package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

var raggedModels = map[string]string{
	"rows of different lengths": `
dim S, T(S)
data x[S, T] : real
param m : real ~ normal(0, 1)
param s : positive ~ exponential(1)
for s0 in S { for t in T { x[s0, t] ~ normal(m, s) } }`,
	"without plates": `
dim S, T(S)
data x[S, T] : real
param m : real ~ normal(0, 1)
x ~ normal(m, 1)`,
	"lengths as numbers": `
dim S, T(S)
data x[S, T] : positive
data y[S] : real
param a, b : real ~ normal(0, 1)
for s in S { y[s] ~ normal(a * mean(log(x[s])) + b / T + sd(x[s, t] for t in T) + sum(x[s, t] * t for t in T) + max(x[s]) - log_sum_exp(x[s]) + x[s, T - 1], 1) }`,
	"sums over all": `
dim S, T(S)
data x[S, T] : positive
param a : real ~ normal(0, 1)
factor a * (mean(x) + log_sum_exp(x)) - 0.5 * a^2 * sum(log(x[s, t]) for s in S, t in T)`,
	"recurrent": `
dim S, T(S)
data x[S, T] : real[2]
data y[S] : real
param U[2, 2], W[2, 2], v[2] : real ~ normal(0, 0.5)
for s in S {
  let h = scan t in T from h = zeros(2) { tanh(h @ U + x[s, t] @ W) }
  y[s] ~ normal(h[T] @ v, 1)
  for t in T { x[s, t, 0] ~ normal(h[t] @ v, 2) }
}`,
	"lagged": `
dim S, T(S)
data x[S, T] : real
param a : real ~ normal(0, 1)
for s in S { for t in 1:T { x[s, t] ~ normal(a * x[s, t - 1], 1) } }`,
	"latent classes": `
dim S, T(S)
data x[S, T] : real
param p : unit
param a, b : real ~ normal(0, 1)
for s in S {
  local odd : bool ~ bernoulli(0.3)
  for t in T {
    local z : bool ~ bernoulli(p)
    x[s, t] ~ normal((if z then a else b) + odd, 1)
  }
}`,
	"unknowns integrated out of ragged groups": `
dim S, T(S)
data w[S, T] : index[2]
data b[S, T] : bool
param a : positive ~ gamma(2, 1)
for s in S {
  for t in T {
    local theta : simplex[2] ~ dirichlet([1, a]) by collapse
    w[s, t] ~ categorical(theta)
    local q : unit ~ beta(a, 2) by collapse
    b[s, t] ~ bernoulli(q)
  }
}`,
	"products of vectors": `
dim S, T(S)
data x[S, T] : real
data z[S, T] : real
data y[S] : real
param a : real ~ normal(0, 1)
for s in S { y[s] ~ normal(a * (x[s] @ z[s]) + sum(softmax(a * x[s])[t] * z[s, t] for t in T), 1) }`,
}

func init() {
	for name, text := range raggedModels {
		tricky["ragged, "+name] = text
	}
}

// The density of ragged data is the sum over rows of what each gives alone, as
// data of one length, and padding has no part in it: whatever stands there,
// even what is not a value of the type.
func TestRagged(t *testing.T) {
	lengths := []int{3, 2, 5, 2}
	const s = 4
	for name, text := range raggedModels {
		t.Run(name, func(t *testing.T) {
			c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
			if c == nil {
				t.Fatal(diags[0].Message)
			}
			bind := func(rows []int, padding float64) *data.Bound {
				top := 1
				for _, r := range rows {
					top = max(top, lengths[r])
				}
				b := &data.Bound{Dims: map[string]int{"S": len(rows), "T": top},
					Values: map[string]*data.Value{}}
				var own []float64
				for _, r := range rows {
					own = append(own, float64(lengths[r]))
				}
				b.Values[data.LengthsOf("T")] = data.Dense(own, len(rows))
				for i := range c.Spec.Schema.Inputs {
					in := &c.Spec.Schema.Inputs[i]
					if len(in.Shape) == 1 {
						var v []float64
						for _, r := range rows {
							v = append(v, 0.3*float64(r)-0.5)
						}
						b.Values[in.Name] = data.Dense(v, len(rows))
						continue
					}
					width := 1
					if len(in.Shape) == 3 {
						width = 2
					}
					var v []float64
					for _, r := range rows {
						for k := range top * width {
							x := 1 + math.Sin(float64(10*r+k+i))/2
							if k >= lengths[r]*width {
								x = padding
							}
							v = append(v, x)
						}
					}
					shape := []int{len(rows), top}
					if width > 1 {
						shape = append(shape, width)
					}
					b.Values[in.Name] = data.Dense(v, shape...)
				}
				return b
			}
			density := func(b *data.Bound) (func(x []float64) float64, func(x []float64) []float64) {
				m, err := c.VM(b, nil)
				if err != nil {
					t.Fatal(err)
				}
				e := m.Evaluator(2)
				return func(x []float64) float64 { return e.LogDensity(x, nil, 1, 1) },
					func(x []float64) []float64 {
						g := make([]float64, len(x))
						e.Gradient(x, nil, 1, 1, g)
						return g
					}
			}
			f, _ := density(bind([]int{0, 1, 2, 3}, 0))
			n := 0
			for _, p := range c.Spec.Params {
				n += p.StateLen(map[string]int{})
			}
			x := make([]float64, n)
			for i := range x {
				x[i] = 0.3 * math.Cos(float64(3*i+1))
			}
			want := f(x)
			for _, padding := range []float64{7, math.NaN(), math.Inf(1)} {
				g, _ := density(bind([]int{0, 1, 2, 3}, padding))
				if got := g(x); math.IsNaN(want) || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("log density %v with padding %v, %v with 0", got, padding, want)
				}
			}
			if name != "sums over all" {
				prior, _ := density(bind(nil, 0))
				sum := prior(x)
				for r := range s {
					one, _ := density(bind([]int{r}, 0))
					sum += one(x) - prior(x)
				}
				if math.Abs(sum-want) > 1e-10*(1+math.Abs(want)) {
					t.Errorf("log density %v, its rows alone give %v", want, sum)
				}
			}
			_, rough := density(bind([]int{0, 1, 2, 3}, math.NaN()))
			g := rough(x)
			for i := range x {
				const h = 1e-6
				up, down := append([]float64(nil), x...), append([]float64(nil), x...)
				up[i] += h
				down[i] -= h
				if d := (f(up) - f(down)) / (2 * h); math.Abs(d-g[i]) > 1e-6*(1+math.Abs(d)) {
					t.Errorf("gradient[%d] = %v, differences give %v", i, g[i], d)
				}
			}
		})
	}
}

package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// A continuous local joins the unknowns: the density is that of the model
// which declares it as a param of every row.
func TestJoinedLocals(t *testing.T) {
	for name, texts := range map[string][2]string{
		"numbers": {`
dim N
data y[N] : real
param m : real ~ normal(0, 1)
for n in N {
  local a : real ~ normal(m, 1)
  local s[2] : positive ~ normal(m, 2)
  y[n] ~ normal(a, s[0] + s[1])
}`, `
dim N
data y[N] : real
param m : real ~ normal(0, 1)
param a[N] : real ~ normal(m, 1)
param s[N, 2] : positive ~ normal(m, 2)
for n in N { y[n] ~ normal(a[n], s[n, 0] + s[n, 1]) }`},
		"simplexes and spheres": {`
dim N
data y[N] : index[3]
data x[N] : real[2]
param alpha : simplex[3] ~ dirichlet(1)
for n in N {
  local theta : simplex[3] ~ dirichlet(5 * alpha)
  local u : sphere[2] ~ vmf(normalize([1, 1]), 2)
  y[n] ~ categorical(theta)
  x[n] ~ normal(u, 1)
}`, `
dim N
data y[N] : index[3]
data x[N] : real[2]
param alpha : simplex[3] ~ dirichlet(1)
param theta[N] : simplex[3]
param u[N] : sphere[2] ~ vmf(normalize([1, 1]), 2)
for n in N {
  theta[n] ~ dirichlet(5 * alpha)
  y[n] ~ categorical(theta[n])
  x[n] ~ normal(u[n], 1)
}`},
	} {
		t.Run(name, func(t *testing.T) {
			var f [2]float64
			var g [2][]float64
			for i, text := range texts {
				c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
				if c == nil {
					t.Fatal(diags[0].Message)
				}
				const n = 4
				b := &data.Bound{Dims: map[string]int{"N": n}, Values: map[string]*data.Value{}}
				for _, in := range c.Spec.Schema.Inputs {
					v := make([]float64, n*2)
					for k := range v {
						v[k] = float64(k % 3)
					}
					if len(in.Shape) == 1 {
						b.Values[in.Name] = data.Dense(v[:n], n)
					} else {
						b.Values[in.Name] = data.Dense(v, n, 2)
					}
				}
				m, err := c.VM(b, nil)
				if err != nil {
					t.Fatal(err)
				}
				x := make([]float64, m.Dim())
				for k := range x {
					x[k] = 0.7 * math.Cos(float64(k))
				}
				g[i] = make([]float64, len(x))
				f[i] = m.Evaluator(0).LogDensity(x, nil, 1, 1)
				m.Evaluator(0).Gradient(x, nil, 1, 1, g[i])
			}
			if !near(f[0], f[1], 1e-12) || len(g[0]) != len(g[1]) {
				t.Fatalf("density %v with locals, %v with params", f[0], f[1])
			}
			for k := range g[0] {
				if !near(g[0][k], g[1][k], 1e-10) {
					t.Errorf("gradient[%d] %v with locals, %v with params", k, g[0][k], g[1][k])
				}
			}
		})
	}
}

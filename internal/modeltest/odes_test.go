package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Differential equations: alone, in plates, in every row, of numbers and of matrices, stiff.
func init() {
	for name, text := range map[string]string{
		"an ode of two numbers": `
dim N
data y[N] : positive[2]
param theta : positive[4] ~ lognormal(0, 0.3)
param z0 : positive[2] ~ lognormal(0, 0.3)
fn f(t : real, z : real[2]) -> real[2] {
  [(theta[0] - theta[1] * z[1]) * z[0], (-theta[2] + theta[3] * z[0]) * z[1]]
}
let z = ode(f, z0, 0, [0.3 * (n + 1) for n in N], rtol = 1e-9, atol = 1e-9)
y ~ lognormal(log(z), 0.3)`,
		"an ode of one number that reads the time": `
dim N
data y[N] : real
param a, b : real ~ normal(0, 0.5)
fn f(t : real, z : real, a : real) -> real { -a * z + sin(t) }
let z = ode(f, b, -1, [0.5 * n for n in N], a, rtol = 1e-9, atol = 1e-9)
y ~ normal(z, 1)`,
		"a stiff ode": `
dim N
data y[N] : real
param k : positive ~ lognormal(3, 0.1)
param b : real ~ normal(0, 0.5)
fn f(t : real, z : real[2]) -> real[2] { [-k * (z[0] - cos(t)) + z[1], -z[1]] }
let z = ode(f, [b, 1], 0, [0.5 * n for n in N], rtol = 1e-9, atol = 1e-9, stiff = true)
y ~ normal([z[n, 0] for n in N], 1)`,
		"an ode for every row": `
dim N, T
data y[N, T] : real
data dose[N] : positive
param k[2] : positive ~ lognormal(0, 0.3)
fn f(t : real, z : real[2], k : real[2]) -> real[2] { [-k[0] * z[0], k[0] * z[0] - k[1] * z[1]] }
for n in N {
  let z = ode(f, [dose[n], 0], 0, [0.4 * (t + 1) for t in T], k, rtol = 1e-9, atol = 1e-9)
  for t in T { y[n, t] ~ normal(z[t, 1], 1) }
}`,
		"an ode for every subject with its own rate": `
dim S, T
data y[S, T] : real
param k[S] : positive ~ lognormal(0, 0.3)
param a : positive ~ lognormal(0, 0.3)
fn f(t : real, z : real, k : real) -> real { -k * z + a }
for s in S, t in T { y[s, t] ~ normal(ode(f, k[s] + 1, 0, [0.4 * (i + 1) for i in T], k[s], rtol = 1e-9, atol = 1e-9)[t], 1) }`,
		"one entry of a stiff ode in one case of a step, all entries in the other": `
dim N
data y[N] : real
data at[N] : positive
param k, m : positive ~ lognormal(0, 0.3)
fn f(t : real, z : real[2], k : real, m : real) -> real[2] { [-k * z[0], k * z[0] - m * z[1]] }
let z = scan n in N from before = ones(2) {
  [if 0 == i and at[n] > 0.5 then ode(f, before, 0, [at[n]], k, m, rtol = 1e-9, atol = 1e-9, stiff = true)[0, 0] + at[n]
   else ode(f, before, 0, [at[n]], k, m, rtol = 1e-9, atol = 1e-9, stiff = true)[0, i] for i in 2]
}
y ~ normal([z[n + 1, 0] - z[n + 1, 1] for n in N], 1)`,
		"an ode of a matrix": `
dim N, K
data y[N] : real
param A[K, K] : real ~ normal(0, 0.3)
fn f(t : real, Z : real[K, K]) -> real[K, K] { A @ Z }
let Z = ode(f, identity(K), 0, [0.3 * n for n in N], rtol = 1e-9, atol = 1e-9)
y ~ normal([sum(Z[n]) for n in N], 1)`,
		"an ode with a constant slope": `
dim N
data y[N] : real
param a, b : real ~ normal(0, 1)
fn f(t : real, z : real) -> real { a }
y ~ normal(ode(f, b, 0, [0.3 * n for n in N]), 1)`,
		"a scan in the slope of an ode": `
dim N
data y[N] : real
param a : positive ~ lognormal(0, 0.3)
fn f(t : real, z : real[2], a : real) -> real[2] {
  let h = scan i in 3 from h = z { [0.5 * h[1] - a * h[0], tanh(h[0]) - h[1]] }
  h[3]
}
let z = ode(f, [1, 0.5], 0, [0.3 * n for n in N], a, rtol = 1e-9, atol = 1e-9)
y ~ normal([z[n, 0] for n in N], 1)`,
		"an ode in a scan": `
dim T
data y[T] : real
param a, b : real ~ normal(0, 0.3)
fn f(t : real, z : real, u : real) -> real { -z * (1 + a^2) + u }
let h = scan t in T from h = b { ode(f, h, 0, [0.5], y[t], rtol = 1e-9, atol = 1e-9)[0] }
factor -0.1 * sum(h[t]^2 for t in T + 1)`,
	} {
		tricky[name] = text
	}
}

// The density with a linear equation is that with its solution.
func TestLinearOde(t *testing.T) {
	for _, stiff := range []string{"false", "true"} {
		src := `
data ts[3] : real
data y[3] : real
param a, b : real ~ normal(0, 1)
fn f(t : real, z : real) -> real { -a * z + 1 }
y ~ normal(ode(f, b, 0, ts, rtol = 1e-10, atol = 1e-10, stiff = ` + stiff + `), 1)`
		c, diags := driver.Compile(source.New("model.sg", src), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		ts, y := []float64{0.5, 1, 3}, []float64{0.3, -0.2, 1}
		m, err := c.VM(bound(map[string]int{},
			map[string]*data.Value{"ts": data.Dense(ts, 3), "y": data.Dense(y, 3)}), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range [][]float64{{0.4, 1.2}, {1.5, -2}, {0.01, 0.3}} {
			want := 0.0
			normal := func(y, mu float64) { want += -0.5*(y-mu)*(y-mu) - 0.5*math.Log(2*math.Pi) }
			a, b := x[0], x[1]
			normal(a, 0)
			normal(b, 0)
			for i, s := range ts {
				normal(y[i], 1/a+(b-1/a)*math.Exp(-a*s))
			}
			if got := m.Evaluator(0).LogDensity(x, nil, 1, 1); math.Abs(got-want) > 1e-7 {
				t.Errorf("stiff %s: log density %v, want %v", stiff, got, want)
			}
		}
	}
}

// Times that fall are refused when the data come.
func TestOdeTimes(t *testing.T) {
	src := `
data ts[3] : real
param a : real
fn f(t : real, z : real) -> real { -a * z }
factor sum(ode(f, 1, 0.5, ts))`
	c, diags := driver.Compile(source.New("model.sg", src), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	for _, ts := range [][]float64{{0.5, 0.5, 2}, {0.4, 1, 2}, {1, 3, 2}} {
		_, err := c.VM(bound(map[string]int{}, map[string]*data.Value{"ts": data.Dense(ts, 3)}),
			nil)
		if good := ts[0] == 0.5; (err == nil) != good {
			t.Errorf("times %v: %v", ts, err)
		}
	}
}

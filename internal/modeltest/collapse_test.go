package modeltest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Models with unknowns that are integrated out, by the pair and what is
// special. The integral of the same model without `by collapse` over these is
// the density of the model with it.
var collapseModels = map[string]string{
	"dirichlet-categorical of a row": `
dim N, T
data w[N, T] : index[3]
param a : positive ~ gamma(2, 1)
for n in N {
  local theta : simplex[3] ~ dirichlet(1 + a) by collapse
  for t in T { w[n, t] ~ categorical(theta) }
}`,
	"dirichlet-categorical chosen by data": `
dim N, J
data w[N] : index[2]
data g[N] : index[J]
data v[J] : index[2]
param a[J, 2] : positive ~ gamma(2, 1)
param theta[J] : simplex[2] ~ dirichlet(a) by collapse
for n in N { w[n] ~ categorical(theta[g[n]]) }
for j in J { v[j] ~ categorical(theta[j]) }`,
	"dirichlet-categorical in ragged rows": `
dim S, T(S)
data w[S, T] : index[2]
param a[2] : positive ~ gamma(2, 1)
for s in S {
  local theta : simplex[2] ~ dirichlet(a) by collapse
  for t in T { w[s, t] ~ categorical(theta) }
}`,
	"vmf-vmf of directions that are unknown": `
dim K
data m : sphere[2]
param kappa : positive ~ gamma(2, 1)
param mu : sphere[2] ~ vmf(m, kappa) by collapse
param beta[K] : sphere[2] ~ vmf(mu, 1 + kappa)
for k in K { factor beta[k, 0] }`,
	"vmf-vmf in space": `
dim N
data x[N] : sphere[3]
data c[N] : positive
param kappa : positive ~ gamma(2, 1)
param mu : sphere[3] ~ vmf(normalize([1, 2, -1]), 1.5) by collapse
for n in N { x[n] ~ vmf(mu, kappa * c[n]) }`,
	"uniform_sphere-vmf of groups": `
dim N, J
data x[N] : sphere[2]
data g[N] : index[J]
param kappa : positive ~ gamma(2, 1)
param mu[J] : sphere[2] ~ uniform_sphere() by collapse
for n in N { x[n] ~ vmf(mu[g[n]], kappa) }`,
	"gamma-exponential of a row": `
dim N, T
data y[N, T] : positive
data e[N] : positive
data k[N] : count
param a : positive ~ gamma(2, 1)
for n in N {
  local u : positive ~ gamma(1 + a, a) by collapse
  for t in T { y[n, t] ~ exponential(u * e[n] / (1 + t)) }
  k[n] ~ poisson(2 * u)
}`,
	"vmf-vmf of a row": `
dim N, T
data x[N, T] : sphere[2]
param kappa : positive ~ gamma(2, 1)
param m : sphere[2] ~ uniform_sphere()
for n in N {
  local mu : sphere[2] ~ vmf(m, kappa) by collapse
  for t in T { x[n, t] ~ vmf(mu, 2) }
}`,
	"gamma-poisson of a row": `
dim N
data y[N], z[N] : count
data e[N] : positive
param a : positive ~ gamma(2, 1)
for n in N {
  local u : positive ~ gamma(1 + a, 2) by collapse
  y[n] ~ poisson(e[n] * u)
  z[n] ~ poisson(a * u / 2)
}`,
	"gamma-poisson shared": `
dim N, J
data y[N] : count
data e[N] : positive
data g[N] : index[J]
param a, b : positive ~ gamma(3, 1)
param u[J] : positive by collapse
u ~ gamma(1 + a, b)
y ~ poisson(e * u[g])`,
	"beta-bernoulli and beta-binomial": `
dim N, J
data y[N] : bool
data t[J] : count
data z[J] : count
data g[N] : index[J]
param a, b : positive ~ gamma(3, 1)
param p[J] : unit ~ beta(1 + a, 1 + b) by collapse
for n in N { y[n] ~ bernoulli(p[g[n]]) }
for j in J { z[j] ~ binomial(t[j] + 6, p[j]) }`,
	"normal-normal by groups": `
dim N, J
data y[N] : real
data s[N] : positive
data x[N] : real
data g[N] : index[J]
param m, b : real ~ normal(0, 1)
param tau : positive ~ gamma(2, 2)
param u[J] : real ~ normal(m, tau) by collapse
for n in N { y[n] ~ normal(b * x[n] + u[g[n]], 1 + s[n]) }`,
	"normal-normal with slopes and two uses": `
dim N, J
data y[N] : real
data x[N] : real
data z[J] : real
data g[N] : index[J]
data treated[N] : bool
param m, b : real ~ normal(0, 1)
param s : positive ~ gamma(3, 2)
param u[J] : real ~ normal(m, 0.7) by collapse
for n in N {
  let effect = if treated[n] then u[g[n]] else 0
  y[n] ~ normal(b + x[n] * u[g[n]] - (1 + u[g[n]]) / 2 + effect, 0.5 + s)
}
for j in 1:J { z[j] ~ normal(u[j - 1], s) }
z[0] ~ normal(2 * u[0], 1)`,
	"normal-normal and beta-binomial of some rows, without plates within": `
dim N, T
data y[N, T] : real
data t[N], k[N, T] : count
param m : real ~ normal(0, 1)
param a : positive ~ gamma(3, 1)
for n in 1:N {
  local u : real ~ normal(m, 1) by collapse
  local p[T] : unit ~ beta(a, a) by collapse
  y[n] ~ normal(m + 2 * u, a)
  k[n] ~ binomial(t[n - 1] + 6, p)
}`,
	"dirichlet-categorical of rows of different lengths, without plates within (ragged)": `
dim S, T(S)
data w[S, T] : index[2]
data y[S, T] : real
param a[2] : positive ~ gamma(2, 1)
for s in S {
  local theta : simplex[2] ~ dirichlet(a) by collapse
  local u : real ~ normal(a[0], 1) by collapse
  w[s] ~ categorical(theta)
  y[s] ~ normal(u, a[1])
}`,
	"gamma-poisson and dirichlet-categorical chosen by data of rows of their own lengths": `
dim S, T(S), J
data k[S, T] : count
data w[S, T] : index[2]
data g[S, T] : index[J]
param a : positive ~ gamma(3, 1)
param u[J] : positive ~ gamma(a, 1) by collapse
param theta[J] : simplex[2] ~ dirichlet(a) by collapse
for s in S {
  for t in T {
    k[s, t] ~ poisson(u[g[s, t]])
    w[s, t] ~ categorical(theta[g[s, t]])
  }
}`,
	"normal-normal chosen twice": `
dim N, J, K
data y[N] : real
data g[N] : index[J]
data h[N] : index[K]
param s : positive ~ gamma(3, 2)
param u[J, K] : real ~ normal(s, 0.7) by collapse
for n in N { y[n] ~ normal(u[g[n], h[n]], s) }`,
	"normal-normal of a row with a class": `
dim N, T
data y[N, T] : real
param p : unit
param m, b : real ~ normal(0, 1)
for n in N {
  local z : bool ~ bernoulli(p) by marginal
  local u : real ~ normal(if z then m else -1, 1 + z) by collapse
  for t in T { y[n, t] ~ normal(u + b * z, 1.5) }
}`,
}

func init() {
	for name, text := range collapseModels {
		tricky["collapse, "+name] = text
		if strings.Contains(name, "ragged") {
			raggedModels["collapse, "+name] = text
		}
	}
}

// Every pair has a model.
func TestCollapsePairs(t *testing.T) {
	for _, p := range check.Pairs {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(collapseModels)), func(name string) bool {
			return strings.Contains(name, p.Name())
		}) {
			t.Errorf("no model of the pair %s", p.Name())
		}
	}
}

func TestCollapseIsTheIntegral(t *testing.T) {
	for name, text := range collapseModels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bindTo := func(text string) (*driver.Compiled, *model.Model) {
				c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
				if c == nil {
					t.Fatal(diags[0].Message)
				}
				dims := sized(&c.Spec.Schema, "", true)
				m, err := c.VM(randomData(&c.Spec.Schema, dims, rand.New(rand.NewPCG(11, 3))), nil)
				if err != nil {
					t.Fatal(err)
				}
				return c, m
			}
			_, got := bindTo(text)
			_, joint := bindTo(strings.ReplaceAll(text, " by collapse", ""))
			x := make([]float64, got.Dim())
			r := rand.New(rand.NewPCG(5, 5))
			for i := range x {
				x[i] = 0.5 * r.NormFloat64()
			}
			for _, b := range got.Blocks() {
				d := pointSize(&b)
				for i := b.Offset; b.Geometry.Kind == "sphere" && i < b.Offset+b.Len; i += d {
					whole(data.Sphere, x[i:i+d])
				}
			}
			want := integral(t, joint, got.Blocks(), x)
			if f := got.Evaluator(0).LogDensity(x, nil, 1, 1); !near(f, want, 1e-7) {
				t.Errorf("the density is %.10g, the integral %.10g", f, want)
			}
		})
	}
}

// pointSize is how many numbers of a block make one of its points.
func pointSize(b *target.Block) int { return b.Len / max(1, b.Geometry.Points) }

// integral is the log of the integral of a density over the blocks that have
// no place among those of a point x: each point of a block by itself, since
// given all others they are independent.
func integral(t *testing.T, m *model.Model, blocks []target.Block, x []float64) float64 {
	t.Helper()
	full := make([]float64, m.Dim())
	var out []target.Block
	for _, b := range m.Blocks() {
		i := slices.IndexFunc(blocks, func(o target.Block) bool { return o.Name == b.Name })
		if i < 0 {
			out = append(out, b)
			for k := b.Offset; b.Geometry.Kind == "sphere" &&
				k < b.Offset+b.Len; k += pointSize(&b) {
				full[k] = 1
			}
			continue
		}
		copy(full[b.Offset:b.Offset+b.Len], x[blocks[i].Offset:])
	}
	e := m.Evaluator(0)
	at := e.LogDensity(full, nil, 1, 1)
	total := at
	for _, b := range out {
		d := pointSize(&b)
		for i := b.Offset; i < b.Offset+b.Len; i += d {
			p := full[i : i+d]
			kept := slices.Clone(p)
			sum := 0.0
			quadrature(p, b.Geometry.Kind == "sphere", func(weight float64) {
				sum += weight * math.Exp(e.LogDensity(full, nil, 1, 1)-at)
			})
			copy(p, kept)
			total += math.Log(sum)
		}
	}
	return total
}

// quadrature sets p to the points of a rule for R, R², the circle or the
// sphere. On the lines and circles it is the trapezoidal rule, whose error is
// exponentially small; on the sphere heights are by Gauss-Legendre.
func quadrature(p []float64, sphere bool, f func(weight float64)) {
	line := func(reach, h float64, g func(x float64)) {
		for k := -int(reach / h); k <= int(reach/h); k++ {
			g(float64(k) * h)
		}
	}
	switch {
	case sphere && len(p) == 2:
		const n = 200
		for k := range n {
			p[1], p[0] = math.Sincos(2 * math.Pi * float64(k) / n)
			f(2 * math.Pi / n)
		}
	case sphere:
		const n = 60
		for i := range n {
			z, w := legendre(n, i)
			for k := range n {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
				p[0], p[1], p[2] = math.Sqrt(1-z*z)*cos, math.Sqrt(1-z*z)*sin, z
				f(w * 2 * math.Pi / n)
			}
		}
	case len(p) == 1:
		line(60, 0.1, func(x float64) { p[0] = x; f(0.1) })
	default:
		line(16, 0.25, func(x float64) {
			p[0] = x
			line(16, 0.25, func(y float64) { p[1] = y; f(0.25 * 0.25) })
		})
	}
}

// legendre is node i of the Gauss-Legendre rule of n points on (-1, 1), by
// Newton's method on the recurrence of the polynomials, and its weight.
func legendre(n, i int) (x, weight float64) {
	x = math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
	for range 20 {
		p, q := 1.0, 0.0
		for k := 1; k <= n; k++ {
			p, q = (float64(2*k-1)*x*p-float64(k-1)*q)/float64(k), p
		}
		d := float64(n) * (x*p - q) / (x*x - 1)
		x -= p / d
		weight = 2 / ((1 - x*x) * d * d)
	}
	return x, weight
}

// Of several unknowns, of which a class of the row chooses one, the others
// integrate to 1: the model is that of one.
func TestCollapseOfAClass(t *testing.T) {
	sameModel(t, `
dim N, T
data w[N, T] : index[2]
data k[N] : count
data f[N, T] : index[3]
param a, c : real ~ normal(0, 1)
for n in N {
  local z : index[2] ~ categorical([0.3, 0.7]) by marginal
  local theta[2, 3] : simplex[2] ~ dirichlet([exp(a), 1]) by collapse
  local rate[2] : positive ~ gamma(exp(c), 1) by collapse
  for t in T { w[n, t] ~ categorical(theta[z, f[n, t]]) }
  k[n] ~ poisson((1 + z) * rate[z])
}`, `
dim N, T
data w[N, T] : index[2]
data k[N] : count
data f[N, T] : index[3]
param a, c : real ~ normal(0, 1)
for n in N {
  local z : index[2] ~ categorical([0.3, 0.7]) by marginal
  local theta[3] : simplex[2] ~ dirichlet([exp(a), 1]) by collapse
  local rate : positive ~ gamma(exp(c), 1) by collapse
  for t in T { w[n, t] ~ categorical(theta[f[n, t]]) }
  k[n] ~ poisson((1 + z) * rate)
}`)
	// The class itself, and one word of it.
	sameModel(t, `
dim N, K
data y[N] : real
data w[N] : index[K]
param alpha[K] : positive ~ gamma(2, 1)
param mu[K] : real ~ normal(0, 1)
for n in N {
  local theta : simplex[K] ~ dirichlet(alpha) by collapse
  local z : index[K] ~ categorical(theta) by marginal
  y[n] ~ normal(mu[z], 1)
}`, `
dim N, K
data y[N] : real
data w[N] : index[K]
param alpha[K] : positive ~ gamma(2, 1)
param mu[K] : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical(alpha / sum(alpha))
  y[n] ~ normal(mu[z], 1)
}`)
}

// sameModel compares two texts of one density, whose rows can be drawn.
func sameModel(t *testing.T, texts ...string) {
	t.Helper()
	var f []float64
	for _, text := range texts {
		c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		if c.Spec.RowDim != "N" {
			t.Error("N cannot be drawn")
		}
		m, x := bindRandom(t, c, sized(&c.Spec.Schema, "N", false), 3)
		checkGradient(t, m, x)
		checkRows(t, m, x)
		f = append(f, m.Evaluator(0).LogDensity(x, nil, 1, 1))
	}
	if !near(f[0], f[1], 1e-12) {
		t.Errorf("the densities are %v and %v", f[0], f[1])
	}
}

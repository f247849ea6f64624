package latent_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A localCase is a model whose gradient, averaged over the chain of its locals,
// must be the mean over their exact posterior.
type localCase struct {
	name, text string
	data       map[string]*data.Value
	// values of a discrete local, by its name; a continuous one is integrated on a
	// grid of its coordinates from −span to span.
	values map[string]int
	span   float64
	points int // of the grid, of each coordinate (400)
	sphere int // a local is a point of the sphere of so many coordinates, one a row
}

var localCases = []localCase{
	{name: "a category", text: `
dim N, K = 3
data y[N] : real
param mu[K] : real ~ normal(0, 2)
param w[K] : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical_logit(w) by gibbs
  y[n] ~ normal(mu[z], 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 2}, 3)},
		values: map[string]int{"z": 3}},
	{name: "two that depend on each other", text: `
dim N
data y[N] : real
param mu[2, 3] : real ~ normal(0, 2)
param w[3, 2] : real ~ normal(0, 1)
param v[3] : real ~ normal(0, 1)
for n in N {
  local a : index[3] ~ categorical_logit(v) by gibbs
  local b : bool ~ bernoulli_logit(w[a, 0]) by gibbs
  y[n] ~ normal(if b then mu[1, a] else mu[0, a], 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 2}, 3)},
		values: map[string]int{"a": 3, "b": 2}},
	{name: "bits of a predictor", text: `
dim N, K = 4
data y[N] : real
param w[K], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ normal(w @ h, 0.7)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.8, -0.5}, 2)},
		values: map[string]int{"h": 2}},
	{name: "a belief network", text: `
dim N, V = 3
data y[N, V] : bool
param U[2, 3], W[3, V] : real ~ normal(0, 1)
param c[2] : real ~ normal(0, 1)
for n in N {
  local top[2] : bool ~ bernoulli_logit(c) by gibbs
  local h[3] : bool ~ bernoulli_logit(top @ U) by gibbs
  y[n] ~ bernoulli_logit(h @ W)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 0, 1, 0, 0, 1}, 2, 3)},
		values: map[string]int{"top": 2, "h": 2}},
	{name: "neighbours", text: `
dim N, T = 4
data y[N, T] : real
param j, s : real ~ normal(0, 1)
for n in N {
  local h[T] : bool ~ bernoulli(0.4) by gibbs
  factor j * sum(h[t] * h[t + 1] for t in 0:(T - 1))
  y[n] ~ normal(s * h, 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 0.4, 1, -1, 0, 2, 0.3, 1}, 2, 4)},
		values: map[string]int{"h": 2}},
	{name: "words of ragged rows", text: `
dim N, W(N), V = 3, K = 2
data w[N, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
param a[K] : real ~ normal(0, 1)
for n in N {
  for i in W {
    local z : index[K] ~ categorical_logit(a) by gibbs
    w[n, i] ~ categorical_logit(eta[z])
  }
}`, data: map[string]*data.Value{"w": data.Ragged([]float64{0, 1, 1, 2, 2}, [][]int{{2}, {3, 2}})},
		values: map[string]int{"z": 2}},
	{name: "a real", text: `
dim N
data y[N] : real
param mu, s : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(mu, exp(s)) by gmc
  y[n] ~ student_t(3, u, 0.5)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 2}, 3)}, span: 8},
	{name: "a real beyond where exp is finite", text: `
dim N
data y[N] : real
param w, mu : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(300 * mu, 300) by gmc
  y[n] ~ normal(if u < 0 then w * exp(u) else w, 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, -1}, 2)}, span: 2400, points: 12000},
	{name: "a rate and a bit", text: `
dim N
data y[N] : count
param a, b : real ~ normal(0, 1)
for n in N {
  local rate : positive ~ gamma(exp(a) + 1, 1) by gmc
  local spike : bool ~ bernoulli_logit(b) by gibbs
  y[n] ~ poisson(if spike then rate + 3 else rate)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0, 2, 5}, 3)},
		values: map[string]int{"spike": 2}, span: 6},
	{name: "a simplex and its words", text: `
dim N, W, V = 3, K = 2
data w[N, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for n in N {
  local theta : simplex[K] ~ dirichlet(0.8) by gmc
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[n, i] ~ categorical_logit(eta[z])
  }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 1, 2, 2, 0}, 2, 3)},
		values: map[string]int{"z": 2}, span: 16},
	{name: "an urn", text: `
dim N, W, V = 3, K = 2
data w[N, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for n in N {
  local theta : simplex[K] ~ dirichlet(0.8) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta)
    w[n, i] ~ categorical_logit(eta[z])
  }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 1, 2, 2, 0, 0, 0}, 2, 4)},
		values: map[string]int{"z": 2}},
	{name: "an urn of ragged rows with plates in plates", text: `
dim N, S = 2, W(N), V = 3, K = 2
data w[N, W, S] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for n in N {
  local theta : simplex[K] ~ dirichlet(0.8) by collapse
  for i in W {
    for s in S {
      local z : index[K] ~ categorical(theta) by gibbs
      w[n, i, s] ~ categorical_logit(eta[z])
    }
  }
}`, data: map[string]*data.Value{"w": data.Ragged([]float64{0, 1, 1, 2, 2, 0},
		[][]int{{2}, {2, 1}, {2, 2, 2}})}, values: map[string]int{"z": 2}},
	{name: "an urn for every group of a row", text: `
dim N, S = 2, W = 3, V = 3, K = 2
data w[N, S, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for n in N {
  for s in S {
    local theta : simplex[K] ~ dirichlet(0.8) by collapse
    for i in W {
      local z : index[K] ~ categorical(theta) by gibbs
      w[n, s, i] ~ categorical_logit(eta[z])
    }
  }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 1, 2, 2, 0}, 1, 2, 3)},
		values: map[string]int{"z": 2}},
	{name: "a coin and its tosses", text: `
dim N, W
data w[N, W] : real
param m : real ~ normal(0, 1)
param a, b : positive ~ gamma(2, 2)
for n in N {
  local p : unit ~ beta(a, b) by collapse
  for i in W {
    local z : bool ~ bernoulli(p) by gibbs
    w[n, i] ~ normal(if z then m else -m, 1)
  }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0.5, 1, -1, 2, 2, 0, -0.4, 0}, 2, 4)},
		values: map[string]int{"z": 2}},
	{name: "a direction", text: `
dim N
data v[N, 2] : sphere[3]
param mu : sphere[3]
param k : positive ~ gamma(2, 1)
for n in N {
  local u : sphere[3] ~ vmf(mu, k) by gmc
  v[n] ~ vmf(u, 2)
}`, data: map[string]*data.Value{"v": data.Dense([]float64{1, 0, 0, 0, 0.6, 0.8, 0, 1, 0, 0, 0, 1},
		2, 2, 3)}, sphere: 3},
	{name: "an array coupled both ways", text: `
dim N, A = 2, B = 2
data q[N] : real
param mu, v : real ~ normal(0, 1)
for n in N {
  local z[A, B] : bool by gibbs
  factor mu * sum(z[a, 0] * z[a, 1] for a in A) + v * sum(z[0, b] * z[1, b] for b in B)
  q[n] ~ normal(v * z[0, 0] + mu * z[1, 1], 1)
}`, data: map[string]*data.Value{"q": data.Dense([]float64{0.5, 1}, 2)},
		values: map[string]int{"z": 2}},
	{name: "an index of another local", text: `
dim N, K = 2
data y[N, 3] : real
param p[K] : real ~ normal(0, 1)
param q[3] : real ~ normal(0, 1)
param s : real ~ normal(0, 1)
for n in N {
  local z[3] : index[K] ~ categorical_logit(p) by gibbs
  local c : index[3] ~ categorical_logit(q) by gibbs
  y[n] ~ normal(s * (z[c] + 1), 1)
  factor p[z[c]]
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 1, 0, 1, 2}, 2, 3)},
		values: map[string]int{"z": 2, "c": 3}},
	{name: "an index of a continuous one and of data", text: `
dim N, K = 2
data y[N] : real
data x[N, K] : real
param p[K] : real ~ normal(0, 1)
param s : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical_logit(p) by gibbs
  local u[K] : real ~ normal(s, 1) by gmc
  y[n] ~ normal(u[z] + s * x[n, z], 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2}, 2),
		"x": data.Dense([]float64{1, 2, -1, 0}, 2, 2)}, values: map[string]int{"z": 2}, span: 8,
		points: 160},
	{name: "rows without entries", text: `
dim N, W(N)
data y[N, W] : real
param mu, s : real ~ normal(0, 1)
for n in N {
  for i in W {
    local u : real ~ normal(mu, exp(s)) by gmc
    y[n, i] ~ student_t(3, u, 0.5)
  }
}`, data: map[string]*data.Value{"y": data.Ragged([]float64{0, 1}, [][]int{{3}, {0, 2, 0}})},
		span: 8, points: 160},
	{name: "an interval with ends of data and params", text: `
dim N
data y[N], lo[N] : real
param m : real ~ normal(0, 1)
param w : positive ~ gamma(2, 1)
for n in N {
  local u : interval(lo[n], lo[n] + w) ~ normal(m, 1) by gmc
  y[n] ~ normal(u, 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2}, 2),
		"lo": data.Dense([]float64{-1, 0}, 2)}, span: 12, points: 400},
	{name: "a correlation", text: `
dim N
data y[N, 2] : real
param m : positive ~ gamma(1, 1)
for n in N {
  local L : corr_chol[2] ~ lkj_corr_cholesky(m) by gmc
  y[n] ~ multi_normal_cholesky(0, L)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, 1.2, -1, 0}, 2, 2)}, span: 10},
	{name: "a point of the circle", text: `
dim N
data v[N] : real
param k : positive ~ gamma(2, 1)
for n in N {
  local u : sphere[2] by gmc
  v[n] ~ normal(k * u[0], 1)
}`, data: map[string]*data.Value{"v": data.Dense([]float64{1, 0}, 2)}, sphere: 2},
	{name: "a square of a count", text: `
dim N, W = 3
data w[N, W] : real
param mu[2] : real ~ normal(0, 1)
for n in N {
  local z[W] : index[2] by gibbs
  let c = sum(if z[i] == 1 then 1 else 0 for i in W)
  factor mu[0] * c * c + lgamma(c + 2) - mu[1] * c
  for i in W { w[n, i] ~ normal(mu[z[i]], 1) }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 1, 2, 2, 0}, 2, 3)},
		values: map[string]int{"z": 2}},
	{name: "a hidden Markov chain", text: `
dim N, T = 3, K = 2
data y[N, T] : real
param A[K, K] : real ~ normal(0, 1)
param m[K] : real ~ normal(0, 1)
for n in N {
  local z[T] : index[K] by gibbs
  for t in 0:(T - 1) { z[t + 1] ~ categorical_logit(A[z[t]]) }
  y[n] ~ normal(m[z], 1)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0.3, -1.2, 1, 0, 1, 2}, 2, 3)},
		values: map[string]int{"z": 2}},
	{name: "arrays in nested plates", text: `
dim N, A = 2, B = 2, K = 2
data y[N, A] : real
param m[A, B, K], s[K] : real ~ normal(0, 1)
for n in N {
  for a in A {
    local z[B] : index[K] ~ categorical_logit(s) by gibbs
    y[n, a] ~ normal(sum(m[a, j, z[j]] for j in B), 1)
  }
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 2, 3, 0}, 2, 2)},
		values: map[string]int{"z": 2}},
	{name: "an urn picked by another local", text: `
dim N, W = 3, K = 3, J = 2
data w[N, W] : real
param m[K] : real ~ normal(0, 1)
for n in N {
  local th[J] : simplex[K] ~ dirichlet(0.7) by collapse
  for i in W {
    local q : index[J] by gibbs
    local z : index[K] ~ categorical(th[q]) by gibbs
    w[n, i] ~ normal(m[z], 1)
  }
}`, data: map[string]*data.Value{"w": data.Dense([]float64{0, 1, 2}, 1, 3)},
		values: map[string]int{"z": 3, "q": 2}},
}

// TestLocalPosterior: for every kind of local, the gradient averaged over the
// chain is the exact one within Monte Carlo error.
func TestLocalPosterior(t *testing.T) {
	for _, c := range localCases {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) { testLocal(t, c) })
	}
}

func testLocal(t *testing.T, c localCase) {
	compiled, diags := driver.Compile(source.New("m.sg", c.text+"\n"),
		driver.Options{Sampled: true})
	if compiled == nil {
		for _, d := range diags {
			t.Log(d.Message)
		}
		t.Fatal("does not compile")
	}
	bound, _, errs := data.Validate(&compiled.Spec.Schema, c.data, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := compiled.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = math.Sin(float64(2*i+1)) * 0.8
	}
	for _, b := range m.Blocks() {
		if b.Geometry.Kind == "sphere" {
			p := x[b.Offset : b.Offset+b.Len]
			length := math.Sqrt(kernel.Dot(p, p))
			for i := range p {
				p[i] /= length
			}
		}
	}
	e := m.Evaluator(4)
	e.Locals(target.LocalOptions{BurnIn: 30, Kept: 50, Leapfrog: 5}, 20140, 0)
	for row := range m.Rows() {
		exact := exactGradient(t, compiled, m, c, x, row)
		const visits = 100
		mean, square := make([]float64, m.Dim()), make([]float64, m.Dim())
		grad := make([]float64, m.Dim())
		for v := range 150 {
			e.Visit(uint64(v), v < 50) // the first tune the steps
			e.Gradient(x, []int{row}, 1, 1, grad)
			if v >= 50 {
				for i, g := range grad {
					mean[i] += g / visits
					square[i] += g * g / visits
				}
			}
		}
		for i := range exact {
			sd := math.Sqrt(max(0, square[i]-mean[i]*mean[i]) / visits)
			if z := (mean[i] - exact[i]) / (sd + 1e-9*(1+math.Abs(exact[i]))); math.Abs(z) > 4 ||
				math.IsNaN(z) {
				t.Errorf("row %d, coordinate %d: %v ± %v, exact %v", row, i, mean[i], sd, exact[i])
			}
		}
	}
}

// exactGradient is the mean of the gradient of a row over the posterior of its
// locals: a sum over all values of the discrete ones and a grid of the others.
func exactGradient(
	t *testing.T, c *driver.Compiled, m *model.Model, lc localCase, x []float64, row int,
) []float64 {
	t.Helper()
	code := &vm.Code{Spec: c.Spec, Programs: c.Table()}
	dims := map[string]int{model.BurnDim: 0, model.KeptDim: 1, model.ThinDim: 1, model.LeapsDim: 1}
	for name, n := range m.Dims {
		if _, ok := dims[name]; !ok {
			dims[name] = n
		}
	}
	density, gradient := code.Func("density", dims, 1), code.Func("gradient", dims, 1)
	whole := m.Frame()
	frame := &model.Frame{X: x, Scale: 1, Jacobian: 1, N: 1, Dense: slices.Clone(whole.Dense),
		Sparse: slices.Clone(whole.Sparse)}
	type digit struct {
		at     *float64
		values []float64
	}
	var digits []digit
	points := func(then func()) { then() }
	for i, d := range c.Spec.Data {
		if !d.Rows {
			continue
		}
		if d.Sparse {
			rows := &frame.Sparse[i]
			rows.Lo, rows.Hi, rows.Packed = rows.Lo[row:row+1], rows.Hi[row:row+1], nil
			continue
		}
		width := 1
		for k, p := range d.Shape {
			if n, _ := p.Eval(dims); k != d.Lead {
				width *= n
			}
		}
		if !d.Filled {
			frame.Dense[i] = whole.Dense[i][row*width : (row+1)*width]
			continue
		}
		frame.Dense[i] = make([]float64, width)
		name, isLocal := strings.CutPrefix(d.Name, model.LocalPrefix)
		if !isLocal {
			continue
		}
		if lc.sphere > 0 {
			points = spherePoints(frame.Dense[i])
			continue
		}
		var values []float64
		for v := range lc.values[name] {
			values = append(values, float64(v))
		}
		if lc.values[name] == 0 {
			n := cmp.Or(lc.points, 400)
			for k := range n {
				values = append(values, lc.span*(2*float64(k)/float64(n)-1))
			}
		}
		for k := range frame.Dense[i] {
			digits = append(digits, digit{&frame.Dense[i][k], values})
		}
	}
	var out [1]float64
	grad, total, best := make([]float64, m.Dim()), make([]float64, m.Dim()), math.Inf(-1)
	weight := 0.0
	var each func(k int)
	each = func(k int) {
		if k < len(digits) {
			for _, v := range digits[k].values {
				*digits[k].at = v
				each(k + 1)
			}
			return
		}
		frame.Out = out[:]
		density.Prepare(frame)
		density.Rows(frame)
		density.Finish(frame)
		frame.Out = grad
		gradient.Prepare(frame)
		gradient.Rows(frame)
		gradient.Finish(frame)
		if math.IsInf(out[0], -1) {
			return
		}
		if out[0] > best {
			shrink := math.Exp(best - out[0])
			best, weight = out[0], weight*shrink
			for i := range total {
				total[i] *= shrink
			}
		}
		w := math.Exp(out[0] - best)
		weight += w
		for i, g := range grad {
			if w > 0 {
				total[i] += w * g
			}
		}
	}
	points(func() { each(0) })
	for i := range total {
		total[i] /= weight
	}
	return total
}

// spherePoints puts points of the circle, or of the sphere in R^3, into x, evenly
// by area: a grid of the height and of the longitude (Archimedes).
func spherePoints(x []float64) func(then func()) {
	return func(then func()) {
		if len(x) == 2 {
			for j := range 360 {
				x[1], x[0] = math.Sincos(2 * math.Pi * float64(j) / 360)
				then()
			}
			return
		}
		const n = 160
		for i := range n {
			h := (2*float64(i)+1)/n - 1
			for j := range n {
				angle := 2 * math.Pi * float64(j) / n
				x[0], x[1], x[2] = math.Sqrt(1-h*h)*math.Cos(angle),
					math.Sqrt(1-h*h)*math.Sin(angle), h
				then()
			}
		}
	}
}

package opt_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// lowered is the log density of a model text, before any pass.
func lowered(t *testing.T, text string) (*ir.Builder, *ir.Func) {
	t.Helper()
	file, diags := parser.Parse(source.New("m.sg", text))
	if diags.Errors() {
		t.Fatal(diags)
	}
	m := check.Check(file, check.Options{})
	if m.Diags.Errors() {
		t.Fatal(m.Diags)
	}
	low, diags := lower.Lower(m, lower.Options{})
	if diags.Errors() {
		t.Fatal(diags)
	}
	return low.B, low.Density(low.Joint())
}

// work counts the terms of all sums and contractions by level: in the steps of a
// chain, which change what theta is, once a row, and once a minibatch.
func work(f *ir.Func, inner func(*ir.Value) bool) (step, row, batch size.Poly) {
	in := map[*ir.Value]bool{}
	for _, v := range f.Values() {
		in[v] = inner(v)
		for _, a := range v.Args {
			in[v] = in[v] || in[a]
		}
		if v.Op != ir.OpSum && v.Op != ir.OpContract {
			continue
		}
		n := size.Const(1)
		var axes []*ir.Axis
		for _, x := range v.Args {
			axes = append(axes, ir.Without(x.Axes, axes)...)
		}
		for _, a := range axes {
			n = n.Mul(a.Size)
		}
		switch {
		case in[v]:
			step = step.Add(n)
		case v.AnyRows():
			row = row.Add(n)
		default:
			batch = batch.Add(n)
		}
	}
	return step, row, batch
}

func optimised(t *testing.T, b *ir.Builder, f *ir.Func) *ir.Func {
	t.Helper()
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	f, err := opt.Run(b, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// gradientOf is the gradient by one leaf, which must be all that is read of it.
func gradientOf(t *testing.T, b *ir.Builder, f *ir.Func, inner func(*ir.Value) bool) *ir.Func {
	t.Helper()
	var leaves []*ir.Value
	for _, v := range f.Values() {
		if inner(v) {
			leaves = append(leaves, v)
		}
	}
	if len(leaves) != 1 {
		t.Fatalf("%d leaves", len(leaves))
	}
	g, err := grad.Of(b, f.Outputs[0].Value, leaves)
	if err != nil {
		t.Fatal(err)
	}
	return optimised(t, b, &ir.Func{ID: fn.Gradient.ID(),
		Outputs: []ir.Output{{Name: "gradient", Value: g[0], Axes: leaves[0].Axes}}})
}

const sam = `
dim D, V, K = 20
data v[D] : sparse sphere[V]
data kappa : positive = 1000
data theta[D] : simplex[K]
param beta[K] : sphere[V]
for d in D { v[d] ~ vmf(normalize(theta[d] @ beta), kappa) }
`

// The spherical admixture model from its text: a step of θ takes K² multiplications,
// neither V nor the words of a document, and so does the gradient.
func TestReassociateSAM(t *testing.T) {
	b, raw := lowered(t, sam)
	inner := func(v *ir.Value) bool { return v.Op == ir.OpData && v.Name == "theta" }
	chain := opt.Chain{Inner: inner, Sizes: map[string]int{"K": 20}}
	if _, err := plan.Build(b, optimised(t, b, raw)); err != nil {
		t.Errorf("without reordering: %v", err)
	}
	if _, err := plan.Build(b, optimised(t, b, opt.Reassociate(b, raw, opt.Chain{}))); err != nil {
		t.Errorf("where nothing is inner: %v", err)
	}
	f := opt.Reassociate(b, raw, chain)
	density := optimised(t, b, f)
	if again := opt.Reassociate(b, density, chain); again != density {
		t.Errorf("once more:\n%s\nwas\n%s", again, density)
	}
	gradient := opt.Reassociate(b, gradientOf(t, b, density, inner), chain)
	d, k, v := size.Dim("D"), size.Dim("K"), size.Dim("V")
	kk := k.Mul(k)
	for _, c := range []struct {
		f    *ir.Func
		step size.Poly
	}{
		// θ G, times θ, and θ B; the sum over documents.
		{density, d.Mul(kk).Add(d.Mul(k)).Add(d.Mul(k)).Add(d)},
		// The gradient reads the same three, and no other.
		{gradient, d.Mul(kk).Add(d.Mul(k)).Add(d.Mul(k))},
	} {
		step, row, batch := work(c.f, inner)
		if !step.Equal(c.step) || !row.Equal(d.Mul(v).Mul(k)) || !batch.Equal(kk.Mul(v)) {
			t.Errorf("a step takes %s, a row %s, a minibatch %s\n%s", step, row, batch, c.f)
		}
		if _, err := plan.Build(b, optimised(t, b, c.f)); err != nil {
			t.Error(err)
		}
	}

	// The values are those of the text, and the gradient that of the values.
	const D, K, V = 5, 3, 11
	r := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.Float64()
		}
		return out
	}
	words := numbers(D * V)
	for i := range words {
		if i%3 > 0 {
			words[i] = 0
		}
	}
	theta := numbers(D * K)
	env := &ir.Env{Sizes: map[string]int{"D": D, "K": K, "V": V}, Rows: []int{0, 1, 2, 3, 4},
		State:  map[string][]float64{"beta": numbers(K * V)},
		Data:   map[string][]float64{"v": words, "kappa": {7}, "theta": theta},
		Scalar: map[string]float64{"scale": 1.5, "jacobian": 1}}
	value := func(f *ir.Func) float64 { return ir.Eval(f, env)["density"].Data[0] }
	if got, want := value(density), value(raw); math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("%v, by the text %v", got, want)
	}
	got := ir.Eval(gradient, env)["gradient"]
	for i := range theta {
		const h = 1e-5
		was := theta[i]
		theta[i] = was + h
		up := value(raw)
		theta[i] = was - h
		want := (up - value(raw)) / (2 * h)
		theta[i] = was
		if at := entry(got, i, []int{D, K}); math.Abs(at-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("∂/∂θ %d is %v, want %v", i, at, want)
		}
	}
}

// entry i of a in the order of the leaf, of which dims are the lengths, the rows first.
func entry(a ir.Array, i int, dims []int) float64 {
	if a.Axes[0].Rows {
		return a.Data[i]
	}
	return a.Data[i%dims[1]*dims[0]+i/dims[1]]
}

// Linear predictors and residuals of other models, by their text: what a step takes.
func TestReassociateModels(t *testing.T) {
	for _, c := range []struct{ name, text, step, gradient string }{
		{"factor analysis", `dim N, D, K = 10
data y[N, D] : real
data h[N, K] : real
param W[D, K] : real
param s : positive
for n in N { y[n] ~ normal(W @ h[n], s) }`, "K*K*N + 2*K*N + N", "K*K*N"},
		{"noise by entry", `dim N, D, K = 10
data y[N, D] : real
data h[N, K] : real
param W[D, K] : real
param s[D] : positive
for n in N { y[n] ~ normal(W @ h[n], s) }`, "K*K*N + 2*K*N + N", "K*K*N"},
		{"factor analysis with an offset", `dim N, D, K = 10
data y[N, D] : real
data h[N, K] : real
param W[D, K], c[D] : real
param s : positive
for n in N { y[n] ~ normal(W @ h[n] + c, s) }`, "K*K*N + 3*K*N + N", "K*K*N"},
		{"two layers without a bend", `dim N, D, K = 10, L = 300
data y[N, D] : real
data h[N, K] : real
param W[D, L], U[L, K] : real
for n in N { y[n] ~ normal(W @ (U @ h[n]), 1) }`, "K*K*N + 2*K*N + N", "2*K*K*N"},
		{"a belief network: every unit is read", `dim N, D, K = 10
data y[N, D] : bool
data h[N, K] : real
param W[D, K] : real
for n in N { y[n] ~ bernoulli_logit(W @ h[n]) }`, "D*K*N + D*N", "2*D*K*N"},
		{"Poisson rates sum", `dim N, D, K = 10
data y[N, D] : count
data h[N, K] : positive
param W[D, K] : positive
for n in N { y[n] ~ poisson(W @ h[n]) }`, "D*K*N + D*N", "2*D*K*N"},
	} {
		b, raw := lowered(t, c.text)
		inner := func(v *ir.Value) bool { return v.Op == ir.OpData && v.Name == "h" }
		chain := opt.Chain{Inner: inner, Sizes: map[string]int{"K": 10}}
		f := optimised(t, b, opt.Reassociate(b, raw, chain))
		step, row, batch := work(f, inner)
		if step.String() != c.step {
			t.Errorf("%s: a step takes %s, a row %s, a minibatch %s\n%s", c.name, step, row, batch, f)
		}
		gradient := optimised(t, b, opt.Reassociate(b, gradientOf(t, b, f, inner), chain))
		if step, _, _ := work(gradient, inner); step.String() != c.gradient {
			t.Errorf("%s: a step of the gradient takes %s\n%s", c.name, step, gradient)
		}
		if strings.Contains(c.name, "every") &&
			slices.ContainsFunc(f.Values(), func(v *ir.Value) bool { return v.Op == ir.OpRename }) {
			t.Error("something was done")
		}
	}
}

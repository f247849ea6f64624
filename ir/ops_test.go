package ir_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// domains are where the arguments of a map are tried when anything from −2 to
// 2 will not do.
var domains = map[string][][2]float64{
	"log": {{0.1, 3}}, "log1p": {{-0.9, 3}}, "sqrt": {{0.1, 3}}, "logit": {{0.05, 0.95}},
	"log1m_exp": {{-3, -0.1}},
	"asin":      {{-0.9, 0.9}}, "acos": {{-0.9, 0.9}}, "tan": {{-1.2, 1.2}}, "lgamma": {{0.2, 4}},
	"digamma":  {{0.2, 4}},
	"trigamma": {{0.2, 4}}, "lbeta": {{0.2, 4}, {0.2, 4}}, "vmf_log_constant": {{2, 3}, {0.2, 9}},
	"vmf_ratio": {{2, 3}, {0.2, 9}}, "lchoose": {{4, 9}, {0.5, 3.5}}, "pow": {{0.2, 2}, {-2, 2}},
	"polygamma": {{2, 3}, {0.2, 4}}, "normal_quantile": {{0.05, 0.95}},
	"log_gamma_p": {{0.2, 4}, {0.2, 5}}, "log_gamma_q": {{0.2, 4}, {0.2, 5}},
	"log_gamma_p_derivative": {{0.2, 4}, {0.2, 5}}, "log_gamma_q_derivative": {{0.2, 4}, {0.2, 5}},
	"log_beta_inc_logit":   {{0.2, 4}, {0.2, 4}, {-2, 2}},
	"log_beta_inc_logit_s": {{0.2, 4}, {0.2, 4}, {-2, 2}}, "log_student_t_cdf": {{0.3, 5}, {-2, 2}},
	"div": {{-2, 2}, {0.3, 2}}, "prod": {{0.3, 2}}, "mod": {{1, 9}, {1, 4}},
}

// A row of the table says what every user of it needs.
func TestOpTable(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range ir.Ops() {
		if seen[op.Name] {
			t.Errorf("two rows are called %s", op.Name)
		}
		seen[op.Name] = true
		if found, ok := ir.Lookup(op.Name); !ok || found != op {
			t.Errorf("Lookup(%s) finds another row", op.Name)
		}
		if op.Doc == "" {
			t.Errorf("%s has no doc", op.Name)
		}
		switch op.Class {
		case ir.Map:
			if op.Eval == nil || op.Partial == nil && op.NoGradient == "" {
				t.Errorf("%s lacks its function or its derivative", op.Name)
			}
			for i := range op.Arity {
				if !strings.Contains(op.Go, fmt.Sprintf("%%[%d]s", i+1)) {
					t.Errorf("the Go form of %s does not mention argument %d: %s", op.Name, i, op.Go)
				}
			}
			if strings.Contains(op.Go, fmt.Sprintf("%%[%d]s", op.Arity+1)) {
				t.Errorf("the Go form of %s mentions too many arguments", op.Name)
			}
		case ir.Reduce, ir.Move, ir.Product, ir.Random, ir.Structured:
			if (op.Adjoint == nil) == (op.NoGradient == "") {
				t.Errorf("%s needs either an adjoint or a reason why not", op.Name)
			}
		}
		if op.Commutes && op.Arity != 2 {
			t.Errorf("%s commutes with %d arguments", op.Name, op.Arity)
		}
	}
}

// walk makes values of an op on arguments with the axes given.
type walk struct {
	b      *ir.Builder
	r      *rand.Rand
	env    *ir.Env
	leaves []*ir.Value
}

func newWalk(seed uint64, dims map[string]int) *walk {
	return &walk{b: ir.NewBuilder(), r: rand.New(rand.NewPCG(seed, 1)),
		env: &ir.Env{Sizes: dims, State: map[string][]float64{}, Data: map[string][]float64{}}}
}

func (w *walk) leaf(domain [2]float64, axes ...*ir.Axis) *ir.Value {
	v := w.b.Leaf(ir.OpState, fmt.Sprintf("x%d", len(w.leaves)), axes...)
	n := 1
	for _, a := range axes {
		k, _ := a.Size.Eval(w.env.Sizes)
		n *= k
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = domain[0] + (domain[1]-domain[0])*w.r.Float64()
	}
	w.env.State[v.Name] = list
	w.leaves = append(w.leaves, v)
	return v
}

// differentiate compares the symbolic gradient of Σ sin(c + v) with central
// differences.
func (w *walk) differentiate(t *testing.T, what string, v *ir.Value) {
	t.Helper()
	b := w.b
	weight := b.Num(0.3)
	for i, a := range v.Axes {
		weight = b.Add(weight, b.Mul(b.Num(0.7+float64(i)), b.Iota(a)))
	}
	f := b.Sum(b.Mul(b.Map(ir.OpCos, weight), v), v.Axes...)
	cots, err := grad.Of(b, f, w.leaves)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	value := &ir.Func{ID: fn.ID{Kind: "f"}, Outputs: []ir.Output{{Name: "f", Value: f}}}
	g := &ir.Func{ID: fn.ID{Kind: "g"}}
	for i, x := range w.leaves {
		g.Outputs = append(g.Outputs,
			ir.Output{Name: x.Name, Value: b.Layout(w.full(cots[i], x.Axes), x.Axes), Axes: x.Axes})
	}
	if err := ir.Verify(g); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	got := ir.Eval(g, w.env)
	for _, x := range w.leaves {
		list := w.env.State[x.Name]
		for i, at := range list {
			const h = 1e-5
			list[i] = at + h
			up := ir.Eval(value, w.env)["f"].Data[0]
			list[i] = at - h
			down := ir.Eval(value, w.env)["f"].Data[0]
			list[i] = at
			want := (up - down) / (2 * h)
			if d := got[x.Name].Data[i]; !(math.Abs(d-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%s: ∂/∂%s[%d] = %v, differences give %v", what, x.Name, i, d, want)
				return
			}
		}
	}
}

// full gives a cotangent the axes of its leaf, which it may lack.
func (w *walk) full(v *ir.Value, axes []*ir.Axis) *ir.Value {
	for _, a := range ir.Without(axes, v.Axes) {
		v = w.b.Add(v, w.b.Mul(w.b.Num(0), w.b.Iota(a)))
	}
	return v
}

var tables = []map[string]int{{"A": 2, "B": 3, "C": 4}, {"A": 3, "B": 3, "C": 3}, {"A": 1, "B": 2,
	"C": 1}, {"A": 0, "B": 2, "C": 3}}

// The adjoint of every op, with axes missing from some arguments.
func TestAdjoints(t *testing.T) {
	for i, dims := range tables {
		seeds := uint64(1)
		if i == 0 { // where a mistake of one size for another shows
			seeds = 2
		}
		for _, op := range ir.Ops() {
			what := fmt.Sprintf("%s %v", op.Name, dims)
			switch {
			case op.Class == ir.Leaf || op.Class == ir.Random ||
				op.Partial == nil && op.Adjoint == nil:
			case op.Class == ir.Map:
				for missing := range 1 << min(op.Arity, 2) {
					w := newWalk(uint64(missing), dims)
					w.differentiate(t, what, w.mapped(op, missing))
				}
			default:
				build, ok := builds[op.Name]
				if !ok {
					t.Errorf("no case for %s", op.Name)
					continue
				}
				for seed := range seeds {
					w := newWalk(seed, dims)
					a, b, c := w.b.Axis("a", size.Dim("A")), w.b.Axis("b", size.Dim("B")),
						w.b.Axis("c", size.Dim("C"))
					if v := build(w, a, b, c); v != nil {
						w.differentiate(t, what, v)
					}
				}
			}
		}
	}
}

// mapped applies a map; argument i lacks an axis where bit i of missing says so.
func (w *walk) mapped(op *ir.Op, missing int) *ir.Value {
	a, b := w.b.Axis("a", size.Dim("A")), w.b.Axis("b", size.Dim("B"))
	args := make([]*ir.Value, op.Arity)
	for i := range args {
		domain := [2]float64{-2, 2}
		if d := domains[op.Name]; i < len(d) {
			domain = d[i]
		}
		axes := []*ir.Axis{a, b}
		if missing&(1<<i) != 0 {
			axes = axes[:1-i%2]
		}
		if op.SizeArg && i == 0 {
			args[i] = w.b.Num(5)
			continue
		}
		args[i] = w.leaf(domain, axes...)
	}
	if op == ir.OpSelect {
		args[0] = w.b.Map(ir.OpGt, args[0], w.b.Num(0.1))
	}
	return w.b.Map(op, args...)
}

// index is a leaf of data with entries below the length of an axis.
func (w *walk) index(name string, along *ir.Axis, axes ...*ir.Axis) *ir.Value {
	n, _ := along.Size.Eval(w.env.Sizes)
	v := w.b.Leaf(ir.OpData, name, axes...)
	count := 1
	for _, a := range axes {
		k, _ := a.Size.Eval(w.env.Sizes)
		count *= k
	}
	for range count {
		w.env.Data[name] = append(w.env.Data[name], float64(w.r.IntN(max(n, 1))))
	}
	return v
}

type build func(w *walk, a, b, c *ir.Axis) *ir.Value

var wide = [2]float64{-2, 2}

// nonempty skips an op that has no value along an empty axis.
func nonempty(w *walk, axes ...*ir.Axis) bool {
	for _, a := range axes {
		if n, _ := a.Size.Eval(w.env.Sizes); n == 0 {
			return false
		}
	}
	return true
}

func along(op **ir.Op) build {
	return func(w *walk, a, b, c *ir.Axis) *ir.Value {
		domain := wide
		if d := domains[(*op).Name]; d != nil {
			domain = d[0]
		}
		return w.b.Reduce(*op, w.leaf(domain, b, a), b)
	}
}

// builds make one value of each op that is no map.
var builds = map[string]build{
	"sum": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Sum(w.b.Add(w.leaf(wide, a, b), w.leaf(wide, c)), a, c)
	},
	"prod": along(&ir.OpProd), "reduce_max": along(&ir.OpReduceMax),
	"reduce_min": along(&ir.OpReduceMin), "log_sum_exp": along(&ir.OpLogSumExp),
	"gather": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		if !nonempty(w, a) {
			return nil
		}
		return w.b.Gather(w.leaf(wide, a, b), w.index("i", a, b, c), a)
	},
	"scatter": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		if !nonempty(w, a) {
			return nil
		}
		return w.b.Scatter(w.leaf(wide, b, c), w.index("i", a, c), a, []*ir.Axis{a, b})
	},
	"slice": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Slice(w.leaf(wide, a, b), b, w.b.Axis("s", size.Dim("B").Sub(size.Const(1))),
			size.Const(1))
	},
	"pad": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Pad(w.leaf(wide, a, b), a, w.b.Axis("l", size.Dim("A").Add(size.Const(2))),
			size.Const(1))
	},
	"at": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.At(w.leaf(wide, a, b), b, size.Const(1))
	},
	"place": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Place(w.leaf(wide, a, b), w.b.Axis("l", size.Const(3)), size.Const(2))
	},
	"rename": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Rename(w.b.Map(ir.OpTanh, w.leaf(wide, a, b)), b, w.b.Axis("r", b.Size))
	},
	"diagonal": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		q := w.b.Axis("q", b.Size)
		return w.b.Diagonal(w.leaf(wide, b, a, q), b, q, w.b.Axis("d", b.Size))
	},
	"stack": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		x := w.leaf(wide, a)
		return w.b.Stack(w.b.Axis("k", size.Const(3)), x, w.leaf(wide, b, a), w.b.Mul(x, x))
	},
	"cumsum": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Add(w.b.CumSum(w.leaf(wide, a, b), b, true),
			w.b.CumSum(w.leaf(wide, b, a), b, false))
	},
	"layout": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Layout(w.b.Map(ir.OpTanh, w.leaf(wide, a, b)), []*ir.Axis{b, a})
	},
	"contract": func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Contract(w.leaf(wide, a, b), w.leaf(wide, b, c), b)
	},
}

// Equal operands of a commuting op are found in either order.
func TestCommuting(t *testing.T) {
	for _, op := range ir.Ops() {
		if op.Class != ir.Map || op.Arity != 2 {
			continue
		}
		w := newWalk(1, tables[0])
		x, y := w.leaf(wide), w.leaf(wide)
		if one := w.b.Map(op, x, y) == w.b.Map(op, y, x); one != op.Commutes {
			t.Errorf("%s: in either order one value: %v, the table says %v", op.Name, one,
				op.Commutes)
		}
		for i := range 50 {
			p := [3]float64{w.r.NormFloat64(), w.r.NormFloat64()}
			if i%3 == 0 {
				p[1] = p[0]
			}
			q := [3]float64{p[1], p[0]}
			if a, b := op.Eval(p), op.Eval(q); op.Commutes &&
				math.Float64bits(a) != math.Float64bits(b) && a == a {
				t.Errorf("%s(%v, %v) = %v, the other way %v", op.Name, p[0], p[1], a, b)
			}
		}
		if op.Bool {
			if v := op.Eval([3]float64{0.3, 0.3}); v != 0 && v != 1 {
				t.Errorf("%s gives %v, no truth value", op.Name, v)
			}
		}
	}
}

// A branch that is not taken contributes an exact zero, whatever is infinite in it.
func TestGuard(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(b *ir.Builder, x, y *ir.Value) *ir.Value
		at    float64
	}{
		{"log", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Mul(y, b.Map(ir.OpLog, x))
		}, 0},
		{"log of less", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Mul(y, b.Map(ir.OpLog, x))
		}, -1},
		{"sqrt", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Map(ir.OpSqrt, b.Mul(x, y))
		}, 0},
		{"quotient", func(b *ir.Builder, x, y *ir.Value) *ir.Value { return b.Div(y, x) }, 0},
		{"power", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Map(ir.OpPow, x, y)
		}, 0},
		{"lgamma", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Map(ir.OpTanh, b.Map(ir.OpLgamma, b.Mul(x, y)))
		}, 0},
		{"exp", func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			return b.Mul(y, b.Map(ir.OpExp, b.Mul(b.Num(-1000), x)))
		}, -1},
	} {
		b := ir.NewBuilder()
		x, y := b.Leaf(ir.OpState, "x"), b.Leaf(ir.OpState, "y")
		f := b.Map(ir.OpSelect, b.Map(ir.OpGt, x, b.Num(0)), c.value(b, x, y), b.Mul(x, y))
		cots, err := grad.Of(b, f, []*ir.Value{x, y})
		if err != nil {
			t.Fatal(err)
		}
		out := ir.Eval(&ir.Func{Outputs: []ir.Output{{Name: "x", Value: cots[0]},
			{Name: "y", Value: cots[1]}}},
			&ir.Env{State: map[string][]float64{"x": {c.at}, "y": {-1.5}}})
		if dx, dy := out["x"].Data[0], out["y"].Data[0]; dx != -1.5 || dy != c.at {
			t.Errorf("%s: gradient %v, %v, want -1.5, %v", c.name, dx, dy, c.at)
		}
	}
}

// A −∞ term of log_sum_exp has weight 0 and no adjoint; a product with zeros
// has the product of the others.
func TestSingularReductions(t *testing.T) {
	b := ir.NewBuilder()
	a := b.Axis("a", size.Dim("A"))
	x := b.Leaf(ir.OpState, "x", a)
	check := func(name string, v *ir.Value, at, want []float64) {
		t.Helper()
		cots, err := grad.Of(b, v, []*ir.Value{x})
		if err != nil {
			t.Fatal(err)
		}
		got := ir.Eval(&ir.Func{Outputs: []ir.Output{{Name: "g", Value: cots[0], Axes: x.Axes}}},
			&ir.Env{Sizes: map[string]int{"A": len(at)},
				State: map[string][]float64{"x": at}})["g"].Data
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-14 {
				t.Errorf("%s at %v: gradient %v, want %v", name, at, got, want)
				return
			}
		}
	}
	lse := b.Reduce(ir.OpLogSumExp, b.Map(ir.OpLog, x), a)
	check("log Σ x", lse, []float64{0, 2, 6}, []float64{0, 0.125, 0.125})
	check("log Σ x", lse, []float64{0, 0, 0}, []float64{0, 0, 0})
	prod := b.Reduce(ir.OpProd, x, a)
	check("Π", prod, []float64{2, 0, 5}, []float64{0, 10, 0})
	check("Π", prod, []float64{0, 0, 5}, []float64{0, 0, 0})
	check("Π", prod, []float64{2, 3, 5}, []float64{15, 10, 6})
}

package opt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// products makes random sums of products: of matrices of unknowns and data, of
// vectors that the steps of a chain change, of sums of both, read once or often.
type products struct {
	r    *rand.Rand
	b    *ir.Builder
	env  *ir.Env
	axes []*ir.Axis
	rows *ir.Axis
	made []*ir.Value
}

func randomProducts(seed uint64) (*ir.Func, *products) {
	p := &products{r: rand.New(rand.NewPCG(seed, 5)), b: ir.NewBuilder(),
		env: &ir.Env{Sizes: map[string]int{"N": 3}, State: map[string][]float64{},
			Data: map[string][]float64{}}}
	p.rows = p.b.Axis("n", size.Dim("N"))
	p.rows.Rows = true
	for i, name := range []string{"A", "B", "C", "D"} {
		p.env.Sizes[name] = 2 + i%3
		p.axes = append(p.axes, p.b.Axis(strings.ToLower(name), size.Dim(name)))
	}
	// Vectors of the steps, and of the rows.
	for i, a := range p.axes[:3] {
		p.leaf(ir.OpData, fmt.Sprintf("local%d", i), p.rows, a)
		p.leaf(ir.OpData, fmt.Sprintf("x%d", i), p.rows, p.axes[3-i])
		p.leaf(ir.OpState, fmt.Sprintf("m%d", i), a, p.axes[i+1])
		p.leaf(ir.OpState, fmt.Sprintf("u%d", i), a)
	}
	p.leaf(ir.OpData, "y", p.axes[0], p.axes[3])
	for range 14 {
		if v := p.grow(); v != nil && len(v.Axes) < 4 {
			p.made = append(p.made, v)
		}
	}
	f := &ir.Func{ID: fn.ID{Kind: "products"}}
	for i := range 3 {
		v := p.made[len(p.made)-1-i]
		f.Outputs = append(f.Outputs,
			ir.Output{Name: fmt.Sprintf("out%d", i),
				Value: p.b.Sum(v, ir.Without(v.Axes, []*ir.Axis{p.rows})...),
				Axes:  []*ir.Axis{p.rows}})
	}
	total := f.Outputs[0].Value
	f.Outputs = append(f.Outputs, ir.Output{Name: "total", Value: p.b.Sum(total, p.rows)})
	return f, p
}

func (p *products) leaf(op *ir.Op, name string, axes ...*ir.Axis) {
	n := 1
	for _, a := range axes {
		k, _ := a.Size.Eval(p.env.Sizes)
		n *= k
	}
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = p.r.Float64() - 0.3
	}
	if op == ir.OpState {
		p.env.State[name] = numbers
	} else {
		p.env.Data[name] = numbers
	}
	p.made = append(p.made, p.b.Leaf(op, name, axes...))
}

func (p *products) grow() *ir.Value {
	b := p.b
	pick := func() *ir.Value { return p.made[p.r.IntN(len(p.made))] }
	x, y := pick(), pick()
	shared := func(x *ir.Value) []*ir.Axis {
		for _, i := range p.r.Perm(len(x.Axes)) {
			if a := x.Axes[i]; !a.Rows {
				return []*ir.Axis{a}
			}
		}
		return nil
	}
	switch p.r.IntN(12) {
	case 0, 1, 2, 3: // a product, summed
		if over := shared(x); over != nil {
			return b.Sum(b.Mul(x, y), over...)
		}
	case 4:
		if over := shared(x); over != nil && y.Has(over[0]) {
			return b.Contract(x, y, over...)
		}
	case 5: // the square of a vector
		if over := shared(x); over != nil {
			return b.Sum(b.Mul(x, x), over...)
		}
	case 6: // of a residual
		if over := shared(x); over != nil {
			d := b.Sub(x, y)
			return b.Sum(b.Map(ir.OpPow, d, b.Num(2)), over...)
		}
	case 7:
		if over := shared(x); over != nil {
			return b.Div(b.Sum(b.Neg(x), over...), b.Add(b.Num(2), b.Mul(y, y)))
		}
	case 8:
		if over := shared(x); over != nil {
			return b.Sum(b.Div(b.Mul(b.Num(0.3), x), b.Add(b.Num(2), b.Map(ir.OpTanh, y))), over...)
		}
	case 9:
		return b.Map(ir.OpTanh, x)
	case 10: // along another axis of some length
		if over := shared(x); over != nil {
			to := b.Axis(over[0].Name+"r", over[0].Size)
			if p.r.IntN(2) == 0 {
				for _, a := range p.axes {
					if a != over[0] && !x.Has(a) &&
						p.env.Sizes[strings.ToUpper(a.Name)] ==
							p.env.Sizes[strings.ToUpper(over[0].Name)] {
						return b.Slice(x, over[0], a, size.Const(0))
					}
				}
			}
			return b.Sum(b.Mul(b.Rename(x, over[0], to), b.Rename(y, over[0], to)), to)
		}
	case 11:
		return b.Add(x, y)
	}
	return nil
}

// same holds outputs of two functions against each other, whatever order their axes have.
func same(t *testing.T, seed uint64, f, g *ir.Func, env *ir.Env) {
	t.Helper()
	if err := ir.Verify(g); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, g)
	}
	want, got := ir.Eval(f, env), ir.Eval(g, env)
	for i, o := range f.Outputs {
		x, y := want[o.Name], got[o.Name]
		if !ir.SameAxes(o.Value.Axes, g.Outputs[i].Value.Axes) {
			t.Fatalf("seed %d, %s: axes %v", seed, o.Name, y.Axes)
		}
		largest := 1.0
		for _, v := range x.Data {
			largest = max(largest, math.Abs(v))
		}
		for k := range x.Data {
			if at := transposed(y, x, k); math.Abs(at-x.Data[k]) > 1e-11*largest {
				t.Fatalf("seed %d, %s: entry %d is %v, want %v\n%s\n%s", seed, o.Name, k, at,
					x.Data[k], f, g)
			}
		}
	}
}

// transposed is the entry of y at the place of entry k of x.
func transposed(y, x ir.Array, k int) float64 {
	at := map[*ir.Axis]int{}
	for i := len(x.Axes) - 1; i >= 0; i-- {
		at[x.Axes[i]], k = k%x.Dims[i], k/x.Dims[i]
	}
	i := 0
	for j, a := range y.Axes {
		i = i*y.Dims[j] + at[a]
	}
	return y.Data[i]
}

func isLocal(v *ir.Value) bool { return strings.HasPrefix(v.Name, "local") }

// Random sums of products mean the same after, are cheaper, and stay as they are
// the second time. So do their gradients, which are of the function after.
func TestReassociateProducts(t *testing.T) {
	changed, symmetric := 0, 0
	for seed := range uint64(150) {
		f, p := randomProducts(seed)
		chain := Chain{Inner: isLocal, Sizes: map[string]int{"A": 20, "B": 300, "C": 20, "D": 1000}}
		text := f.String()
		g := Reassociate(p.b, f, chain)
		if f.String() != text {
			t.Fatalf("seed %d: the argument changed", seed)
		}
		if g == f {
			continue
		}
		changed++
		same(t, seed, f, g, p.env)
		l := newLevels(f, chain)
		if was, is := l.costs(nil, roots(f)...), l.costs(nil, roots(g)...); is >= was {
			t.Errorf("seed %d: cost %g, was %g", seed, is, was)
		}
		if strings.Contains(g.String(), "rename") && !strings.Contains(text, "rename") {
			symmetric++
		}
		gradients(t, seed, p, f, g, chain)
	}
	if changed < 75 || symmetric < 3 {
		t.Errorf("%d functions of 150 changed, %d with a turned product", changed, symmetric)
	}
}

// gradients holds those of the function before and after against each other, and the
// pass after differentiation against none.
func gradients(t *testing.T, seed uint64, p *products, f, g *ir.Func, chain Chain) {
	t.Helper()
	of := func(f *ir.Func) *ir.Func {
		byName := map[string][]*ir.Value{}
		var leaves []*ir.Value
		for _, v := range f.Values() {
			if isLocal(v) || v.Op == ir.OpState {
				leaves = append(leaves, v)
				byName[v.Name] = append(byName[v.Name], v)
			}
		}
		cots, err := grad.Of(p.b, f.Outputs[len(f.Outputs)-1].Value, leaves)
		if err != nil {
			t.Fatal(err)
		}
		out := &ir.Func{ID: fn.Gradient.ID()}
		of := map[*ir.Value]*ir.Value{}
		for i, v := range leaves {
			of[v] = cots[i]
		}
		for _, first := range p.made {
			sum := p.b.Num(0)
			for _, v := range byName[first.Name] {
				c := of[v]
				for _, a := range ir.Without(v.Axes, c.Axes) {
					c = p.b.Mul(c, p.b.Map(ir.OpEq, p.b.Iota(a), p.b.Iota(a))) // the same along it
				}
				for i, a := range v.Axes {
					c = p.b.Rename(c, a, first.Axes[i])
				}
				sum = p.b.Add(sum, c)
			}
			if len(byName[first.Name]) > 0 {
				out.Outputs = append(out.Outputs,
					ir.Output{Name: first.Name, Value: sum, Axes: first.Axes})
			}
		}
		return out
	}
	want, got := of(f), of(g)
	have := map[string]ir.Output{}
	for _, o := range want.Outputs {
		have[o.Name] = o
	}
	var both, kept []ir.Output
	for _, o := range got.Outputs {
		if w, ok := have[o.Name]; ok {
			both, kept = append(both, w), append(kept, o)
		}
	}
	want.Outputs, got.Outputs = both, kept
	same(t, seed, want, got, p.env)
	same(t, seed, want, Reassociate(p.b, got, chain), p.env)
}

// Random functions, with scans and all other ops, keep their meaning whatever
// leaves are said to be inner.
func TestReassociateKeepsMeaning(t *testing.T) {
	shapes := [][4]int{{2, 3, 4, 5}, {3, 3, 3, 3}, {1, 2, 1, 3}}
	changed := 0
	for seed := range uint64(200) {
		g := irtest.Random(irtest.Config{Seed: 5000 + seed, Sizes: shapes[seed%3], N: 4, Steps: 24})
		want := ir.Eval(g.F, g.Env)
		f := Reassociate(g.B, g.F,
			Chain{Inner: func(v *ir.Value) bool { return v.Op == ir.OpState && seed%2 == 0 },
				Sizes: map[string]int{"A": 5, "B": 900, "C": 10, "D": 400}})
		if f == g.F {
			continue
		}
		changed++
		if err := ir.Verify(f); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := ir.Eval(f, g.Env)
		for _, o := range f.Outputs {
			x, y := total(got[o.Name])*copies(got[o.Name], want[o.Name]), total(want[o.Name])
			if math.Abs(x-y) > 1e-9*(1+math.Abs(y)) {
				t.Errorf("seed %d: output %s sums to %v, want %v", seed, o.Name, x, y)
			}
		}
	}
	if changed < 20 {
		t.Errorf("%d functions changed", changed)
	}
}

// A sum that something in the steps needs anyway is no reason to compute others
// in another way.
func TestReassociateShared(t *testing.T) {
	b := ir.NewBuilder()
	n := b.Axis("n", size.Dim("N"))
	n.Rows = true
	k, v := b.Axis("k", size.Const(20)), b.Axis("v", size.Const(5000))
	theta, beta := b.Leaf(ir.OpData, "local", n, k), b.Leaf(ir.OpState, "beta", k, v)
	x := b.Sum(b.Mul(theta, beta), k)
	square := ir.Output{Name: "square", Value: b.Sum(b.Mul(x, x), v), Axes: []*ir.Axis{n}}
	other := ir.Output{Name: "other", Value: b.Sum(b.Map(ir.OpExp, x), v), Axes: []*ir.Axis{n}}
	f := &ir.Func{Outputs: []ir.Output{square}}
	if Reassociate(b, f, Chain{Inner: isLocal}) == f {
		t.Error("a square by itself stays")
	}
	f = &ir.Func{Outputs: []ir.Output{square, other}}
	if g := Reassociate(b, f, Chain{Inner: isLocal}); g != f {
		t.Errorf("x is there for exp: its square costs 5000, not 400 beside 100000\n%s", g)
	}
	f = &ir.Func{Outputs: []ir.Output{square}}
	if g := Reassociate(b, f, Chain{}); g != f {
		t.Errorf("nothing is inner\n%s", g)
	}
}

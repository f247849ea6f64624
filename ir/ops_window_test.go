package ir_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Windows of 2 over A + 2 entries, and of B over 2 B + 3 a stride of 2 apart,
// so that one is left over at the end where B is even.
func init() {
	over := func(w *walk, a, b *ir.Axis, stride int) []*ir.Axis {
		two, one := size.Const(2), size.Const(1)
		long, wide := w.b.Axis("l", a.Size.Add(two)),
			w.b.Axis("w", b.Size.Mul(two).Add(size.Const(3)))
		if stride == 1 {
			return []*ir.Axis{long, w.b.Axis("p", a.Size.Add(one)), w.b.Axis("i", two), wide,
				w.b.Axis("q", b.Size.Add(size.Const(4))), b}
		}
		return []*ir.Axis{wide, w.b.Axis("q", b.Size.Add(one)), w.b.Axis("j", two), long, a, b}
	}
	builds["window"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		o := over(w, a, b, 1)
		x := w.b.Window(w.leaf(wide, c, o[0], o[3], a), o, 1)
		p := over(w, a, b, 2)[:3]
		return w.b.Add(x, w.b.Sum(w.b.Window(w.leaf(wide, p[0], a), p, 2), p[1:]...))
	}
	builds["window_add"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		o := over(w, a, b, 1)
		x := w.b.WindowAdd(w.leaf(wide, o[1], c, o[4], o[2], b), o, 1)
		// The same for every position, and at every place in a window.
		p := over(w, a, b, 2)[:3]
		y := w.b.WindowAdd(w.leaf(wide, p[1], a), p, 2)
		z := w.b.WindowAdd(w.leaf(wide, p[2]), p, 2)
		return w.b.Add(x, w.b.Sum(w.b.Mul(y, z), p[0]))
	}
	// Windows of 2 × 3, a stride of 2 apart, over a line more than they cover.
	pool := func(w *walk, a, b *ir.Axis) []*ir.Axis {
		long, wide := w.b.Axis("l", a.Size.Mul(size.Const(2)).Add(size.Const(3))),
			w.b.Axis("w", b.Size.Mul(size.Const(2)).Add(size.Const(1)))
		return []*ir.Axis{long, w.b.Axis("p", a.Size.Add(size.Const(1))),
			w.b.Axis("i", size.Const(2)), wide, b, w.b.Axis("j", size.Const(3))}
	}
	builds["window_max"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		o := pool(w, a, b)
		x := w.b.WindowMax(w.leaf(wide, c, o[0], o[3], a), o, 2)
		// Windows that overlap, in one direction.
		p := []*ir.Axis{w.b.Axis("s", b.Size.Add(size.Const(2))), b, w.b.Axis("k", size.Const(3))}
		return w.b.Add(x, w.b.WindowMax(w.leaf(wide, p[0], a), p, 1))
	}
	builds["window_max_add"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		o := pool(w, a, b)
		x := w.leaf(wide, o[0], o[3], a)
		return w.b.WindowMaxAdd(x, w.b.WindowMax(x, o, 2), w.leaf(wide, c, o[1], o[4]), o, 2)
	}
}

// Entries that are equal share the cotangent of the largest, in all axes of a
// window at once.
func TestTies(t *testing.T) {
	b := ir.NewBuilder()
	i, j := b.Axis("i", size.Const(2)), b.Axis("j", size.Const(2))
	x := b.Leaf(ir.OpState, "x", i, j)
	one := size.Const(1)
	over := []*ir.Axis{i, b.Axis("p", one), b.Axis("k", size.Const(2)), j, b.Axis("q", one),
		b.Axis("l", size.Const(2))}
	for _, c := range []struct{ at, want []float64 }{
		{[]float64{5, 5, 5, 1}, []float64{1. / 3, 1. / 3, 1. / 3, 0}},
		{[]float64{0, 0, 0, 0}, []float64{0.25, 0.25, 0.25, 0.25}},
		{[]float64{1, 2, 4, 3}, []float64{0, 0, 1, 0}},
	} {
		for _, most := range []*ir.Value{b.Reduce(ir.OpReduceMax, x, i, j),
			b.Sum(b.WindowMax(x, over, 1), over[1], over[4])} {
			cots, err := grad.Of(b, most, []*ir.Value{x})
			if err != nil {
				t.Fatal(err)
			}
			got := ir.Eval(&ir.Func{Outputs: []ir.Output{{Name: "g", Value: cots[0],
				Axes: x.Axes}}},
				&ir.Env{State: map[string][]float64{"x": c.at}})["g"].Data
			if !slices.Equal(got, c.want) {
				t.Errorf("at %v: %v, want %v", c.at, got, c.want)
			}
		}
	}
}

// Windows and their adjoint are transposes: ⟨W x, y⟩ = ⟨x, Wᵀ y⟩, exactly in whole numbers.
func TestWindowTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 200 {
		b := ir.NewBuilder()
		stride := 1 + r.IntN(3)
		var over, from, to []*ir.Axis
		for range 1 + r.IntN(2) {
			k, p := 1+r.IntN(3), 1+r.IntN(3)
			n := stride*(p-1) + k + r.IntN(stride)
			s, q, i := b.Axis("s", size.Const(n)), b.Axis("p", size.Const(p)),
				b.Axis("i", size.Const(k))
			over, from, to = append(over, s, q, i), append(from, s), append(to, q, i)
		}
		c := b.Axis("c", size.Const(2))
		x, y := b.Leaf(ir.OpState, "x", append(from, c)...),
			b.Leaf(ir.OpState, "y", append(to, c)...)
		env := &ir.Env{State: map[string][]float64{}}
		for _, v := range []*ir.Value{x, y} {
			n := 1
			for _, a := range v.Axes {
				k, _ := a.Size.Number()
				n *= k
			}
			for range n {
				env.State[v.Name] = append(env.State[v.Name], float64(r.IntN(9)-4))
			}
		}
		left := b.Sum(b.Mul(b.Window(x, over, stride), y), y.Axes...)
		right := b.Sum(b.Mul(x, b.WindowAdd(y, over, stride)), x.Axes...)
		out := ir.Eval(&ir.Func{Outputs: []ir.Output{{Name: "l", Value: left},
			{Name: "r", Value: right}}}, env)
		if out["l"].Data[0] != out["r"].Data[0] {
			t.Fatalf("stride %d over %d axes: %v and %v", stride, len(from), out["l"].Data[0],
				out["r"].Data[0])
		}
	}
}

package latent_test

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// scanOfCounts is a scan that draws T categories of K kinds by their counts, with what it needs to
// be evaluated. By is what a category weighs in the counts when it leaves them and when it joins
// them. Sums are exact.
func scanOfCounts(b *ir.Builder, leaves, joins float64, read bool) (*ir.Func, *ir.Env) {
	const T, K = 6, 5
	env := &ir.Env{Sizes: map[string]int{"T": T, "K": K}, Data: map[string][]float64{}}
	t, k := b.Axis("t", size.Dim("T")), b.Axis("k", size.Dim("K"))
	leaf := func(name string, n int, f func(i int) float64, axes ...*ir.Axis) *ir.Value {
		for i := range n {
			env.Data[name] = append(env.Data[name], f(i))
		}
		return b.Leaf(ir.OpData, name, axes...)
	}
	z := leaf("z", T, func(i int) float64 { return float64(i * 7 % K) }, t)
	u := leaf("u", T, func(i int) float64 { return float64(i*11%16) / 16 }, t)
	w := leaf("w", T*K, func(i int) float64 { return float64(i * 7 % 4) }, t, k)
	a := leaf("a", K, func(i int) float64 { return float64(i%2) + 0.5 }, k)
	start := leaf("start", K, func(i int) float64 { return float64(2 + i%3) }, k)
	counts, last := b.Carry("counts", false, t, k), b.Carry("drawn", false, t)
	without := b.AddAt(counts, z, b.Num(leaves), k)
	drawn := b.Category(b.Mul(b.Add(without, a), w), u, k)
	to := b.Axis("s", t.Size.Add(size.Const(1)))
	scan := b.Scan([]*ir.Value{counts, last}, []*ir.Value{start, b.Num(0)},
		[]*ir.Value{b.AddAt(without, drawn, b.Num(joins), k), drawn}, t, to, false)
	out := b.Slice(scan[1], to, t, size.Const(1))
	f := &ir.Func{ID: fn.ID{Kind: "f"}, Outputs: []ir.Output{
		{Name: "drawn", Value: out, Axes: out.Axes}}}
	if read {
		end := b.At(scan[0], to, t.Size)
		f.Outputs = append(f.Outputs, ir.Output{Name: "counts", Value: end, Axes: end.Axes})
	}
	return f, env
}

// TestInTurn: a scan of draws by counts becomes one op with the same draws, and one whose counts
// are read, or in which a category does not leave as it came, stays.
func TestInTurn(t *testing.T) {
	for _, c := range []struct {
		leaves, joins float64
		read, found   bool
	}{{-1, 1, false, true}, {-2, 2, false, true}, {-1, 1, true, false}, {-1, 2, false, false}} {
		b := ir.NewBuilder()
		f, env := scanOfCounts(b, c.leaves, c.joins, c.read)
		g := latent.InTurn(b, f)
		if err := ir.Verify(g); err != nil {
			t.Fatal(err)
		}
		is := func(op *ir.Op) bool {
			return slices.ContainsFunc(g.Values(), func(v *ir.Value) bool { return v.Op == op })
		}
		if is(ir.OpDrawInTurn) != c.found || is(ir.OpScan) == c.found {
			t.Errorf("%+v:\n%s", c, g)
		}
		want, got := ir.Eval(f, env), ir.Eval(g, env)
		for _, o := range f.Outputs {
			if !slices.Equal(got[o.Name].Data, want[o.Name].Data) {
				t.Errorf("%+v: %s is %v, want %v", c, o.Name, got[o.Name].Data, want[o.Name].Data)
			}
		}
	}
}

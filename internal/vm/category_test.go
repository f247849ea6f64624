package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// chainGraph is a chain of categories as a Gibbs sampler makes them: the counts
// of T categories of K kinds are carried, and in a step one category leaves them
// and is drawn anew with weights w (1 + count). Whole weights and u of few bits
// make all sums exact, so that the evaluator's order of them is as good as any.
// watch says what else reads: nothing, the counts before the steps that change them,
// or those of all steps.
func chainGraph(watch string) *irtest.Graph {
	const T, K, N = 5, 7, 3
	g := &irtest.Graph{B: ir.NewBuilder(),
		Env: &ir.Env{Sizes: map[string]int{"T": T, "K": K, "N": N}, Data: map[string][]float64{}}}
	b := g.B
	t, k := b.Axis("t", size.Dim("T")), b.Axis("k", size.Dim("K"))
	g.Row = b.Axis("n", size.Dim("N"))
	g.Row.Rows = true
	leaf := func(name string, f func(i int) float64, axes ...*ir.Axis) *ir.Value {
		v := b.Leaf(ir.OpData, name, axes...)
		n := 1
		for _, a := range axes {
			m, _ := a.Size.Eval(g.Env.Sizes)
			n *= m
		}
		for i := range n {
			g.Env.Data[name] = append(g.Env.Data[name], f(i))
		}
		g.Leaf = append(g.Leaf, v)
		return v
	}
	z := leaf("z", func(i int) float64 { return float64(i * 5 % K) }, g.Row, t)
	u := leaf("u", func(i int) float64 { return float64(i*11%16) / 16 }, g.Row, t)
	w := leaf("w", func(i int) float64 { return float64(i * 7 % 5) }, k, t) // some are 0
	start := leaf("start", func(i int) float64 { return float64(i % 3) }, g.Row, k)

	counts := b.Carry("counts", false, t, g.Row, k)
	without := b.AddAt(counts, z, b.Num(-1), k)
	drawn := b.Category(b.Mul(b.Add(without, b.Num(4)), w), u, k)
	next := b.AddAt(without, drawn, b.Num(1), k)
	to := b.Axis("s", t.Size.Add(size.Const(1)))
	last := b.Carry("drawn", false, t, g.Row)
	now := drawn
	if watch == "before" {
		now = b.Add(drawn, b.Sum(b.Mul(next, counts), k))
	}
	scan := b.Scan([]*ir.Value{counts, last}, []*ir.Value{start, b.Num(0)}, []*ir.Value{next, now},
		t, to, false)
	out := []*ir.Value{b.At(scan[0], to, t.Size), scan[1]}
	if watch == "all" {
		out[0] = b.Slice(scan[0], to, t, size.Const(1))
	}
	g.F = &ir.Func{ID: fn.ID{Kind: "chain"}}
	for i, v := range out {
		v = b.Sum(b.Mul(v, b.Add(b.Num(1),
			leaf([]string{"weight0", "weight1"}[i], func(i int) float64 { return float64(i + 1) },
				g.Row))), g.Row)
		g.F.Outputs = append(g.F.Outputs,
			ir.Output{Name: []string{"counts", "drawn"}[i], Value: v, Axes: v.Axes})
	}
	return g
}

// TestCategoryChains: the engine gives what the definitions give, whoever reads
// the counts; and it changes them in place where nobody but their end is read.
func TestCategoryChains(t *testing.T) {
	for _, watch := range []string{"", "before", "all"} {
		g := chainGraph(watch)
		if err := ir.Verify(g.F); err != nil {
			t.Fatal(err)
		}
		want := ir.Eval(g.F, g.Env)
		for _, block := range []int{1, 2, 3} {
			got, err := run(g, g.F, block)
			if err != nil {
				t.Fatalf("%q: %v", watch, err)
			}
			for _, o := range g.F.Outputs {
				if !slices.Equal(got[o.Name], want[o.Name].Data) {
					t.Errorf("%q, blocks of %d: %s is %v, want %v", watch, block, o.Name,
						got[o.Name], want[o.Name].Data)
				}
			}
		}
		p, err := plan.Build(g.B, g.F)
		if err != nil {
			t.Fatal(err)
		}
		shared, carried := 0, false
		for _, b := range p.Buffers {
			if b.Shares != nil {
				shared++
			}
			carried = carried || strings.HasPrefix(b.String(), "counts") && len(b.Axes) == 3
		}
		// Both changes are in place, of a copy where all steps are kept; the first
		// is not where something behind it reads what it changes.
		if all := watch == "all"; shared != map[string]int{"": 2, "before": 1, "all": 2}[watch] ||
			carried != all {
			t.Errorf("%q: %d buffers share memory, all steps are kept: %v\n%s", watch, shared,
				carried, p)
		}
	}
}

// TestCategoryBatches: other axes stand in any order, and arguments may lack them.
func TestCategoryBatches(t *testing.T) {
	g := &irtest.Graph{B: ir.NewBuilder(),
		Env: &ir.Env{Sizes: map[string]int{"A": 2, "B": 3, "K": 5},
			Data: map[string][]float64{"w": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1, 2, 0},
				"u": {0.25, 0.875}, "c": {1, 2, 3}}}}
	b := g.B
	a, c, k := b.Axis("a", size.Dim("A")), b.Axis("b", size.Dim("B")), b.Axis("k", size.Dim("K"))
	w, u, by := b.Leaf(ir.OpData, "w", k, c), b.Leaf(ir.OpData, "u", a), b.Leaf(ir.OpData, "c", c)
	g.Leaf = []*ir.Value{w, u, by}
	z := b.Category(w, u, k)
	g.F = &ir.Func{ID: fn.ID{Kind: "f"}, Outputs: []ir.Output{
		{Name: "z", Value: z, Axes: []*ir.Axis{a, c}},
		{Name: "turned", Value: z, Axes: []*ir.Axis{c, a}},
		{Name: "one", Value: b.Category(b.At(w, c, size.Const(1)), b.At(u, a, size.Const(1)), k)},
		{Name: "x", Value: b.AddAt(w, z, by, k), Axes: []*ir.Axis{k, a, c}},
		{Name: "y", Value: b.AddAt(b.At(w, c, size.Const(0)), b.Num(2), b.Num(7), k),
			Axes: []*ir.Axis{k}},
	}}
	if err := ir.Verify(g.F); err != nil {
		t.Fatal(err)
	}
	for i, o := range g.F.Outputs { // the evaluator gives values in their own order
		g.F.Outputs[i].Value = b.Layout(o.Value, o.Axes)
	}
	want := ir.Eval(g.F, g.Env)
	got, err := run(g, g.F, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range g.F.Outputs {
		if !slices.Equal(got[o.Name], want[o.Name].Data) {
			t.Errorf("%s is %v, want %v", o.Name, got[o.Name], want[o.Name].Data)
		}
	}
}

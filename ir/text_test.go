package ir_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The text form of a function parses to a function of the same text.
func TestTextForm(t *testing.T) {
	for seed := range uint64(60) {
		g := irtest.Random(irtest.Config{Seed: seed, Sizes: [4]int{2, 3, 4, 5}, N: 3, Steps: 25})
		text := g.F.String()
		f, err := ir.Parse(ir.NewBuilder(), text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := ir.Verify(f); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if again := f.String(); again != text {
			t.Fatalf("seed %d: printed\n%s\nparsed and printed again\n%s", seed, text, again)
		}
	}
}

// What is wrong in a text is said with its line.
func TestTextErrors(t *testing.T) {
	for text, want := range map[string]string{
		"axis a.1":                             "line 1: cannot read",
		"axis a.1 A":                           "line 1: bad size",
		"%1 = nothing []":                      "line 1: unknown op nothing",
		"%1 = const x []":                      "line 1: ",
		"%1 = state []":                        "line 1: state wants a name",
		"%1 = state over [a.1]":                "line 1: unknown axis a.1",
		"%1 = neg %2 []":                       "line 1: unknown value %2",
		"%1 = const 1 []\n%1 = const 2 []":     "line 2: %1 is made twice",
		"%1 = const 1 []\n%2 = add %1 []":      "line 2: has 1 arguments, wants 2",
		"%1 = const 1 []\n%2 = neg %1 what []": `line 2: cannot read "what"`,
		"out y %3 []":                          "line 1: unknown value %3",
		"axis a.1 1*A\n%1 = state x [a.1 a.1]": "line 2: has axis a twice",
		"axis a.1 2\n%1 = state x []\n%2 = sum %1 over a.1 []": "line 3: works along a",
	} {
		_, err := ir.Parse(ir.NewBuilder(), text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The verifier refuses what no pass may make.
func TestVerifyRefuses(t *testing.T) {
	b := ir.NewBuilder()
	n, m := b.Axis("n", size.Dim("N")), b.Axis("m", size.Dim("N"))
	x, y, z := b.Leaf(ir.OpState, "x", n), b.Leaf(ir.OpState, "y", m), b.Leaf(ir.OpData, "z", n, m)
	axes := func(list ...*ir.Axis) []*ir.Axis { return list }
	for name, c := range map[string]struct {
		v    ir.Value
		want string
	}{
		"too few arguments": {ir.Value{Op: ir.OpAdd, Args: []*ir.Value{x}, Axes: axes(n)},
			"has 1 arguments, wants 2"},
		"an axis twice": {ir.Value{Op: ir.OpNeg, Args: []*ir.Value{z},
			Axes: axes(n, n)}, "has axis n twice"},
		"an axis lost": {ir.Value{Op: ir.OpAdd, Args: []*ir.Value{x, y},
			Axes: axes(n)}, "its arguments give"},
		"an axis too many": {ir.Value{Op: ir.OpNeg, Args: []*ir.Value{x},
			Axes: axes(n, m)}, "its arguments give"},
		"a sum along no axis of it": {ir.Value{Op: ir.OpSum, Args: []*ir.Value{x}, Over: axes(m),
			Axes: axes(n)}, "works along m"},
		"a summed axis kept": {ir.Value{Op: ir.OpSum, Args: []*ir.Value{z}, Over: axes(m),
			Axes: axes(n, m)}, "its arguments give"},
		"a lopsided contraction": {ir.Value{Op: ir.OpContract, Args: []*ir.Value{x, y},
			Over: axes(n), Axes: axes(m)}, "one argument lacks"},
		"a rename to nowhere": {ir.Value{Op: ir.OpRename, Args: []*ir.Value{x}, Over: axes(n),
			Axes: axes(m)}, "lacks its new axis"},
		"a gather by its own axis": {ir.Value{Op: ir.OpGather, Args: []*ir.Value{x, z},
			Over: axes(n), Axes: axes(n, m)}, "has the axis n in its index"},
		"a scatter onto itself": {ir.Value{Op: ir.OpScatter, Args: []*ir.Value{x, y}, To: n,
			Axes: axes(n)}, "has the axis n already"},
		"a scatter that keeps less": {ir.Value{Op: ir.OpScatter, Args: []*ir.Value{y, y}, To: n,
			Over: axes(m), Axes: axes(n)}, "keeps"},
	} {
		err := ir.Verify(&ir.Func{ID: fn.ID{Kind: "f"},
			Outputs: []ir.Output{{Name: "v", Value: b.Make(c.v), Axes: axes(n, m)}}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	err := ir.Verify(&ir.Func{ID: fn.ID{Kind: "f"},
		Outputs: []ir.Output{{Name: "v", Value: z, Axes: axes(n)}}})
	if err == nil || !strings.Contains(err.Error(), "output v has no axis [m") {
		t.Errorf("an output that drops an axis: %v", err)
	}
}

// A value has the variant of its op alone, and a part or a stride where its op has one.
func TestVariants(t *testing.T) {
	b := ir.NewBuilder()
	i := b.Axis("i", size.Dim("I"))
	x := b.Leaf(ir.OpState, "x", i)
	for _, c := range []struct {
		v    ir.Value
		good bool
	}{
		{ir.Value{Op: ir.OpCumSum, Args: []*ir.Value{x}, Over: []*ir.Axis{i}, Axes: x.Axes,
			Mode: ir.Reverse}, true},
		{ir.Value{Op: ir.OpCumSum, Args: []*ir.Value{x}, Over: []*ir.Axis{i}, Axes: x.Axes,
			Mode: ir.Stiff}, false},
		{ir.Value{Op: ir.OpCumSum, Args: []*ir.Value{x}, Over: []*ir.Axis{i}, Axes: x.Axes,
			Stride: 2}, false},
		{ir.Value{Op: ir.OpExp, Args: []*ir.Value{x}, Axes: x.Axes, Mode: ir.Reverse}, false},
		{ir.Value{Op: ir.OpExp, Args: []*ir.Value{x}, Axes: x.Axes, Part: 1}, false},
	} {
		f := &ir.Func{ID: fn.ID{Kind: "f"},
			Outputs: []ir.Output{{Name: "y", Value: b.Make(c.v), Axes: x.Axes}}}
		if err := ir.Verify(f); (err == nil) != c.good {
			t.Errorf("%s: %v", f, err)
		}
		if _, err := ir.Parse(ir.NewBuilder(), f.String()); c.v.Op == ir.OpExp &&
			c.v.Mode != ir.Plain && err == nil {
			t.Errorf("%s parses", f)
		}
	}
}

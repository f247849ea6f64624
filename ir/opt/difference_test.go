package opt

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A random function less the same function at an anchor, and by the state what
// both have in common, keeps its meaning.
func TestDifferencesKeepMeaning(t *testing.T) {
	changed := 0
	for seed := range uint64(150) {
		g := irtest.Random(irtest.Config{Seed: 5000 + seed, Sizes: [4]int{2, 3, 4, 5}, N: 4,
			Steps: 18})
		for name, x := range g.Env.State {
			at := slices.Clone(x)
			for i := range at {
				at[i] += 0.25
			}
			g.Env.State[model.AnchorPrefix+name] = at
		}
		carries := map[string]*ir.Value{}
		anchor := ir.RewriteFunc(g.B, g.F, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
			switch v.Op {
			case ir.OpState:
				return b.Leaf(ir.OpState, model.AnchorPrefix+v.Name, v.Axes...)
			case ir.OpCarry:
				if carries[v.Name] == nil {
					carries[v.Name] = b.Carry(v.Hint, v.Mode == ir.OfState, v.Axes...)
				}
				return b.CarryLike(carries[v.Name], v.Axes)
			}
			return nil
		})
		f := &ir.Func{ID: fn.Difference.ID(), Outputs: slices.Clone(g.F.Outputs)}
		for i := range f.Outputs {
			f.Outputs[i].Value = g.B.Sub(f.Outputs[i].Value, anchor.Outputs[i].Value)
		}
		want, out := ir.Eval(f, g.Env), Differences(g.B, f)
		if err := ir.Verify(out); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if out.String() != f.String() {
			changed++
		}
		got, sides := ir.Eval(out, g.Env), ir.Eval(g.F, g.Env)
		for _, o := range f.Outputs {
			x, y := total(got[o.Name])*copies(got[o.Name], want[o.Name]), total(want[o.Name])
			if math.Abs(x-y) > 1e-9*(1+math.Abs(y)+math.Abs(total(sides[o.Name]))) {
				t.Errorf("seed %d: output %s sums to %v, want %v", seed, o.Name, x, y)
			}
		}
	}
	if changed < 50 {
		t.Errorf("only %d functions changed", changed)
	}
}

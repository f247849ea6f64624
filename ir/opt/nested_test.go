package opt

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A sum inside a sum over the same axis: outside, the axis only counts.
func TestNestedSums(t *testing.T) {
	b := ir.NewBuilder()
	i := b.Axis("i", size.Const(3))
	x := b.Map(ir.OpExp, b.Leaf(ir.OpState, "x", i))
	s := b.Div(b.Sum(x, i), b.Num(3))
	f := &ir.Func{Outputs: []ir.Output{
		{Name: "mean", Value: b.Sum(b.Sub(x, s), i)},
		{Name: "square", Value: b.Sum(b.Mul(s, s), i)},
		{Name: "scaled", Value: b.Sum(b.Neg(b.Mul(x, b.Sum(x, i))), i)},
	}}
	env := &ir.Env{State: map[string][]float64{"x": {0, 1, 2}}}
	want := ir.Eval(f, env)
	g := hoistSums(b, f)
	if err := ir.Verify(g); err != nil {
		t.Fatal(err)
	}
	for name, got := range ir.Eval(g, env) {
		if math.Abs(got.Data[0]-want[name].Data[0]) > 1e-12 {
			t.Errorf("%s: %v, before %v", name, got.Data[0], want[name].Data[0])
		}
	}
}

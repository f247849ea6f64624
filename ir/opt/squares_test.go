package opt

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// deviations is a recurrence s[t+1] = √(a + b·s[t]²) from the datum first on, with a = exp(x) and b
// as given, and the sum of what read makes of its values.
func deviations(rate, step func(b *ir.Builder, x *ir.Value) *ir.Value) (*ir.Builder, *ir.Func) {
	b := ir.NewBuilder()
	t, to := b.Axis("t", size.Dim("T")), b.Axis("to", size.Dim("T").Add(size.Const(1)))
	x := b.Make(ir.Value{Op: ir.OpState, Name: "x"})
	first := b.Make(ir.Value{Op: ir.OpData, Name: "first"})
	s := b.Carry("s", true, t)
	next := b.Map(ir.OpSqrt, b.Add(b.Map(ir.OpExp, x), b.Mul(rate(b, x), step(b, s))))
	scan := b.Scan([]*ir.Value{s}, []*ir.Value{first}, []*ir.Value{next}, t, to, false)[0]
	return b, &ir.Func{Outputs: []ir.Output{{Name: "v", Value: b.Sum(b.Map(ir.OpLog, scan), to)}}}
}

func square(b *ir.Builder, x *ir.Value) *ir.Value { return b.Map(ir.OpPow, x, b.Num(2)) }

func sigmoid(b *ir.Builder, x *ir.Value) *ir.Value { return b.Map(ir.OpSigmoid, x) }

// Squares are carried where roots are, and only where nothing can be negative.
func TestSquares(t *testing.T) {
	yes := func(string) bool { return true }
	env := &ir.Env{Sizes: map[string]int{"T": 9}, State: map[string][]float64{"x": {0.3}},
		Data: map[string][]float64{"first": {1.7}}}
	for _, c := range []struct {
		name       string
		rate, step func(b *ir.Builder, x *ir.Value) *ir.Value
		positive   func(string) bool
		carried    bool
	}{
		{"a root", sigmoid, square, yes, true},
		{"a product with itself", sigmoid, func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, x)
		}, yes, true},
		{"1 - sigmoid", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Sub(b.Num(1), sigmoid(b, x))
		}, square, yes, true},
		{"a start of any sign", sigmoid, square, func(string) bool { return false }, false},
		{"a rate of any sign", func(_ *ir.Builder, x *ir.Value) *ir.Value { return x }, square, yes,
			false},
		{"a deviation by itself", sigmoid, func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Add(square(b, x), x)
		}, yes, false},
	} {
		b, f := deviations(c.rate, c.step)
		want := ir.Eval(f, env)["v"].Data[0]
		g := Squares(b, f, c.positive)
		if err := ir.Verify(g); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := ir.Eval(g, env)["v"].Data[0]; !(math.Abs(got-want) < 1e-13) {
			t.Errorf("%s: %v, not %v", c.name, got, want)
		}
		if carried := !strings.Contains(g.String(), "pow") && g != f; carried != c.carried {
			t.Errorf("%s: squares are carried: %v\n%s", c.name, carried, g)
		}
	}
}

package grad

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Only what is made of indices and constants, and stays apart from 0, is known to be so.
func TestApart(t *testing.T) {
	b := ir.NewBuilder()
	k := b.Iota(b.Axis("k", size.Dim("K")))
	num := b.Num
	sqrt := func(v *ir.Value) *ir.Value { return b.Map(ir.OpSqrt, v) }
	y, x := b.Leaf(ir.OpData, "y"), b.Leaf(ir.OpState, "x")
	for _, c := range []struct {
		name string
		v    *ir.Value
		want bool
	}{
		{"k + 1", b.Add(k, num(1)), true},
		{"√((k + 1)(k + 2))", sqrt(b.Mul(b.Add(k, num(1)), b.Add(k, num(2)))), true},
		{"a constant", num(3), true},
		{"an index", k, false},
		{"√k", sqrt(k), false},
		{"k (k + 1)", b.Mul(k, b.Add(k, num(1))), false},
		{"k − 1", b.Add(k, num(-1)), false},
		{"k - 1, subtracted", b.Sub(k, num(1)), false},
		{"a negative constant", num(-1), false},
		{"0", num(0), false},
		{"−0", num(math.Copysign(0, -1)), false},
		{"∞", num(math.Inf(1)), false},
		{"k + ∞", b.Add(k, num(math.Inf(1))), false},
		{"k ∞", b.Mul(k, num(math.Inf(1))), false},
		{"NaN", num(math.NaN()), false},
		{"k + NaN", b.Add(k, num(math.NaN())), false},
		{"0 in single precision", num(1e-100), false},
		{"∞ in single precision", num(1e100), false},
		{"0 · ∞ in single precision", &ir.Value{Op: ir.OpMul, Args: []*ir.Value{num(1e-60),
			num(1e60)}}, false},
		{"k⁴", b.Mul(b.Mul(b.Add(k, num(1)), b.Add(k, num(1))), b.Mul(b.Add(k, num(1)),
			b.Add(k, num(1)))), false},
		{"data", y, false},
		{"data + 1", b.Add(y, num(1)), false},
		{"k + data", b.Add(b.Add(k, num(1)), y), false},
		{"a state times an index", b.Mul(x, b.Add(k, num(1))), false},
		{"a difference", b.Sub(b.Add(k, num(2)), num(1)), false},
		{"exp k", b.Map(ir.OpExp, k), false},
	} {
		if got := apart(c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A quotient by what is apart from 0 is finite, and one by an index is not.
func TestRiskyQuotients(t *testing.T) {
	b := ir.NewBuilder()
	k := b.Iota(b.Axis("k", size.Dim("K")))
	x, y := b.Leaf(ir.OpState, "x"), b.Leaf(ir.OpData, "y")
	next := b.Add(k, b.Num(1))
	root := b.Map(ir.OpSqrt, b.Mul(next, b.Add(k, b.Num(2))))
	for _, c := range []struct {
		name string
		v    *ir.Value
		want bool
	}{
		{"1 / √((k + 1)(k + 2))", b.Div(b.Num(1), root), false},
		{"(k + 1) / √((k + 1)(k + 2))", b.Div(next, root), false},
		{"x / (k + 1)", b.Div(x, next), false},
		{"log x / (k + 1)", b.Div(b.Map(ir.OpLog, x), next), true},
		{"∞ / (k + 1)", b.Div(b.Num(math.Inf(1)), next), true},
		{"1 / k", b.Div(b.Num(1), k), true},
		{"1 / √k", b.Div(b.Num(1), b.Map(ir.OpSqrt, k)), true},
		{"1 / y", b.Div(b.Num(1), y), true},
		{"√x", b.Map(ir.OpSqrt, x), true},
	} {
		values := ir.Reach(c.v)
		r := reverse{b: b, risk: map[*ir.Value]bool{}, unbound: unbound(values)}
		if got := r.risky(c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

package size

import (
	"testing"
)

// A divisor is part of a size: arithmetic keeps it, whole quotients lose it.
func TestDivisor(t *testing.T) {
	k := Dim("K")
	triangle := k.Mul(k.Sub(Const(1))).Div(2)
	for _, c := range []struct {
		p    Poly
		text string
		at   int // for K = 5
	}{
		{triangle, "(K*K - K)/2", 10},
		{triangle.Add(k), "(K*K + K)/2", 15},
		{triangle.Add(triangle), "K*K - K", 20},
		{triangle.Sub(triangle), "0", 0},
		{triangle.Neg(), "(-K*K + K)/2", -10},
		{triangle.Mul(Const(6)), "3*K*K - 3*K", 60},
		{triangle.Mul(triangle), "(K*K*K*K - 2*K*K*K + K*K)/4", 100},
		{triangle.Add(Const(1)), "(K*K - K + 2)/2", 11},
		{Const(12).Div(4), "3", 3},
		{k.Mul(Const(4)).Div(2).Div(2), "K", 5},
	} {
		if got := c.p.String(); got != c.text {
			t.Errorf("%s, want %s", got, c.text)
		}
		if n, ok := c.p.Eval(map[string]int{"K": 5}); !ok || n != c.at {
			t.Errorf("%s = %d, want %d", c.text, n, c.at)
		}
	}
	if triangle.Equal(triangle.Mul(Const(2))) || !triangle.Equal(k.Mul(k).Sub(k).Div(2)) {
		t.Error("sizes are equal when the polynomials are")
	}
	if n, ok := Const(7).Div(7).Number(); !ok || n != 1 {
		t.Error("7/7 is the number 1")
	}
	if _, ok := triangle.Number(); ok {
		t.Error("a triangle is no number")
	}
	if name, ok := k.Mul(Const(3)).Div(3).Name(); !ok || name != "K" {
		t.Error("3K/3 is K")
	}
}

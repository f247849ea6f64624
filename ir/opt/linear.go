package opt

import (
	"math"

	"github.com/sgppl/sgppl/ir"
)

// Products and sums with constants and scalars, of values that depend on the
// unknowns (arithmetic of data alone keeps its order: floor(x / 49) must not
// become floor(x · 0.02…)). A scalar here is a value without axes.
//
//	c·(d·x)        → (cd)·x          (c·x)·y        → c·(x·y)
//	c·(x / d)      → (c/d)·x         (c·x) / (d·y)  → (c/d)·(x / y)
//	s·(t·x[n])     → (s·t)·x[n]      (s·x[n])·y[n]  → s·(x[n]·y[n])
//	x[n] / s       → (1/s)·x[n]      (s·x[n]) / y[n] → s·(x[n] / y[n])
//	x + x          → 2·x             −x − x         → −2·x
//	s·a[n] − s·b   → s·(a[n] − b)

// coefficient splits v into a constant and the rest.
func coefficient(b *ir.Builder, v *ir.Value) (c float64, rest *ir.Value) {
	if c, ok := v.Const(); ok {
		return c, b.Num(1)
	}
	switch v.Op {
	case ir.OpNeg:
		c, rest = coefficient(b, v.Args[0])
		return -c, rest
	case ir.OpMul:
		for i, a := range v.Args {
			if c, ok := a.Const(); ok {
				return c, v.Args[1-i]
			}
		}
	case ir.OpDiv:
		if c, ok := v.Args[1].Const(); ok && plain(1/c) {
			return 1 / c, v.Args[0]
		}
		if c, ok := v.Args[0].Const(); ok && c != 1 {
			return c, b.Div(b.Num(1), v.Args[1])
		}
	}
	return 1, v
}

// plain numbers are finite and not 0: safe as coefficients.
func plain(c float64) bool { return c != 0 && !math.IsNaN(c) && !math.IsInf(c, 0) }

// times is c·v.
func times(b *ir.Builder, c float64, v *ir.Value) *ir.Value {
	switch {
	case c == 0:
		return b.Num(0)
	case c == -1 && is(v, ir.OpSub):
		return b.Sub(v.Args[1], v.Args[0])
	}
	return b.Mul(b.Num(c), v) // the builder drops 1 and turns −1 into a negation
}

// scalarOf splits s·x where s is a scalar that is not a constant, and x has axes.
func scalarOf(v *ir.Value) (s, x *ir.Value, ok bool) {
	if is(v, ir.OpMul) {
		for i, a := range v.Args {
			if _, constant := a.Const(); !constant && len(a.Axes) == 0 &&
				len(v.Args[1-i].Axes) > 0 && !v.Args[1-i].Sparse {
				return a, v.Args[1-i], true
			}
		}
	}
	return nil, nil, false
}

// covers reports whether x has every axis of y.
func covers(x, y *ir.Value) bool { return len(ir.Without(y.Axes, x.Axes)) == 0 }

// linearProduct returns x·y with constants in front, followed by scalars; nil where nothing is to
// be moved.
func linearProduct(b *ir.Builder, x, y *ir.Value) *ir.Value {
	if !x.State() && !y.State() || x.Sparse || y.Sparse {
		return nil
	}
	cx, rx := coefficient(b, x)
	cy, ry := coefficient(b, y)
	_, xConst := x.Const()
	_, yConst := y.Const()
	if c := cx * cy; (rx != x && ry != y || rx != x && !xConst || ry != y && !yConst) && plain(c) {
		return times(b, c, product(b, rx, ry))
	}
	if xConst || yConst {
		return nil
	}
	if s, u, ok := scalarOf(x); ok && covers(u, y) {
		return moved(b, s, u, y)
	}
	if s, u, ok := scalarOf(y); ok && covers(u, x) {
		return moved(b, s, u, x)
	}
	return nil
}

// moved is (s·u)·y.
func moved(b *ir.Builder, s, u, y *ir.Value) *ir.Value {
	if len(y.Axes) == 0 {
		return product(b, product(b, s, y), u)
	}
	return product(b, s, product(b, u, y))
}

// linearQuotient returns x/y with constants in front, followed by scalars; nil where nothing is to
// be moved.
func linearQuotient(b *ir.Builder, x, y *ir.Value) *ir.Value {
	if !x.State() && !y.State() || x.Sparse || y.Sparse {
		return nil
	}
	cx, rx := coefficient(b, x)
	cy, ry := coefficient(b, y)
	if c := cx / cy; plain(c) && plain(cy) && (ry != y || rx != x && !rx.Is(1)) {
		if ry.Is(1) {
			return times(b, c, rx)
		}
		return times(b, c, quotient(b, rx, ry))
	}
	if len(y.Axes) == 0 && len(x.Axes) > 0 {
		return product(b, b.Div(b.Num(1), y), x)
	}
	if s, u, ok := scalarOf(x); ok && covers(u, y) {
		return product(b, s, quotient(b, u, y))
	}
	return nil
}

// quotient is x/y, simplified.
func quotient(b *ir.Builder, x, y *ir.Value) *ir.Value {
	if v := linearQuotient(b, x, y); v != nil {
		return v
	}
	return b.Div(x, y)
}

// linearSum returns x + y, or x − y for sign −1, with like terms combined; nil where there are
// none.
func linearSum(b *ir.Builder, x, y *ir.Value, sign float64) *ir.Value {
	if !x.State() && !y.State() {
		return nil
	}
	cx, rx := coefficient(b, x)
	cy, ry := coefficient(b, y)
	if rx == ry && !rx.Is(1) {
		return times(b, cx+sign*cy, rx)
	}
	if is(x, ir.OpMul) && is(y, ir.OpMul) {
		for i, s := range x.Args {
			for j, t := range y.Args {
				if u, v := x.Args[1-i], y.Args[1-j]; s == t && len(s.Axes) == 0 &&
					len(u.Axes)+len(v.Axes) > 0 && !u.Sparse && !v.Sparse {
					return product(b, s, signed(b, u, v, sign))
				}
			}
		}
	}
	return nil
}

func signed(b *ir.Builder, x, y *ir.Value, sign float64) *ir.Value {
	if sign < 0 {
		if v := linearSum(b, x, y, sign); v != nil {
			return v
		}
		return b.Sub(x, y)
	}
	if v := addition(b, x, y); v != nil {
		return v
	}
	return b.Add(x, y)
}

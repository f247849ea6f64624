package opt

import "github.com/sgppl/sgppl/ir"

// known-terms: the terms of a sum that do not depend on unknowns are added up first.
//
//	((s − 1.6) − 1.1) + (d + t)   → (s + t) + (d − 2.7)     d of data, s and t of unknowns
//
// A sum that has other uses stays one.
func knownTerms(b *ir.Builder, f *ir.Func) *ir.Func {
	users, inner := map[*ir.Value]int{}, map[*ir.Value]bool{}
	for _, v := range f.Values() {
		for _, a := range v.Args {
			users[a]++
			inner[a] = inner[a] || scalarSum(v) && scalarSum(a)
		}
	}
	for _, o := range f.Outputs {
		users[o.Value]++
	}
	opens := map[*ir.Value]bool{} // sums of which another sum is the only user
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if !scalarSum(v) {
			return nil
		}
		now := b.Like(v, args)
		if inner[v] && users[v] == 1 {
			opens[now] = true
			return now
		}
		t := terms{b: b, opens: opens}
		t.parts(now, 1)
		switch {
		case !scalarSum(now) || t.count < 2:
			return now
		case t.state == nil:
			return t.known
		}
		return t.join(t.state, t.known, 1)
	})
}

// scalarSum reports whether v is a sum, difference or negative of numbers with unknowns.
func scalarSum(v *ir.Value) bool {
	return len(v.Axes) == 0 && v.State() && (is(v, ir.OpAdd) || is(v, ir.OpSub) || is(v, ir.OpNeg))
}

// terms are the terms of a sum: state adds up those with unknowns, in their order, and known the
// others.
type terms struct {
	b            *ir.Builder
	opens        map[*ir.Value]bool
	state, known *ir.Value
	count        int // number of known terms
}

// parts adds the arguments of a sum.
func (t *terms) parts(v *ir.Value, sign float64) {
	for i, a := range v.Args {
		s := sign
		if is(v, ir.OpNeg) || is(v, ir.OpSub) && i == 1 {
			s = -s
		}
		_, constant := a.Const()
		switch {
		case t.opens[a] && scalarSum(a):
			t.parts(a, s)
		case constant || beforehand(a) || is(a, ir.OpSize) && len(a.Over) == 0:
			t.count++
			t.known = t.join(t.known, a, s)
		default:
			t.state = t.join(t.state, a, s)
		}
	}
}

// join returns x + sign·y, where x may still be nil.
func (t *terms) join(x, y *ir.Value, sign float64) *ir.Value {
	if c, ok := y.Const(); ok && c < 0 {
		y, sign = t.b.Num(-c), -sign
	}
	switch {
	case x == nil && sign < 0:
		return t.b.Neg(y)
	case x == nil:
		return y
	case is(x, ir.OpNeg) && sign > 0: // −x + y
		return t.b.Sub(y, x.Args[0])
	case sign < 0:
		return t.b.Sub(x, y)
	}
	return t.b.Add(x, y)
}

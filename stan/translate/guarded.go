package translate

import "github.com/sgppl/sgppl/runtime/math/size"

// guarded is a value that a let gets in the place where conditions hold. The language computes a
// let wherever it stands. So where a subscript may be outside its axis once a condition fails, the
// let is 0 there:
//
//	if (i < N) { real d = x[i + 1] - x[i]; … }
//	→   let d = if i < N - 1 then x[i + 1] - x[i] else 0
func (t *translator) guarded(conds []node, val *value) *value {
	c := and(conds)
	if isTrue(c) || val.t.base == tupleBase || !t.runsOut(val.n) {
		return val
	}
	none := node(num(0))
	if len(val.sh) > 0 {
		none = t.eachOf(val.sh, func([]size.Poly) node { return num(0) })
		if val.t.base != intBase {
			none = zeros(val.sh)
		}
	}
	out := *val
	out.n = t.choose(c, t.raw(val), none)
	out.unk = t.unknown(out.n)
	return &out
}

// runsOut reports whether a subscript in a node may be outside its axis, as far as the ranges of
// indices tell.
func (t *translator) runsOut(n node) bool {
	found := false
	t.walk(n, func(x node) {
		i, ok := x.(index)
		if !ok || found {
			return
		}
		sh := t.shapeOf(i.x)
		for k, s := range i.subs {
			lo, hi := s, s
			after := size.Const(1)
			if r, is := s.(slice); is {
				lo, hi, after = r.lo, r.hi, size.Poly{}
			}
			if w, is := wholeOf(lo); is {
				if a, one := w.Name(); one && t.syms[a] != nil && t.syms[a].typed != nil {
					continue // the type of the data says that it is inside
				}
				found = found || !t.atLeast(w, size.Poly{})
			}
			if w, is := wholeOf(hi); is && k < len(sh) {
				found = found || !t.atLeast(sh[k], w.Add(after))
			}
		}
	})
	return found
}

// wholeOf is a subscript, or an end of a slice, that is one whole number.
func wholeOf(n node) (size.Poly, bool) {
	if n == nil {
		return size.Poly{}, false
	}
	w, ok := unplus(n).(whole)
	return w.p, ok
}

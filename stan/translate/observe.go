package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// tildeForm makes a statement with ~ where that says the same as in Stan: data that no other
// statement models, and params whose type does not condition the law. nil where it does not.
func (t *translator) tildeForm(l *lawCall, lo, hi *value, s *syntax.Tilde) *stmt {
	if len(t.conds) > 0 || t.callAt != nil && len(t.loops) == 0 && false {
		return nil
	}
	n := l.y.n
	if w, ok := n.(whole); ok { // a whole number of the data
		p := w.p
		if l.d.shift {
			p = p.Sub(size.Const(1))
		}
		name, one := p.Name()
		if !one || t.syms[name] == nil || t.syms[name].atom == nil {
			return nil
		}
		n = t.syms[name].atom
	}
	root, ok := rootRef(n).(ref)
	if !ok {
		return nil
	}
	var subs []node
	if x, ok := n.(index); ok {
		subs = x.subs
	}
	if t.lazy(l.y) || slices.ContainsFunc(subs, func(x node) bool { return !isPlain(x) }) {
		return nil
	}
	if t.bound != nil && len(t.loops) == 0 && len(subs) > 0 {
		return nil // one entry of many
	}
	// Every index of the plates around stands in the left side, and each only once.
	var seen []*sym
	for _, x := range subs {
		w, ok := unplus(x).(whole)
		if !ok {
			return nil
		}
		name, one := w.p.Name()
		if !one {
			continue
		}
		if sy := t.syms[name]; sy != nil && sy.isIdx && !slices.Contains(seen, sy) {
			seen = append(seen, sy)
		} else if sy != nil && sy.atom != nil {
			return nil
		}
	}
	for _, lp := range t.loops {
		if lp.v == nil || !slices.Contains(seen, lp.v) {
			return nil
		}
	}
	g, p := t.givenOf(root.s), t.paramOf(root)
	switch {
	case g != nil:
		if g.observed != nil || !t.fitsKind(l, g) {
			return nil
		}
		if s.Trunc && lo == nil && hi == nil {
			s.Trunc = false
		}
		g.observed = s
		if g.kind == "" {
			if l.d.shift {
				if !t.asIndex(l, g) {
					g.observed = nil
					return nil
				}
			} else if l.d.kind != "" {
				g.kind = l.d.kind
			}
		}
	case p != nil:
		if p.prior || p.chol || s.Trunc && !t.plainTrunc(p, lo, hi) || !t.sameLaw(l, p) ||
			!t.wholeParam(p, subs) {
			return nil
		}
		p.prior, lo, hi = true, nil, nil
	default:
		return nil
	}
	fam := l.y.sh[:len(l.y.sh)-l.d.axes]
	w := &law{name: l.to(), same: true}
	for i, a := range l.args {
		x := t.argument(l, i, a)
		w.same = w.same && a.t.rank() == l.d.args[i]
		if k := a.t.rank() - l.d.args[i]; k > len(fam) {
			return nil
		} else if k > 0 {
			x = t.reshaped(x, slices.Concat(a.sh[:k], a.sh[k:]), slices.Concat(fam[len(fam)-k:], a.sh[k:]))
		}
		if t.lazy(a) {
			return nil
		}
		w.args = append(w.args, x)
	}
	if s.Trunc && (lo != nil || hi != nil) {
		w.trunc = true
		if lo != nil {
			w.lo = t.raw(lo)
		}
		if hi != nil {
			w.hi = t.raw(hi)
		}
	}
	t.terms++
	return &stmt{kind: tildeStmt, left: n, law: w, span: s.Pos()}
}

func (t *translator) givenOf(s *sym) *given {
	for _, g := range t.data {
		if g.s == s {
			return g
		}
	}
	return nil
}

// fitsKind reports whether data can be observed as they are declared.
func (t *translator) fitsKind(l *lawCall, g *given) bool {
	switch {
	case l.d.shift:
		return g.info.shift == 1 && (g.kind == "" || g.kind == "index")
	case l.d.kind == "bool":
		return g.kind == "" || g.kind == "bool"
	case l.d.kind == "count":
		return g.info.shift == 0 && g.kind != "bool" && g.kind != "index"
	}
	return g.info.shift == 0
}

// asIndex types data by the number of categories of its law.
func (t *translator) asIndex(l *lawCall, g *given) bool {
	last := l.args[len(l.args)-1]
	k := last.sh[len(last.sh)-1]
	if l.name == "ordered_logistic" || l.name == "ordered_probit" {
		k = k.Add(size.Const(1))
	}
	if t.moves(k) {
		return false
	}
	g.kind, g.levels = "index", k
	return true
}

// plainTrunc reports whether a truncation is what the type of the param says already: the
// language divides by the probability of the type.
func (t *translator) plainTrunc(p *param, lo, hi *value) bool {
	return t.same(p.lower, nodeOf(lo)) && t.same(p.upper, nodeOf(hi))
}

// sameLaw reports whether the law of a param on its type is Stan's. The language divides by the
// probability of the type, which matters where that depends on unknowns.
func (t *translator) sameLaw(l *lawCall, p *param) bool {
	if p.kind == "real" {
		return l.d.on == ""
	}
	if l.d.on != "" && l.d.on == p.kind {
		return true
	}
	if l.d.on != "" && l.d.on != "positive" && l.d.on != "unit" {
		return false
	}
	switch p.kind {
	case "positive", "unit", "interval", "ordered", "positive_ordered", "sum_to_zero":
		if l.d.axes > 0 || !l.d.cdf {
			return false
		}
		if p.ends {
			return false // ends that depend on unknowns
		}
		for _, a := range l.args {
			if t.unknown(a.n) {
				return false
			}
			if p.kind != "positive" && p.kind != "unit" && p.kind != "interval" && a.t.rank() > 0 {
				return false
			}
		}
		return true
	}
	return false
}

// wholeParam reports whether a statement gives every entry of a param its law: with an index over
// all of each axis that stands in the left side.
func (t *translator) wholeParam(p *param, subs []node) bool {
	if len(subs) > len(p.fam) {
		return false
	}
	for k, x := range subs {
		w, ok := x.(whole)
		if !ok {
			return false
		}
		name, one := w.p.Name()
		s := t.syms[name]
		if !one || s == nil || !s.isIdx || !s.lo.Equal(size.Poly{}) || !s.hi.Equal(p.fam[k]) {
			return false
		}
	}
	return true
}

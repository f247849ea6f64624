package translate

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// A subst replaces syms by nodes.
type subst map[*sym]node

// replace puts nodes in the place of syms.
func (t *translator) replace(n node, s subst) node {
	if len(s) == 0 || n == nil {
		return n
	}
	switch n := n.(type) {
	case ref:
		if x, ok := s[n.s]; ok {
			return x
		}
		return n
	case whole:
		p, changed := t.replacePoly(n.p, s)
		if !changed {
			return n
		}
		return whole{p}
	case comp:
		binds := slices.Clone(n.binds)
		for i := range binds {
			binds[i].lo, _ = t.replacePoly(binds[i].lo, s)
			binds[i].hi, _ = t.replacePoly(binds[i].hi, s)
		}
		n.binds, n.elem = binds, t.replace(n.elem, s)
		return n
	case *scan:
		m := mapNode(n, func(x node) node { return t.replace(x, s) }).(*scan)
		m.lo, _ = t.replacePoly(n.lo, s)
		m.hi, _ = t.replacePoly(n.hi, s)
		return m
	case index:
		return mergedSubs(mapNode(n, func(x node) node { return t.replace(x, s) }).(index))
	}
	return mapNode(n, func(x node) node { return t.replace(x, s) })
}

func (t *translator) replacePoly(p size.Poly, s subst) (size.Poly, bool) {
	changed := false
	for _, d := range p.Dims() {
		y := t.syms[d]
		if y == nil {
			continue
		}
		x, hit := s[y]
		if !hit && y.atom != nil {
			if z := t.replace(y.atom, s); !t.same(z, y.atom) {
				x, hit = whole{t.atomLike(z, y, s)}, true
			}
		}
		if !hit {
			continue
		}
		changed = true
		p = compose(p, d, t.polyOf(x))
	}
	return p, changed
}

// polyOf is the polynomial of a whole number.
func (t *translator) polyOf(n node) size.Poly {
	switch n := n.(type) {
	case whole:
		return n.p
	case ref:
		return size.Dim(n.s.key)
	}
	return t.atom(n, nil)
}

// compose puts q in the place of d in p.
func compose(p size.Poly, d string, q size.Poly) size.Poly {
	out := size.Poly{}
	for _, term := range p.Terms {
		x := size.Const(term.Coef)
		for _, f := range term.Dims {
			if f == d {
				x = x.Mul(q)
			} else {
				x = x.Mul(size.Dim(f))
			}
		}
		out = out.Add(x)
	}
	if p.Over > 1 {
		out = out.Div(p.Over)
	}
	return out
}

// atom makes a whole number of a node that is no polynomial; the same node is the same atom.
func (t *translator) atom(n node, like *sym) size.Poly {
	if x, ok := t.number(n); ok && x == math.Trunc(x) && math.Abs(x) < 1<<52 {
		return size.Const(int(x))
	}
	key := "@" + t.text(n)
	if t.syms[key] == nil {
		s := &sym{key: key, atom: n}
		if like != nil {
			s.typed, s.top, s.neg = like.typed, like.top, like.neg
		} else {
			s.neg = true
		}
		t.syms[key] = s
	}
	return size.Dim(key)
}

func (t *translator) atomLike(n node, like *sym, s subst) size.Poly {
	if w, ok := n.(whole); ok {
		return w.p
	}
	return t.atom(n, like)
}

// same compares nodes by their text.
func (t *translator) same(a, b node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return t.text(a) == t.text(b)
}

// weight counts the parts of a node.
func (t *translator) weight(n node) int {
	k := 0
	t.walk(n, func(node) { k++ })
	return k
}

// mentions counts how often a sym stands in a node.
func (t *translator) mentions(n node, s *sym) int {
	k := 0
	t.walk(n, func(x node) {
		if r, ok := x.(ref); ok && r.s == s {
			k++
		}
	})
	return k
}

package translate

import "github.com/sgppl/sgppl/runtime/math/size"

// span bounds a whole number: sizes are at least 0, indices lie in their ranges. nil is no bound.
func (t *translator) span(p size.Poly) (lo, hi *int) {
	return t.least(p, 0), negated(t.least(p.Neg(), 0))
}

func negated(p *int) *int {
	if p == nil {
		return nil
	}
	n := -*p
	return &n
}

// least is a lower bound of a polynomial; nil where none is found. An index that stands in it is
// put at the end of its range where the polynomial is least.
func (t *translator) least(p size.Poly, depth int) *int {
	if n, ok := p.Number(); ok {
		return &n
	}
	if depth > 8 || p.Over > 1 {
		return nil
	}
	// Indices first: the polynomial is linear in each that stands alone in one term.
	for _, term := range p.Terms {
		for _, d := range term.Dims {
			s := t.syms[d]
			if s == nil || !s.isIdx || len(term.Dims) != 1 || !alone(p, d) {
				continue
			}
			at := s.lo
			if term.Coef < 0 {
				at = s.hi.Sub(size.Const(1))
			}
			return t.least(compose(p, d, at), depth+1)
		}
	}
	sum := 0
	for _, term := range p.Terms {
		if len(term.Dims) == 0 {
			sum += term.Coef
			continue
		}
		low, ok := 1, true
		for _, d := range term.Dims {
			s := t.syms[d]
			switch {
			case s == nil || s.isIdx && t.least(s.lo, depth+1) == nil:
				ok = false
			case s.atom != nil && s.neg:
				ok = false
			case s.atom == nil && !s.isIdx:
				low *= t.minDim[d]
			default:
				low = 0
			}
		}
		if !ok {
			return nil
		}
		if term.Coef < 0 {
			if len(term.Dims) == 1 {
				if s := t.syms[term.Dims[0]]; s != nil && s.atom != nil && s.top != nil {
					q := compose(p, term.Dims[0], s.top.Sub(size.Const(1)))
					return t.least(q, depth+1)
				}
			}
			return nil
		}
		sum += term.Coef * low
	}
	return &sum
}

// alone reports whether d stands in one term of p only.
func alone(p size.Poly, d string) bool {
	n := 0
	for _, term := range p.Terms {
		for _, x := range term.Dims {
			if x == d {
				n++
			}
		}
	}
	return n == 1
}

// atLeast reports whether p is provably q or more.
func (t *translator) atLeast(p, q size.Poly) bool {
	low := t.least(p.Sub(q), 0)
	return low != nil && *low >= 0
}

// noteMost notes that a length that data or an index give is at most a size.
func (t *translator) noteMost(n, most size.Poly) {
	if t.moves(n) && !t.moves(most) {
		t.most[n.String()] = most
	}
}

// highest reports whether the language can see how large a number can be that moves: it is made of
// indices, and of entries of data whose type has a highest value.
func (t *translator) highest(p size.Poly) bool {
	for _, d := range p.Dims() {
		s := t.syms[d]
		if s != nil && s.atom != nil && s.top == nil {
			return false
		}
	}
	return true
}

// topmost has the highest values of data in the place of those that a number grows with.
func (t *translator) topmost(p size.Poly) size.Poly {
	for _, term := range p.Terms {
		for _, d := range term.Dims {
			s := t.syms[d]
			if s != nil && s.atom != nil && s.top != nil && term.Coef > 0 && len(term.Dims) == 1 &&
				alone(p, d) {
				return t.topmost(compose(p, d, s.top.Sub(size.Const(1))))
			}
		}
	}
	return p
}

// masked is a reduction over a range whose end has a highest value that is not known, as one over
// all
// that it can reach, with a neutral value behind the end.
func (t *translator) masked(c comp, neutral node) node {
	if len(c.binds) != 1 || t.highest(c.binds[0].hi) {
		return c
	}
	b := c.binds[0]
	most, ok := t.most[b.hi.String()]
	if !ok {
		return c
	}
	v := t.newIndex(b.v.base, b.lo, most)
	at := whole{size.Dim(v.key)}
	c.elem = t.choose(binary{"<", at, whole{b.hi}}, t.replace(c.elem, subst{b.v: at}), neutral)
	c.binds = []bind{{v, b.lo, most}}
	return c
}

// reach finds a size that no turn of a loop exceeds: that of an axis which its index goes along.
func (t *translator) reach(lo, hi size.Poly, name string, body func(*sym)) (size.Poly, bool) {
	if t.highest(hi) {
		if most := t.furthest(t.topmost(hi), true); !t.moves(most) {
			return most, true
		}
	}
	v := t.newIndex(name, lo, hi)
	m := t.remember()
	oldReading, oldFrom := t.reading, t.readFrom
	t.reading, t.readFrom = map[*sym]size.Poly{}, len(t.conds)
	t.spies = append(t.spies, &spy{v: &variable{}, turn: v})
	t.loops = append(t.loops, &loop{v: v, lo: lo, hi: hi, assigned: map[*variable]bool{},
		carried: map[*variable]bool{}, start: map[*variable]int{}, seen: map[*variable]*spy{}})
	func() {
		defer func() {
			if r := recover(); r != nil {
				switch r.(type) {
				case stop, needCarry:
				default:
					panic(r)
				}
			}
		}()
		t.inBlock(func() { body(v) })
	}()
	most, ok := t.reading[v]
	t.spies = t.spies[:len(t.spies)-1]
	t.reading, t.readFrom = oldReading, oldFrom
	t.forget(m)
	return most, ok
}

// noteReading notes the axis that an index goes along. What is read under a condition says nothing
// of the turns in which it fails.
func (t *translator) noteReading(p, axis size.Poly) {
	if t.reading == nil || t.moves(axis) || len(t.conds) > t.readFrom {
		return
	}
	for _, d := range p.Dims() {
		s := t.syms[d]
		if s == nil || !s.isIdx || !alone(p, d) {
			continue
		}
		rest := p.Sub(size.Dim(d))
		if t.moves(rest) {
			continue
		}
		most := axis.Sub(rest)
		if old, ok := t.reading[s]; ok {
			if n, isNum := most.Sub(old).Number(); !isNum || n > 0 {
				continue
			}
		}
		t.reading[s] = most
	}
}

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

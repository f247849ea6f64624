package translate

import "slices"

// mostFacts bounds how many comparisons are decided both ways.
const mostFacts = 6

// A fact is a condition that is assumed to hold, or not to.
type fact struct {
	n     node
	value bool
}

// eitherWay reports whether n reaches a value whichever way a comparison in the condition goes.
func (t *translator) eitherWay(n, condition node, env map[string]int) bool {
	open := t.openIn(condition, env)
	if open == nil || len(t.facts) >= mostFacts {
		return false
	}
	old := t.facts
	defer func() { t.facts = old }()
	for _, v := range []bool{true, false} {
		t.facts = append(slices.Clone(old), fact{open, v})
		if !t.reaches(n, env) {
			return false
		}
	}
	return true
}

// openIn is the first comparison of a condition that is not known.
func (t *translator) openIn(n node, env map[string]int) node {
	if _, known := t.holds(n, env); known {
		return nil
	}
	switch n := n.(type) {
	case ref:
		if n.s.def != nil {
			return t.openIn(n.s.def, env)
		}
	case unary:
		if n.op == "not" {
			return t.openIn(n.x, env)
		}
	case binary:
		if n.op == "and" || n.op == "or" {
			if x := t.openIn(n.x, env); x != nil {
				return x
			}
			return t.openIn(n.y, env)
		}
	}
	return n
}

// assumed is what the facts say of a comparison: of x == y also by x != y, and of x < y by x >= y.
func (t *translator) assumed(n node) (value, known bool) {
	for _, f := range t.facts {
		if t.same(f.n, n) {
			return f.value, true
		}
		a, ok := n.(binary)
		b, ok2 := f.n.(binary)
		if ok && ok2 && opposite[a.op] == b.op && t.same(a.x, b.x) && t.same(a.y, b.y) {
			return !f.value, true
		}
	}
	return false, false
}

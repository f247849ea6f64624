package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// covered replaces choices without an alternative: where the conditions hold for every entry, the
// last one needs no test. Else the variable has entries that nothing assigns.
func (t *translator) covered(v *variable, n node, axes []bind, at source.Span) node {
	if sum, ok := n.(binary); ok && (sum.op == "+" || sum.op == "-") { // of what is added to entries
		if holes(sum.x) || anyBinary(sum.x) {
			sum.x = t.covered(v, sum.x, axes, at)
			n = sum
		}
	}
	if !holes(n) {
		t.noHoles(v, n, at)
		return n
	}
	if !t.everywhere(n, axes) {
		if v == t.partial || t.undecided(n) { // what is left out is no number, as in Stan
			return fillWith(n, unset(v.t))
		}
		t.failNote("give it a value where it is declared, such as rep_vector(0, N)",
			syntax.NotFilled, at, "not every entry of %s is assigned that is read here", v.name)
	}
	n = fill(n)
	t.noHoles(v, n, at)
	return n
}

func anyBinary(n node) bool { _, ok := n.(binary); return ok }

// noHoles refuses a value that is made of one which is not assigned in every case.
func (t *translator) noHoles(v *variable, n node, at source.Span) {
	t.walk(n, func(x node) {
		if c, ok := x.(cond); ok && c.b == nil {
			t.fail(syntax.NotFilled, at, "not every entry of %s is assigned that is read here", v.name)
		}
	})
}

func holes(n node) bool {
	c, ok := n.(cond)
	return ok && (c.b == nil || holes(c.a) || holes(c.b))
}

// undecided reports whether a choice without an alternative has a condition on entries of data.
func (t *translator) undecided(n node) bool {
	c, ok := n.(cond)
	if !ok {
		return false
	}
	if c.b == nil {
		data := false
		t.walk(c.c, func(x node) {
			if w, ok := x.(whole); ok {
				for _, d := range w.p.Dims() {
					s := t.syms[d]
					data = data || s != nil && s.atom != nil
				}
			}
		})
		return data && !t.unknown(c.c)
	}
	return t.undecided(c.a) || t.undecided(c.b)
}

// unset is an entry to which nothing is assigned. A whole number is the least of Stan's, which no
// axis has.
func unset(t typ) node {
	if t.base == intBase {
		return num(-1 << 31)
	}
	return nan
}

// nan is what no number is.
var nan = binary{"-", ref{infSym}, ref{infSym}}

func fillWith(n, x node) node {
	c, ok := n.(cond)
	if !ok {
		return n
	}
	if c.b == nil {
		return cond{c.c, fillWith(c.a, x), x}
	}
	return cond{c.c, fillWith(c.a, x), fillWith(c.b, x)}
}

func fill(n node) node {
	c, ok := n.(cond)
	if !ok {
		return n
	}
	if c.b == nil {
		return fill(c.a)
	}
	return cond{c.c, fill(c.a), fill(c.b)}
}

// everywhere tries all entries for several sizes: linear conditions that hold for these hold for
// all, as their ends are sizes plus small numbers.
func (t *translator) everywhere(n node, axes []bind) bool {
	var names []string
	var note func(p size.Poly)
	note = func(p size.Poly) {
		for _, d := range p.Dims() {
			s := t.syms[d]
			if s != nil && s.isIdx {
				note(s.lo)
				note(s.hi)
			}
			if !slices.Contains(names, d) {
				names = append(names, d)
			}
		}
	}
	for _, a := range axes {
		note(a.lo)
		note(a.hi)
		note(size.Dim(a.v.key))
	}
	t.walkConds(n, func(c node) {
		t.walk(c, func(x node) {
			if w, ok := x.(whole); ok {
				note(w.p)
			}
		})
	})
	var dims, idx []string
	for _, d := range names {
		s := t.syms[d]
		switch {
		case s == nil || s.atom != nil:
		case s.isIdx:
			idx = append(idx, d)
		default:
			dims = append(dims, d)
		}
	}
	if len(idx) > 3 || len(dims) > 4 {
		return false
	}
	for trial := range 7 { // sizes rise, and fall, from one to the next
		env := map[string]int{}
		for i, d := range dims {
			if trial > 3 {
				i = len(dims) - 1 - i
			}
			env[d] = max(t.minDim[d], []int{5, 6, 7, 9, 6, 5, 7}[trial]+i*[]int{0, 1, 2, 3, 1, 2, 3}[trial])
		}
		if !t.allIndices(n, idx, env) {
			return false
		}
	}
	return true
}

func (t *translator) walkConds(n node, visit func(node)) {
	if c, ok := n.(cond); ok {
		visit(c.c)
		t.walkConds(c.a, visit)
		if c.b != nil {
			t.walkConds(c.b, visit)
		}
	}
}

// allIndices tries every value of the indices that are left; those whose ranges depend on others
// come after them.
func (t *translator) allIndices(n node, idx []string, env map[string]int) bool {
	if len(idx) == 0 {
		return t.reaches(n, env)
	}
	for k, d := range idx {
		s := t.syms[d]
		lo, ok := s.lo.Eval(env)
		hi, ok2 := s.hi.Eval(env)
		if !ok || !ok2 {
			continue
		}
		rest := slices.Delete(slices.Clone(idx), k, k+1)
		for i := lo; i < hi; i++ {
			env[d] = i
			if !t.allIndices(n, rest, env) {
				return false
			}
		}
		delete(env, d)
		return true
	}
	return false
}

// reaches reports whether a value is chosen in an environment. What cannot be evaluated is taken
// as true and as false, one comparison after the other.
func (t *translator) reaches(n node, env map[string]int) bool {
	c, ok := n.(cond)
	if !ok {
		return true
	}
	v, known := t.holds(c.c, env)
	switch {
	case !known:
		return t.eitherWay(n, c.c, env)
	case v:
		return t.reaches(c.a, env)
	case c.b == nil:
		return false
	}
	return t.reaches(c.b, env)
}

// holds evaluates a condition on whole numbers.
func (t *translator) holds(n node, env map[string]int) (value, known bool) {
	if v, ok := t.assumed(n); ok {
		return v, true
	}
	switch n := n.(type) {
	case ref:
		if n.s.def != nil { // a condition that has a name
			return t.holds(n.s.def, env)
		}
		return n.s == trueSym, n.s == trueSym || n.s == falseSym
	case unary:
		v, ok := t.holds(n.x, env)
		return !v, ok && n.op == "not"
	case binary:
		if n.op == "and" || n.op == "or" {
			a, ok := t.holds(n.x, env)
			b, ok2 := t.holds(n.y, env)
			if ok && a == (n.op == "or") {
				return a, true
			}
			if ok2 && b == (n.op == "or") {
				return b, true
			}
			return b, ok && ok2
		}
		x, okx := n.x.(whole)
		y, oky := n.y.(whole)
		if !okx || !oky {
			return false, false
		}
		a, ok := x.p.Eval(env)
		b, ok2 := y.p.Eval(env)
		if !ok || !ok2 {
			return false, false
		}
		switch n.op {
		case "<":
			return a < b, true
		case "<=":
			return a <= b, true
		case ">":
			return a > b, true
		case ">=":
			return a >= b, true
		case "==":
			return a == b, true
		case "!=":
			return a != b, true
		}
	}
	return false, false
}

// pieces writes a vector whose entries are assigned one by one as an array, and one whose parts
// stand next to each other as those parts in a row; nil where it is neither.
func (t *translator) pieces(v *variable, r []size.Poly, at source.Span) *value {
	if len(r) > 0 || v.base != nil || t.assignedInside(v) || v.t.base == intBase {
		return nil
	}
	type piece struct {
		lo, n size.Poly
		node  node
		one   bool
	}
	var list []piece
	for _, w := range v.writes {
		if len(w.idx) != 1 || len(w.conds) > 0 || w.add {
			return nil
		}
		p := w.idx[0].p
		switch {
		case w.idx[0].slice && len(w.binds) == 0:
			list = append(list, piece{p, w.idx[0].n, w.val.n, false})
		case len(w.binds) == 0 && !t.moves(p):
			list = append(list, piece{p, size.Const(1), w.val.n, true})
		case len(w.binds) == 1:
			b, c, back := linearIn(p, w.binds)
			if b < 0 || back || t.moves(c) {
				return nil
			}
			lo, hi := w.binds[0].lo, w.binds[0].hi
			if t.moves(lo) || t.moves(hi) {
				return nil
			}
			n := node(comp{elem: w.val.n, binds: w.binds})
			if lo.Equal(size.Poly{}) {
				n = t.comprehension(w.val.n, w.binds)
			}
			list = append(list, piece{lo.Add(c), hi.Sub(lo), n, false})
		default:
			return nil
		}
	}
	for i := 0; i < len(list); i++ { // a single entry that a later part assigns again
		p := list[i]
		again := slices.ContainsFunc(list[i+1:], func(q piece) bool {
			return t.atLeast(p.lo, q.lo) && t.atLeast(q.lo.Add(q.n), p.lo.Add(size.Const(1)))
		})
		if p.one && again {
			list = slices.Delete(list, i, i+1)
			i--
		}
	}
	if len(list) == 1 && list[0].lo.Equal(size.Poly{}) && list[0].n.Equal(v.sh[0]) {
		n := list[0].node
		if list[0].one {
			n = array{[]node{n}}
		}
		return &value{n: n, t: v.t, sh: v.sh, unk: t.unknown(n)}
	}
	var row []node
	at0 := size.Poly{}
	for len(list) > 0 {
		k := slices.IndexFunc(list, func(p piece) bool { return p.lo.Equal(at0) })
		if k < 0 {
			return nil
		}
		p := list[k]
		list = slices.Delete(list, k, k+1)
		at0 = at0.Add(p.n)
		if !p.one {
			row = append(row, p.node)
			continue
		}
		if last := len(row) - 1; last >= 0 {
			if a, ok := row[last].(array); ok {
				row[last] = array{append(slices.Clone(a.elems), p.node)}
				continue
			}
		}
		row = append(row, array{[]node{p.node}})
	}
	if !at0.Equal(v.sh[0]) {
		return nil
	}
	n := row[0]
	if len(row) > 1 {
		n = call{fun: "concat", args: row}
	}
	return &value{n: n, t: v.t, sh: v.sh, unk: t.unknown(n)}
}

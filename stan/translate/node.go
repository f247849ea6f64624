package translate

import (
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// A node is an expression of the language that is being written. Nodes are not changed once made.
type node interface{}

type (
	number struct{ text string }
	// ref is a name: a declared one, a let, or an index.
	ref struct{ s *sym }
	// whole is a polynomial in sizes, indices and atoms.
	whole struct{ p size.Poly }
	call  struct {
		fun  string
		user *sym // a function of the program; fun is empty then
		args []node
		kw   []named
	}
	binary struct {
		op   string
		x, y node
	}
	unary struct {
		op string // - or not
		x  node
	}
	index struct {
		x    node
		subs []node // ranges among them
	}
	slice struct{ lo, hi node } // nil for an open end
	array struct{ elems []node }
	// comp is [elem for binds], or with fun a reduction.
	comp struct {
		fun   string
		elem  node
		binds []bind
	}
	cond  struct{ c, a, b node } // b is nil where nothing is assigned
	tuple struct{ elems []node }
	scan  struct {
		v       *sym
		lo, hi  size.Poly
		carries []carry
		body    *block
		next    []node
	}
)

type named struct {
	name string
	x    node
}

// A bind is an index over the whole numbers from lo to hi, hi not among them.
type bind struct {
	v      *sym
	lo, hi size.Poly
}

type carry struct {
	s    *sym
	init node
}

// A sym is a name of the output. Its text is chosen when all is known.
type sym struct {
	key       string // unique
	base      string // the name that it should have
	text      string // the name that it has, set by the printer
	fixed     bool   // the text is the base
	local     bool   // of a plate, a scan, or a comprehension
	lo        size.Poly
	hi        size.Poly // of an index: its range
	isIdx     bool
	atom      node       // a whole number that is no polynomial
	typed     *size.Poly // of an atom: the size that its type is an index of
	top       *size.Poly // of an atom: it is below this
	neg       bool       // of an atom: it may be below 0
	def       node       // of a let: its value
	cells     bool       // its value is written entry by entry
	unk       bool
	generated bool // a let that is computed after a run
}

func num(n int) node { return whole{size.Const(n)} }

func isNum(n node, k int) bool {
	w, ok := n.(whole)
	if !ok {
		f, is := n.(number)
		if !is {
			return false
		}
		v, err := strconv.ParseFloat(f.text, 64)
		return err == nil && v == float64(k)
	}
	v, ok := w.p.Number()
	return ok && v == k
}

// mapNode rebuilds a node with f applied to its parts.
func mapNode(n node, f func(node) node) node {
	list := func(l []node) []node {
		out := make([]node, len(l))
		for i, x := range l {
			out[i] = f(x)
		}
		return out
	}
	switch n := n.(type) {
	case call:
		n.args = list(n.args)
		kw := slices.Clone(n.kw)
		for i := range kw {
			kw[i].x = f(kw[i].x)
		}
		n.kw = kw
		return n
	case binary:
		n.x, n.y = f(n.x), f(n.y)
		return n
	case unary:
		n.x = f(n.x)
		return n
	case index:
		n.x, n.subs = f(n.x), list(n.subs)
		return n
	case slice:
		if n.lo != nil {
			n.lo = f(n.lo)
		}
		if n.hi != nil {
			n.hi = f(n.hi)
		}
		return n
	case array:
		n.elems = list(n.elems)
		return n
	case tuple:
		n.elems = list(n.elems)
		return n
	case comp:
		n.elem = f(n.elem)
		return n
	case cond:
		n.c, n.a = f(n.c), f(n.a)
		if n.b != nil {
			n.b = f(n.b)
		}
		return n
	case *scan:
		m := *n
		m.carries = slices.Clone(n.carries)
		for i := range m.carries {
			m.carries[i].init = f(m.carries[i].init)
		}
		m.next = list(n.next)
		b := *n.body
		b.stmts = nil
		for _, s := range n.body.stmts {
			c := *s
			if c.value != nil {
				c.value = f(c.value)
			}
			b.stmts = append(b.stmts, &c)
		}
		m.body = &b
		return &m
	}
	return n
}

// walk visits a node and its parts; atoms and the ends of ranges too.
func (t *translator) walk(n node, visit func(node)) {
	if n == nil {
		return
	}
	visit(n)
	poly := func(p size.Poly) {
		for _, d := range p.Dims() {
			s := t.syms[d]
			if s == nil {
				continue
			}
			if s.atom != nil {
				t.walk(s.atom, visit)
			} else {
				visit(ref{s})
			}
		}
	}
	switch n := n.(type) {
	case whole:
		poly(n.p)
	case comp:
		for _, b := range n.binds {
			poly(b.lo)
			poly(b.hi)
		}
	case *scan:
		poly(n.lo)
		poly(n.hi)
	}
	mapNode(n, func(x node) node { t.walk(x, visit); return x })
}

var (
	trueSym  = &sym{key: "true", base: "true", text: "true", fixed: true}
	falseSym = &sym{key: "false", base: "false", text: "false", fixed: true}
	infSym   = &sym{key: "inf", base: "inf", text: "inf", fixed: true}
)

// compare makes a comparison, decided where it can be.
func (t *translator) compare(op string, x, y node) node {
	return t.decided(t.comparison(op, x, y))
}

func (t *translator) comparison(op string, x, y node) node {
	a, ok := x.(whole)
	b, ok2 := y.(whole)
	if ok && ok2 {
		d := a.p.Sub(b.p)
		lo, hi := t.span(d)
		if v, ok := t.decide(op, lo, hi); ok {
			return truth(v)
		}
		if constant(d.Neg()) > 0 { // n < k + 1 is n <= k
			switch op {
			case "<":
				return binary{"<=", x, whole{b.p.Sub(size.Const(1))}}
			case ">=":
				return binary{">", x, whole{b.p.Sub(size.Const(1))}}
			}
		}
	}
	return binary{op, x, y}
}

// constant is the term of a polynomial without names.
func constant(p size.Poly) int {
	for _, term := range p.Terms {
		if len(term.Dims) == 0 {
			return term.Coef
		}
	}
	return 0
}

// decide says what d op 0 is for all d from lo to hi; nil is no end.
func (t *translator) decide(op string, lo, hi *int) (bool, bool) {
	switch op {
	case "<":
		if hi != nil && *hi < 0 {
			return true, true
		}
		if lo != nil && *lo >= 0 {
			return false, true
		}
	case "<=":
		if hi != nil && *hi <= 0 {
			return true, true
		}
		if lo != nil && *lo > 0 {
			return false, true
		}
	case ">", ">=":
		v, ok := t.decide(opposite[op], lo, hi)
		return !v, ok
	case "==":
		if lo != nil && hi != nil && *lo == 0 && *hi == 0 {
			return true, true
		}
		if lo != nil && *lo > 0 || hi != nil && *hi < 0 {
			return false, true
		}
	case "!=":
		v, ok := t.decide("==", lo, hi)
		return !v, ok
	}
	return false, false
}

func (t *translator) choose(c, a, b node) node {
	switch {
	case isTrue(c):
		return a
	case isFalse(c):
		return b
	}
	if u, ok := c.(unary); ok && u.op == "not" && b != nil {
		return t.choose(u.x, b, a)
	}
	if n, ok := c.(binary); ok && n.op == "!=" && b != nil {
		return t.choose(binary{"==", n.x, n.y}, b, a)
	}
	a, b = t.under(a, c), t.under(b, not(c))
	if b != nil && t.same(a, b) {
		return a
	}
	return cond{c, a, b}
}

// under simplifies the choices in n where c is known to hold.
func (t *translator) under(n, c node) node {
	k, ok := n.(cond)
	if !ok {
		return n
	}
	switch {
	case t.same(k.c, c):
		return t.under(k.a, c)
	case t.same(k.c, not(c)):
		return t.under(k.b, c)
	}
	return cond{k.c, t.under(k.a, c), t.under(k.b, c)}
}

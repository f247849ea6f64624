package translate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Levels of precedence, the loosest first.
const (
	pIf = iota
	pOr
	pAnd
	pNot
	pCompare
	pSum
	pProduct
	pSign
	pPower
	pTight
)

var levelOf = map[string]int{"or": pOr, "and": pAnd, "<": pCompare, "<=": pCompare, ">": pCompare,
	">=": pCompare, "==": pCompare, "!=": pCompare, "+": pSum, "-": pSum, "*": pProduct,
	"/": pProduct, "%": pProduct, "@": pProduct, "^": pPower}

// A writer writes nodes as text.
type writer struct {
	t     *translator
	name  func(*sym) string
	bound func(*sym) func() // before an index is used; what it returns ends its scope; may be nil
	scan  func(*writer, *scan) string
}

// text writes a node with the keys of its names: two nodes are the same where it is.
func (t *translator) text(n node) string {
	w := writer{t: t, name: func(s *sym) string { return s.key }}
	return w.expr(n, pIf)
}

func (w *writer) list(l []node) string {
	out := make([]string, len(l))
	for i, x := range l {
		out[i] = w.expr(x, pIf)
	}
	return strings.Join(out, ", ")
}

// expr writes a node where operators of a level and tighter may stand bare.
func (w *writer) expr(n node, level int) string {
	s, own := w.bare(n)
	if own < level {
		return "(" + s + ")"
	}
	return s
}

func (w *writer) bare(n node) (string, int) {
	switch n := n.(type) {
	case number:
		if n.text[0] == '-' {
			return n.text, pSign
		}
		return n.text, pTight
	case ref:
		return w.name(n.s), pTight
	case whole:
		if n.p.Over > 1 && w.t.moves(n.p) { // it is whole, but / is that of reals
			s, _ := w.poly(n.p)
			return "floor(" + s + ")", pTight
		}
		return w.poly(n.p)
	case call:
		return w.call(n), pTight
	case binary:
		return w.binary(n)
	case unary:
		if n.op == "not" {
			return "not " + w.expr(n.x, pNot), pNot
		}
		return "-" + w.expr(n.x, pPower), pSign
	case index:
		n = w.t.flatIndex(n)
		x := w.expr(n.x, pTight)
		return x + "[" + w.list(n.subs) + "]", pTight
	case slice:
		lo, hi := "", ""
		if n.lo != nil {
			lo = w.expr(n.lo, pSum)
		}
		if n.hi != nil {
			hi = w.expr(n.hi, pSum)
		}
		return lo + ":" + hi, pTight
	case array:
		return "[" + w.list(n.elems) + "]", pTight
	case tuple:
		return "(" + w.list(n.elems) + ")", pTight
	case comp:
		binds, end := w.binds(n.binds)
		s := w.expr(n.elem, pIf) + " for " + binds
		end()
		if n.fun != "" {
			return n.fun + "(" + s + ")", pTight
		}
		return "[" + s + "]", pTight
	case cond:
		b := "?"
		if n.b != nil {
			b = w.expr(n.b, pIf)
		}
		return "if " + w.expr(n.c, pOr) + " then " + w.expr(n.a, pOr) + " else " + b, pIf
	case *scan:
		if w.scan != nil {
			return w.scan(w, n), pIf
		}
		s := "scan " + n.v.key + strconv.Itoa(len(n.body.stmts))
		for _, c := range n.carries {
			s += w.name(c.s) + "=" + w.expr(c.init, pIf)
		}
		return s + w.list(n.next), pIf
	}
	return "?", pTight
}

// flatIndex writes x[i][j] as x[i, j], and indices of other sizes with + 0.
func (t *translator) flatIndex(n index) index {
	for {
		inner, ok := n.x.(index)
		if !ok || slices.ContainsFunc(inner.subs, func(s node) bool { return !isPlain(s) }) {
			break
		}
		n = index{inner.x, append(slices.Clone(inner.subs), n.subs...)}
	}
	r, ok := n.x.(ref)
	if !ok || len(t.shapes[r.s]) < len(n.subs) {
		return n
	}
	subs := slices.Clone(n.subs)
	for k, s := range subs {
		if p, ok := unplus(s).(whole); ok && isPlain(s) {
			subs[k] = t.subscript(p.p, t.shapes[r.s][k])
		}
	}
	return index{n.x, subs}
}

func (w *writer) binary(n binary) (string, int) {
	own := levelOf[n.op]
	left, right := own, own+1
	switch own {
	case pPower:
		left, right = pTight, pPower
		if u, ok := n.y.(unary); ok && u.op == "-" {
			right = pSign
		}
	case pCompare:
		left, right = pSum, pSum
	}
	return w.expr(n.x, left) + " " + n.op + " " + w.expr(n.y, right), own
}

func (w *writer) call(n call) string {
	f := n.fun
	if n.user != nil {
		f = w.name(n.user)
	}
	args := w.list(n.args)
	for i, k := range n.kw {
		if i > 0 || args != "" {
			args += ", "
		}
		args += k.name + " = " + w.expr(k.x, pIf)
	}
	return f + "(" + args + ")"
}

// binds writes n in N, m in 1:M; the names are in scope until end is called.
func (w *writer) binds(list []bind) (text string, end func()) {
	var ends []func()
	var out []string
	for _, b := range list {
		in := w.in(b)
		if w.bound != nil {
			ends = append(ends, w.bound(b.v))
		}
		out = append(out, w.name(b.v)+" in "+in)
	}
	return strings.Join(out, ", "), func() {
		for _, e := range ends {
			e()
		}
	}
}

func (w *writer) in(b bind) string {
	hi := w.expr(whole{b.hi}, pSum)
	if n, ok := b.lo.Number(); ok && n == 0 && !w.t.moves(b.hi) {
		return hi
	}
	return w.expr(whole{b.lo}, pSum) + ":" + hi
}

// moves reports whether a size depends on an index or on entries of data.
func (t *translator) moves(p size.Poly) bool {
	for _, d := range p.Dims() {
		if s := t.syms[d]; s != nil && (s.isIdx || s.atom != nil) {
			return true
		}
	}
	return false
}

// poly writes a polynomial, its positive terms first.
func (w *writer) poly(p size.Poly) (string, int) {
	if n, ok := p.Number(); ok {
		if n < 0 {
			return strconv.Itoa(n), pSign
		}
		return strconv.Itoa(n), pTight
	}
	var pos, neg []size.Term
	constant := 0
	for _, term := range p.Terms {
		switch {
		case len(term.Dims) == 0:
			constant = term.Coef
		case term.Coef < 0:
			neg = append(neg, term)
		default:
			pos = append(pos, term)
		}
	}
	out, parts := "", 0
	put := func(s string, minus bool) {
		switch {
		case parts == 0 && minus:
			out = "-" + s
		case parts == 0:
			out = s
		case minus:
			out += " - " + s
		default:
			out += " + " + s
		}
		parts++
	}
	own := pTight
	if constant > 0 && len(pos) == 0 {
		put(strconv.Itoa(constant), false)
		constant = 0
	}
	for _, group := range [][]size.Term{pos, neg} {
		for _, term := range group {
			s, level := w.term(term)
			if term.Coef < 0 && parts == 0 {
				if term.Coef == -1 && len(term.Dims) == 1 && level < pPower { // -a % b is (-a) % b
					s, level = "("+s+")", pTight
				}
				level = min(level, pSign)
			}
			own = min(own, level)
			put(s, term.Coef < 0)
		}
	}
	if constant != 0 {
		c := constant
		if c < 0 {
			c = -c
		}
		put(strconv.Itoa(c), constant < 0)
	}
	if parts > 1 {
		own = pSum
	}
	if p.Over > 1 {
		if parts > 1 {
			out = "(" + out + ")"
		}
		return out + " / " + strconv.Itoa(p.Over), pProduct
	}
	return out, own
}

func (w *writer) term(term size.Term) (string, int) {
	var factors []string
	c := term.Coef
	if c < 0 {
		c = -c
	}
	several := c != 1 || len(term.Dims) > 1
	if c != 1 {
		factors = append(factors, strconv.Itoa(c))
	}
	level := pTight
	for _, d := range term.Dims {
		s := w.t.syms[d]
		switch {
		case s == nil:
			factors = append(factors, d)
		case s.atom != nil:
			x, own := w.bare(s.atom)
			if several && own < pPower || own < pProduct {
				x, own = "("+x+")", pTight
			}
			level = min(level, own)
			factors = append(factors, x)
		default:
			factors = append(factors, w.name(s))
		}
	}
	if several {
		level = pProduct
	}
	return strings.Join(factors, " * "), level
}

package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A lift writes a scan that stands in a loop for all turns of the loop at once: what it carries,
// and what its steps compute, gets the loop as its first axis. Only such a scan can be read outside
// the loop if it carries several values.
//
//	for m { (a, b) = scan t from (a0[m], b0[m]) { (f(a, b, m), g(a, b, m)) } }
//	→   (a, b) = scan t from (a0, b0) { ([f(a[m], b[m], m) for m], [g(a[m], b[m], m) for m]) }
type lift struct {
	*translator
	l  *loop
	at source.Span
}

// scan adds the scan of a statement to a block, for all turns, and returns what stands for its
// results in one turn.
func (c *lift) scan(x *stmt, blk *block) subst {
	sc := x.value.(*scan)
	if c.mentions(whole{sc.lo}, c.l.v)+c.mentions(whole{sc.hi}, c.l.v) > 0 {
		c.fail(syntax.LoopCarried, c.at, "a scan of several values inside a loop, whose ends move with "+
			"the loop and whose steps are read outside, has no counterpart")
	}
	all := &scan{v: sc.v, lo: sc.lo, hi: sc.hi, body: &block{parent: blk}}
	here := subst{}
	for _, y := range sc.carries {
		s := c.like(y.s)
		all.carries = append(all.carries, carry{s, c.turns(y.init)})
		here[y.s] = c.turn(ref{s}, 0)
	}
	for _, y := range sc.body.stmts {
		if inner, ok := y.value.(*scan); ok && len(y.syms) > 1 {
			z := *y
			z.value = c.replace(inner, here)
			for s, n := range c.scan(&z, all.body) {
				here[s] = n
			}
			continue
		}
		n := c.replace(y.value, here)
		if c.mentions(n, c.l.v) == 0 {
			all.body.stmts = append(all.body.stmts, &stmt{kind: letStmt, syms: y.syms, value: n,
				span: y.span})
			continue
		}
		s := c.like(y.syms[0])
		s.def = c.turns(n)
		all.body.stmts = append(all.body.stmts, &stmt{kind: letStmt, syms: []*sym{s}, value: s.def,
			span: y.span})
		here[y.syms[0]] = c.turn(ref{s}, 0)
	}
	for _, n := range sc.next {
		all.next = append(all.next, c.turns(c.replace(n, here)))
	}
	st := &stmt{kind: letStmt, value: all, span: x.span}
	out := subst{}
	for _, y := range x.syms {
		s := c.like(y)
		s.local = blk.parent != nil
		if sh := c.shapes[y]; len(sh) > 0 {
			c.shapes[s] = append([]size.Poly{sh[0], c.l.hi.Sub(c.l.lo)}, sh[1:]...)
		}
		st.syms = append(st.syms, s)
		out[y] = c.turn(ref{s}, 1)
	}
	blk.stmts = append(blk.stmts, st)
	return out
}

// like is a name for the values of all turns.
func (c *lift) like(y *sym) *sym {
	s := c.newSym(strings.TrimSpace(y.base))
	s.unk, s.local = y.unk, true
	c.auto[s] = c.auto[y]
	c.shapes[s] = append([]size.Poly{c.l.hi.Sub(c.l.lo)}, c.shapes[y]...)
	if info, ok := c.ints[y]; ok {
		c.ints[s] = info
	}
	return s
}

// turns is a value for all turns.
func (c *lift) turns(n node) node {
	b := []bind{{c.l.v, c.l.lo, c.l.hi}}
	if c.l.lo.Equal(size.Poly{}) {
		return c.comprehension(n, b)
	}
	return comp{elem: n, binds: b}
}

// turn is what one turn has of an array whose given axis is the loop.
func (c *lift) turn(n node, axis int) node {
	subs := make([]node, axis+1)
	for k := range axis {
		subs[k] = slice{}
	}
	subs[axis] = whole{size.Dim(c.l.v.key).Sub(c.l.lo)}
	return index{n, subs}
}

// mergedSubs is x[:, m][t] as x[t, m].
func mergedSubs(n index) node {
	x, ok := n.x.(index)
	if !ok || len(x.subs) != 2 || len(n.subs) == 0 || !isPlain(n.subs[0]) || !isPlain(x.subs[1]) {
		return n
	}
	if s, ok := x.subs[0].(slice); !ok || s.lo != nil || s.hi != nil {
		return n
	}
	return index{x.x, append([]node{n.subs[0], x.subs[1]}, n.subs[1:]...)}
}

package translate

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// isIndex reports whether a whole number is an index by its type: a literal, the index of a loop,
// or an entry of data that are indices.
func (t *translator) isIndex(n node) bool {
	w, ok := n.(whole)
	if !ok {
		return true
	}
	if _, ok := w.p.Number(); ok {
		return true
	}
	name, one := w.p.Name()
	if !one || t.syms[name] == nil {
		return false
	}
	s := t.syms[name]
	if s.atom == nil {
		return s.isIdx
	}
	root := t.rootOf(s.atom)
	return s.typed != nil || root == nil || t.ints[root].shift == 1
}

// byCategory is the log density of any whole number, args[0], by a law of categories: the term of
// the one that it is, or -inf where it is none.
func (t *translator) byCategory(l *lawCall, args []node) node {
	last := l.args[len(l.args)-1]
	n := last.sh[len(last.sh)-1]
	if strings.HasPrefix(l.name, "ordered_") {
		n = n.Add(size.Const(1))
	}
	y := args[0]
	k := t.newIndex("k", size.Poly{}, n)
	args[0] = whole{size.Dim(k.key)}
	is := t.compare("==", args[0], y)
	sum := comp{fun: "sum", elem: t.choose(is, call{fun: l.to() + ".logpdf", args: args}, num(0)),
		binds: []bind{{k, k.lo, k.hi}}}
	in := and([]node{t.compare(">=", y, num(0)), t.compare("<", y, whole{n})})
	return t.choose(in, sum, unary{"-", ref{infSym}})
}

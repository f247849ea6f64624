package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// while translates a loop that counts up to the first number at which its condition fails, such as
// while (k < N && y[k] < 2) k += 1, and one that has a highest number of turns. How often any other
// one turns only its own turns find.
func (t *translator) while(s *syntax.While) {
	c := t.expr(s.Cond)
	if isFalse(c.n) || t.counts(s) || t.boundedWhile(s) {
		return
	}
	if t.inRNG {
		t.drawsUntil(s)
		return
	}
	t.failNote("give it a highest number of turns: count them, k += 1, and write while (… && k < 100)",
		syntax.NoStatement, s.Pos(), "this while loop has no counterpart: how often it turns only "+
			"its own turns find")
}

// counts translates a loop that does nothing but to count, and reports whether it is one.
func (t *translator) counts(s *syntax.While) bool {
	name, end, rest, closed := counted(s)
	if name == "" {
		return false
	}
	v := t.lookup(name)
	if v == nil || v.fixed || v.t.base != intBase || v.t.arr > 0 {
		return false
	}
	lo := t.intOf(t.expr(&syntax.Name{Span: s.Span, Name: name}), s.Pos())
	hi := t.intOf(t.expr(end), end.Pos())
	if closed {
		hi = hi.Add(size.Const(1))
	}
	if t.moves(lo) || t.moves(hi) || t.polyUnk(lo) || t.polyUnk(hi) {
		return false
	}
	k := t.newIndex(name, lo, hi)
	t.open()
	t.bindVar(name, intVal(size.Dim(k.key)))
	var holds []node
	for _, e := range rest {
		holds = append(holds, t.truthOf(t.expr(e), e.Pos()))
	}
	t.close()
	if !t.inRNG && t.unknown(and(holds)) {
		t.failNote("the density would jump where it turns once more",
			syntax.NoStatement, s.Pos(), "how often this while loop turns depends on unknowns, which "+
				"has no counterpart")
	}
	like := &sym{neg: !t.atLeast(lo, size.Poly{})}
	first := t.atom(comp{fun: "min", binds: []bind{{k, lo, hi}},
		elem: t.choose(and(holds), whole{hi}, whole{size.Dim(k.key)})}, like)
	if len(holds) == 0 {
		first = hi
	}
	last := t.choose(t.compare("<", whole{lo}, whole{hi}), whole{first}, whole{lo})
	w, ok := last.(whole)
	if !ok {
		w = whole{t.atom(last, like)}
	}
	t.assign(v, nil, intVal(w.p), false, s.Pos())
	return true
}

// counted takes a loop such as while (k < end && rest) k += 1 apart; closed says that it is
// k <= end.
func counted(s *syntax.While) (name string, end syntax.Expr, rest []syntax.Expr, closed bool) {
	body := flatten(s.Body)
	if len(body) != 1 {
		return "", nil, nil, false
	}
	a, ok := body[0].(*syntax.Assign)
	if !ok {
		return "", nil, nil, false
	}
	left, ok := a.Left.(*syntax.Name)
	isName := func(e syntax.Expr) bool {
		n, is := e.(*syntax.Name)
		return is && n.Name == left.Name
	}
	sum, isSum := a.Value.(*syntax.Binary)
	switch {
	case !ok:
		return "", nil, nil, false
	case a.Op == "+" && is(a.Value, 1):
	case a.Op == "" && isSum && sum.Op == "+" && isName(sum.X) && is(sum.Y, 1):
	default:
		return "", nil, nil, false
	}
	for _, c := range conjuncts(s.Cond) {
		b, ok := c.(*syntax.Binary)
		if end == nil && ok && (b.Op == "<" || b.Op == "<=") && isName(b.X) &&
			!slices.ContainsFunc(namesIn(b.Y), func(n string) bool { return n == left.Name }) {
			end, closed = b.Y, b.Op == "<="
			continue
		}
		rest = append(rest, c)
	}
	if end == nil {
		return "", nil, nil, false
	}
	return left.Name, end, rest, closed
}

// conjuncts are the conditions that && joins.
func conjuncts(e syntax.Expr) []syntax.Expr {
	if b, ok := e.(*syntax.Binary); ok && b.Op == "&&" {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []syntax.Expr{e}
}

// namesIn are the names in an expression.
func namesIn(e syntax.Expr) (out []string) {
	syntax.WalkExpr(e, func(x syntax.Expr) {
		if n, ok := x.(*syntax.Name); ok {
			out = append(out, n.Name)
		}
	})
	return out
}

// merged takes the braces off blocks, and joins int k; k = 1; to int k = 1;
func merged(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range flatten(list) {
		a, ok := s.(*syntax.Assign)
		if ok && a.Op == "" {
			if n, is := a.Left.(*syntax.Name); is {
				k := slices.IndexFunc(out, func(x syntax.Stmt) bool {
					d, is := x.(*syntax.Decl)
					return is && d.Name == n.Name && d.Value == nil
				})
				if k >= 0 {
					d := *out[k].(*syntax.Decl)
					d.Value = a.Value
					out = append(slices.Delete(out, k, k+1), &d)
					continue
				}
			}
		}
		out = append(out, s)
	}
	return out
}

package translate

import (
	"cmp"
	"slices"

	"github.com/sgppl/sgppl/stan/syntax"
)

// mostDrawn is how often a loop of generated quantities turns at most, such as one that draws until
// a number is accepted.
const mostDrawn = 1000

// drawsUntil translates a loop of generated quantities: as many turns, each of which does nothing
// where the condition does not hold any more. Where it still holds behind the last, what the loop
// assigns is not a number, or of whole numbers what Stan has for one that is not assigned.
func (t *translator) drawsUntil(s *syntax.While) {
	m := maker{s.Span}
	goOn := func(body []syntax.Stmt) syntax.Stmt {
		return &syntax.If{Span: s.Span, Cond: s.Cond, Then: body}
	}
	defer t.asLoops()()
	assigned := t.assignedIn(s.Body)
	t.statement(&syntax.For{Span: s.Span, Var: "draw ", Lo: m.whole(1), Hi: m.whole(mostDrawn),
		Body: []syntax.Stmt{goOn(s.Body)}})
	var names []*variable
	for v := range assigned {
		names = append(names, v)
	}
	slices.SortFunc(names, func(a, b *variable) int { return cmp.Compare(a.name, b.name) })
	var none []syntax.Stmt
	for _, v := range names {
		if v.t.rank() > 0 || v.t.base == tupleBase {
			t.fail(syntax.NoStatement, s.Pos(), "a loop that draws until a condition holds assigns "+
				"numbers, and %s is %v", v.name, v.t)
		}
		value := syntax.Expr(m.call("not_a_number"))
		if v.t.base == intBase {
			value = &syntax.Unary{Span: s.Span, Op: "-", X: m.whole(1 << 31)}
		}
		none = append(none, &syntax.Assign{Span: s.Span, Left: m.name(v.name), Value: value})
	}
	if len(none) > 1 { // the condition is that behind the loop for all of them
		over := "over "
		t.declare(&syntax.Decl{Span: s.Span, Name: over, Type: &syntax.Type{Span: s.Span, Base: "int"},
			Value: s.Cond})
		t.statement(&syntax.If{Span: s.Span, Cond: m.name(over), Then: none})
		return
	}
	t.statement(goOn(none))
}

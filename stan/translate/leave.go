package translate

import (
	"slices"

	"github.com/sgppl/sgppl/stan/syntax"
)

// A loop that break leaves becomes one that turns as often as its range says, and whose turns do
// nothing once it is left: a whole number, `going`, is 1 until then.

// goingKey is the name of that number in the scope of the program, where no variable can have it.
const goingKey = "|going"

// breaks reports whether a break in a list of statements leaves the loop around the list.
func breaks(list []syntax.Stmt) bool {
	return slices.ContainsFunc(list, func(s syntax.Stmt) bool {
		switch s := s.(type) {
		case *syntax.Break:
			return true
		case *syntax.Block:
			return breaks(s.Body)
		case *syntax.If:
			return breaks(s.Then) || breaks(s.Else)
		}
		return false
	})
}

// flagged translates a loop that break leaves.
func (t *translator) flagged(s *syntax.For) {
	name := &syntax.Name{Span: s.Span, Name: goingKey}
	whole := &syntax.Type{Span: s.Span, Base: "int"}
	t.open()
	defer t.close()
	v := t.newVariable(whole, "going", s.Span)
	t.scope[len(t.scope)-1][goingKey] = v
	t.assign(v, nil, t.expr(literalInt(s, "1")), false, s.Span)
	stop := &syntax.Assign{Span: s.Span, Left: name, Value: literalInt(s, "0")}
	body := *s
	body.Body = []syntax.Stmt{&syntax.If{Span: s.Span,
		Cond: &syntax.Binary{Span: s.Span, Op: "==", X: name, Y: literalInt(s, "1")},
		Then: withoutBreaks(s.Body, stop)}}
	t.forLoop(&body)
}

func literalInt(at syntax.Stmt, text string) syntax.Expr {
	return &syntax.Int{Span: at.Pos(), Text: text}
}

// withoutBreaks puts another statement and a continue in the place of each break of a loop's body.
func withoutBreaks(list []syntax.Stmt, stop syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *syntax.Break:
			out[i] = &syntax.Block{Span: s.Span,
				Body: []syntax.Stmt{stop, &syntax.Continue{Span: s.Span}}}
		case *syntax.Block:
			out[i] = &syntax.Block{Span: s.Span, Body: withoutBreaks(s.Body, stop)}
		case *syntax.If:
			out[i] = &syntax.If{Span: s.Span, Cond: s.Cond, Then: withoutBreaks(s.Then, stop),
				Else: withoutBreaks(s.Else, stop)}
		default:
			out[i] = s
		}
	}
	return out
}

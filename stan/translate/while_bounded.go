package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A while loop that counts its turns and has a highest number of them, such as
//
//	while (abs(f) > tol && k < most) { …; k += 1; }
//	while (abs(f) > tol) { …; k += 1; if (k > most) break; }
//
// becomes a loop over the numbers that k takes, whose turns do nothing once the condition fails.

// A limited loop is what such a while loop is made of. Statements are those of the body less its
// braces.
type limited struct {
	name   string        // of the number that counts
	last   syntax.Expr   // the loop has no turn that begins with a greater number
	more   int           // but for so many
	rest   []syntax.Expr // the condition without the limit
	before []syntax.Stmt // the body up to where it counts
	after  []syntax.Stmt // and behind
}

// boundedWhile translates a while loop that has a highest number of turns, and reports whether it
// is one.
func (t *translator) boundedWhile(s *syntax.While) bool {
	w := t.limitOf(s)
	if w == nil {
		return false
	}
	counter := &syntax.Name{Span: s.Span, Name: w.name}
	lo := t.intOf(t.expr(counter), s.Pos())
	hi := t.intOf(t.expr(w.last), w.last.Pos()).Add(size.Const(w.more))
	if t.polyUnk(lo) || t.polyUnk(hi) {
		return false
	}
	plus := func(e syntax.Expr, n int) syntax.Expr {
		op := "+"
		if n < 0 {
			op, n = "-", -n
		}
		if n == 0 {
			return e
		}
		return &syntax.Binary{Span: s.Span, Op: op, X: e, Y: literalInt(s, itoa(n))}
	}
	list := slices.Clone(w.before)
	turnsKey := "|turns" // no name of the program
	if t.readBehind(s, w.name) {
		list = append(list, &syntax.Assign{Span: s.Span, Op: "+", Value: literalInt(s, "1"),
			Left: &syntax.Name{Span: s.Span, Name: turnsKey}})
	}
	if mentioned(w.after, w.name) {
		list = append(list, &syntax.Block{Span: s.Span, Body: append([]syntax.Stmt{&syntax.Decl{
			Span: s.Span, Type: &syntax.Type{Span: s.Span, Base: "int"}, Name: w.name,
			Value: plus(counter, 1)}}, w.after...)})
	} else {
		list = append(list, w.after...)
	}
	if len(w.rest) > 0 {
		c := w.rest[0]
		for _, e := range w.rest[1:] {
			c = &syntax.Binary{Span: s.Cond.Pos(), Op: "&&", X: c, Y: e}
		}
		if slices.Contains(namesIn(c), w.name) { // it may hold again behind the turn where it fails
			no := &syntax.Unary{Span: s.Cond.Pos(), Op: "!", X: c}
			list = append([]syntax.Stmt{&syntax.If{Span: s.Span, Cond: no,
				Then: []syntax.Stmt{&syntax.Break{Span: s.Span}}}}, list...)
		} else {
			list = []syntax.Stmt{&syntax.If{Span: s.Span, Cond: c, Then: list}}
		}
	}
	t.open()
	defer t.close()
	v := t.newVariable(&syntax.Type{Span: s.Span, Base: "int"}, w.name+"_turns", s.Span)
	t.scope[len(t.scope)-1][turnsKey] = v
	t.assign(v, nil, intVal(size.Poly{}), false, s.Span)
	outer := t.lookup(w.name)
	t.forLoop(&syntax.For{Span: s.Span, Var: w.name, Lo: counter, Hi: plus(w.last, w.more),
		Body: list})
	if t.readBehind(s, w.name) {
		turns := t.intOf(t.expr(&syntax.Name{Span: s.Span, Name: turnsKey}), s.Pos())
		t.assign(outer, nil, intVal(lo.Add(turns)), false, s.Pos())
	}
	return true
}

// limitOf takes a while loop apart; nil is one that has no highest number of turns.
func (t *translator) limitOf(s *syntax.While) *limited {
	body := s.Body
	for len(body) == 1 {
		b, is := body[0].(*syntax.Block)
		if !is {
			break
		}
		body = b.Body
	}
	for k, x := range body {
		name := counts1(x)
		if v := t.lookup(name); name == "" || v == nil || v.fixed || v.t != (typ{intBase, 0}) ||
			assignments(body, name) != 1 || continues(body[:k]) {
			continue
		}
		w := &limited{name: name, before: body[:k], after: body[k+1:]}
		if t.limitInCondition(s, w, body) || t.limitInBody(s, w, body) {
			return w
		}
	}
	return nil
}

// counts1 is the variable that a statement adds 1 to.
func counts1(s syntax.Stmt) string {
	a, ok := s.(*syntax.Assign)
	if !ok {
		return ""
	}
	left, ok := a.Left.(*syntax.Name)
	if !ok {
		return ""
	}
	sum, isSum := a.Value.(*syntax.Binary)
	isName := func(e syntax.Expr) bool {
		n, is := e.(*syntax.Name)
		return is && n.Name == left.Name
	}
	if a.Op == "+" && is(a.Value, 1) || a.Op == "" && isSum && sum.Op == "+" &&
		(isName(sum.X) && is(sum.Y, 1) || isName(sum.Y) && is(sum.X, 1)) {
		return left.Name
	}
	return ""
}

// assignments counts the statements that assign or declare a name.
func assignments(list []syntax.Stmt, name string) int {
	n := 0
	syntax.Walk(list, func(s syntax.Stmt) {
		switch s := s.(type) {
		case *syntax.Assign:
			if slices.Contains(assignedNames(s.Left), name) {
				n++
			}
		case *syntax.Decl:
			if s.Name == name {
				n += 2
			}
		case *syntax.For:
			if s.Var == name {
				n += 2
			}
		}
	})
	return n
}

// assignedNames are the variables that a left side assigns.
func assignedNames(e syntax.Expr) []string {
	switch e := e.(type) {
	case *syntax.Name:
		return []string{e.Name}
	case *syntax.Index:
		return assignedNames(e.X)
	case *syntax.Field:
		return assignedNames(e.X)
	case *syntax.Tuple:
		var out []string
		for _, x := range e.Elems {
			out = append(out, assignedNames(x)...)
		}
		return out
	}
	return nil
}

// continues reports whether a continue in a list belongs to the loop around it.
func continues(list []syntax.Stmt) bool {
	return slices.ContainsFunc(list, func(s syntax.Stmt) bool {
		switch s := s.(type) {
		case *syntax.Continue:
			return true
		case *syntax.Block:
			return continues(s.Body)
		case *syntax.If:
			return continues(s.Then) || continues(s.Else)
		}
		return false
	})
}

// above takes a comparison apart that a number passes from some value on: k > e, k >= e, e < k,
// e <= k, and k == e. least says what is added to e for the first value that passes.
func above(c syntax.Expr, name string) (e syntax.Expr, least int) {
	b, ok := c.(*syntax.Binary)
	if !ok {
		return nil, 0
	}
	x, y, op := b.X, b.Y, b.Op
	if turned := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==",
		"!=": "!="}; turned[op] != "" {
		if n, is := y.(*syntax.Name); is && n.Name == name {
			x, y, op = y, x, turned[op]
		}
	}
	n, is := x.(*syntax.Name)
	if !is || n.Name != name || slices.Contains(namesIn(y), name) {
		return nil, 0
	}
	switch op {
	case ">":
		return y, 1
	case ">=", "==":
		return y, 0
	}
	return nil, 0
}

// limitInCondition finds k < e, k <= e and k != e among the conditions that && joins.
func (t *translator) limitInCondition(s *syntax.While, w *limited, body []syntax.Stmt) bool {
	opposite := map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}
	for _, c := range conjuncts(s.Cond) {
		if b, ok := c.(*syntax.Binary); ok && w.last == nil && opposite[b.Op] != "" {
			no := *b
			no.Op = opposite[b.Op]
			if e, least := above(&no, w.name); e != nil && t.steady(e, body) &&
				(b.Op != "!=" || t.startsBelow(w.name, e, 0)) {
				w.last, w.more = e, least-1
				continue
			}
		}
		w.rest = append(w.rest, c)
	}
	return w.last != nil
}

// startsBelow reports whether a number is provably no more than e + more before the loop.
func (t *translator) startsBelow(name string, e syntax.Expr, more int) bool {
	at := e.Pos()
	lo := t.intOf(t.expr(&syntax.Name{Span: at, Name: name}), at)
	return t.atLeast(t.intOf(t.expr(e), at).Add(size.Const(more)), lo)
}

// limitInBody finds if (k > e) break; among the statements of the body. As the first or the last of
// them it is the limit itself; elsewhere it stays, and the loop does not reach the limit.
func (t *translator) limitInBody(s *syntax.While, w *limited, body []syntax.Stmt) bool {
	w.rest = conjuncts(s.Cond)
	if len(w.rest) == 1 && is(w.rest[0], 1) {
		w.rest = nil
	}
	for k, x := range body {
		c, ok := x.(*syntax.If)
		if !ok || len(c.Else) > 0 || !onlyBreak(c.Then) {
			continue
		}
		e, least := above(c.Cond, w.name)
		if e == nil || !t.steady(e, body) || !t.startsBelow(w.name, e, least-1) {
			continue
		}
		w.last, w.more = e, least
		switch at := len(w.before); {
		case k == 0 && at > 0:
			w.more, w.before = least-1, body[1:at]
		case k == len(body)-1 && k > at:
			w.more, w.after = least-1, body[at+1:k]
		}
		return true
	}
	return false
}

// onlyBreak reports whether statements do nothing but to leave the loop.
func onlyBreak(list []syntax.Stmt) bool {
	list = slices.DeleteFunc(flatten(list), func(s syntax.Stmt) bool {
		d, is := s.(*syntax.Do)
		return is && d.Call.Fun == "print"
	})
	if len(list) != 1 {
		return false
	}
	_, is := list[0].(*syntax.Break)
	return is
}

// steady reports whether a value is the same in all turns of a loop: its body assigns nothing that
// it reads.
func (t *translator) steady(e syntax.Expr, body []syntax.Stmt) bool {
	return !slices.ContainsFunc(namesIn(e), func(n string) bool { return assignments(body, n) > 0 })
}

// mentioned reports whether statements read or assign a name.
func mentioned(list []syntax.Stmt, name string) bool {
	found := false
	syntax.Walk(list, func(s syntax.Stmt) {
		syntax.Exprs(s, func(e syntax.Expr) {
			n, is := e.(*syntax.Name)
			found = found || is && n.Name == name
		})
	})
	return found
}

// readBehind reports whether the value of a number may be read behind a loop.
func (t *translator) readBehind(s *syntax.While, name string) bool {
	p := t.prog
	lists := [][]syntax.Stmt{p.TransData, p.TransParams, p.Model, p.Generated}
	for _, f := range p.Functions {
		lists = append(lists, f.Body)
	}
	for _, list := range lists {
		if read, found := readIn(list, s, name); found {
			return read
		}
	}
	return true
}

// readIn looks for the declaration of a name among statements, and for what reads the name behind a
// loop in the list that declares it.
func readIn(list []syntax.Stmt, loop *syntax.While, name string) (read, found bool) {
	inside := func(x syntax.Stmt) bool {
		return x.Pos().Start <= loop.Start && loop.End <= x.Pos().End
	}
	declared := false
	for k, x := range list {
		if d, is := x.(*syntax.Decl); is && d.Name == name {
			declared = true
		}
		if !inside(x) {
			continue
		}
		var inner [][]syntax.Stmt
		again := false // a turn of a loop around may read what the turn before left
		switch x := x.(type) {
		case *syntax.Block:
			inner = [][]syntax.Stmt{x.Body}
		case *syntax.If:
			inner = [][]syntax.Stmt{x.Then, x.Else}
		case *syntax.For:
			inner, again = [][]syntax.Stmt{x.Body}, true
		case *syntax.While:
			if x != loop {
				inner, again = [][]syntax.Stmt{x.Body}, true
			}
		}
		for _, l := range inner {
			if read, found = readIn(l, loop, name); found {
				return read, true
			}
		}
		if !declared {
			continue
		}
		if again || mentioned(list[k+1:], name) {
			return true, true
		}
		syntax.Walk(list[k:k+1], func(y syntax.Stmt) {
			read = read || y.Pos().Start >= loop.End && mentioned([]syntax.Stmt{y}, name)
		})
		return read, true
	}
	return false, false
}

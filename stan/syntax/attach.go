package syntax

import "strings"

// attach gives each declaration the comments that stand by it: those alone on the lines above, and
// the one behind it on its line.
func (prog *Program) attach() {
	taken := make([]bool, len(prog.Comments))
	blocks := [][]Stmt{prog.Data, prog.TransData, prog.Params, prog.TransParams, prog.Model,
		prog.Generated}
	for _, b := range blocks {
		Walk(b, func(s Stmt) {
			if d, ok := s.(*Decl); ok {
				prog.comment(d, taken)
			}
		})
	}
}

// comment finds the comments of one declaration.
func (prog *Program) comment(d *Decl, taken []bool) {
	f := prog.Source
	line := func(at int) int { return f.Position(at).Line }
	first, last := line(d.Start), line(d.End)
	var parts []string
	for i := len(prog.Comments) - 1; i >= 0; i-- { // upwards from the declaration
		c := &prog.Comments[i]
		if !taken[i] && c.Alone && c.End <= d.Start && line(c.End) == first-1 &&
			!strings.Contains(f.Text[c.End:d.Start], "{") {
			parts = append([]string{c.Text}, parts...)
			taken[i] = true
			first = line(c.Start)
		}
	}
	for i := range prog.Comments {
		c := &prog.Comments[i]
		if !taken[i] && !c.Alone && c.Start >= d.End && line(c.Start) == last &&
			strings.Trim(f.Text[d.End:c.Start], " \t;") == "" {
			parts = append(parts, c.Text)
			taken[i] = true
		}
	}
	d.Doc = strings.TrimSpace(strings.Join(parts, "\n"))
}

// Walk visits statements and those inside them, each before its parts.
func Walk(list []Stmt, visit func(Stmt)) {
	for _, s := range list {
		visit(s)
		switch s := s.(type) {
		case *For:
			Walk(s.Body, visit)
		case *While:
			Walk(s.Body, visit)
		case *If:
			Walk(s.Then, visit)
			Walk(s.Else, visit)
		case *Block:
			Walk(s.Body, visit)
		}
	}
}

// Exprs visits the expressions of a statement, and not those of statements inside it.
func Exprs(s Stmt, visit func(Expr)) {
	one := func(e Expr) {
		if e != nil {
			WalkExpr(e, visit)
		}
	}
	switch s := s.(type) {
	case *Decl:
		s.Type.exprs(one)
		one(s.Value)
	case *Assign:
		one(s.Left)
		one(s.Value)
	case *Tilde:
		one(s.Left)
		for _, a := range s.Args {
			one(a)
		}
		one(s.Lo)
		one(s.Hi)
	case *Target:
		one(s.Value)
	case *For:
		one(s.Lo)
		one(s.Hi)
		one(s.In)
	case *While:
		one(s.Cond)
	case *If:
		one(s.Cond)
	case *Return:
		one(s.Value)
	case *Do:
		for _, a := range s.Call.Args {
			one(a)
		}
	}
}

func (t *Type) exprs(one func(Expr)) {
	for _, e := range append(append([]Expr{}, t.Sizes...), t.Array...) {
		one(e)
	}
	one(t.Lower)
	one(t.Upper)
	one(t.Offset)
	one(t.Mult)
	for _, p := range t.Tuple {
		p.exprs(one)
	}
}

// WalkExpr visits an expression and its parts, each before its parts.
func WalkExpr(e Expr, visit func(Expr)) {
	if e == nil {
		return
	}
	visit(e)
	switch e := e.(type) {
	case *Unary:
		WalkExpr(e.X, visit)
	case *Binary:
		WalkExpr(e.X, visit)
		WalkExpr(e.Y, visit)
	case *Cond:
		WalkExpr(e.Cond, visit)
		WalkExpr(e.Then, visit)
		WalkExpr(e.Else, visit)
	case *Call:
		for _, a := range e.Args {
			WalkExpr(a, visit)
		}
	case *Index:
		WalkExpr(e.X, visit)
		for _, s := range e.Subs {
			WalkExpr(s.X, visit)
			WalkExpr(s.Lo, visit)
			WalkExpr(s.Hi, visit)
		}
	case *Array:
		for _, a := range e.Elems {
			WalkExpr(a, visit)
		}
	case *Tuple:
		for _, a := range e.Elems {
			WalkExpr(a, visit)
		}
	case *Field:
		WalkExpr(e.X, visit)
	}
}

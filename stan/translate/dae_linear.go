package translate

import "github.com/sgppl/sgppl/stan/syntax"

// A linearity finds by the form of a function whether its result is linear in one argument: values
// that depend on it are added, subtracted, and multiplied by what does not.
type linearity struct {
	on     map[string]bool // variables that depend on the argument
	broken bool
}

// linearSlopes reports whether a residual is linear in its third argument.
func (t *translator) linearSlopes(f *syntax.Func) bool {
	l := &linearity{on: map[string]bool{f.Args[2].Name: true}}
	for range len(f.Body) + 1 { // what a loop assigns is read in its next turn
		syntax.Walk(f.Body, l.statement)
	}
	return !l.broken
}

func (l *linearity) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Decl:
		if s.Value != nil && l.reads(s.Value) {
			l.on[s.Name] = true
		}
	case *syntax.Assign:
		if !l.reads(s.Value) {
			return
		}
		l.never(s.Op != "" && s.Op != "+" && s.Op != "-")
		left := s.Left
		for {
			x, ok := left.(*syntax.Index)
			if !ok {
				break
			}
			left = x.X
		}
		if n, ok := left.(*syntax.Name); ok {
			l.on[n.Name] = true
		}
	case *syntax.If:
		l.never(l.reads(s.Cond))
	case *syntax.While:
		l.never(l.reads(s.Cond))
	case *syntax.Return:
		if s.Value != nil {
			l.reads(s.Value)
		}
	}
}

func (l *linearity) never(is bool) { l.broken = l.broken || is }

// keepsLinear are functions that are linear in their arguments.
var keepsLinear = map[string]bool{"append_row": true, "append_col": true, "to_vector": true,
	"sum": true, "segment": true, "head": true, "tail": true, "rep_vector": true}

// reads reports whether an expression depends on the argument.
func (l *linearity) reads(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Name:
		return l.on[e.Name]
	case *syntax.Index:
		for _, s := range e.Subs {
			for _, x := range []syntax.Expr{s.X, s.Lo, s.Hi} {
				l.never(x != nil && l.reads(x))
			}
		}
		return l.reads(e.X)
	case *syntax.Unary:
		x := l.reads(e.X)
		l.never(x && e.Op == "!")
		return x
	case *syntax.Binary:
		x, y := l.reads(e.X), l.reads(e.Y)
		switch e.Op {
		case "+", "-":
		case "*", ".*":
			l.never(x && y)
		case "/", "./":
			l.never(y)
		default:
			l.never(x || y)
		}
		return x || y
	case *syntax.Cond:
		l.never(l.reads(e.Cond))
		x, y := l.reads(e.Then), l.reads(e.Else)
		return x || y
	case *syntax.Call:
		x := l.any(e.Args)
		l.never(x && !keepsLinear[e.Fun])
		return x
	case *syntax.Array:
		return l.any(e.Elems)
	}
	return false
}

func (l *linearity) any(list []syntax.Expr) bool {
	out := false
	for _, x := range list {
		out = l.reads(x) || out
	}
	return out
}

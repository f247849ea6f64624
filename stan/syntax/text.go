package syntax

import (
	"strconv"
	"strings"
)

// Text writes an expression without spaces: two expressions are the same where it is.
func Text(e Expr) string {
	list := func(l []Expr) string {
		out := make([]string, len(l))
		for i, x := range l {
			out[i] = Text(x)
		}
		return strings.Join(out, ",")
	}
	switch e := e.(type) {
	case *Int:
		return e.Text
	case *Real:
		return e.Text
	case *Str:
		return strconv.Quote(e.Text)
	case *Name:
		return e.Name
	case *Unary:
		return "(" + e.Op + Text(e.X) + ")"
	case *Binary:
		return "(" + Text(e.X) + e.Op + Text(e.Y) + ")"
	case *Cond:
		return "(" + Text(e.Cond) + "?" + Text(e.Then) + ":" + Text(e.Else) + ")"
	case *Call:
		return e.Fun + "(" + list(e.Args) + ")"
	case *Index:
		return Text(e.X) + "[" + subsText(e.Subs) + "]"
	case *Array:
		if e.Row {
			return "[" + list(e.Elems) + "]"
		}
		return "{" + list(e.Elems) + "}"
	case *Tuple:
		return "(" + list(e.Elems) + ",)"
	case *Field:
		return Text(e.X) + "." + strconv.Itoa(e.N)
	}
	return "?"
}

func subsText(list []Sub) string {
	out := make([]string, len(list))
	for i, s := range list {
		if !s.Range {
			out[i] = Text(s.X)
			continue
		}
		out[i] = ":"
		if s.Lo != nil {
			out[i] = Text(s.Lo) + ":"
		}
		if s.Hi != nil {
			out[i] += Text(s.Hi)
		}
	}
	return strings.Join(out, ",")
}

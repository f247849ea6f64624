package translate

import (
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// A use says how a program uses whole numbers of the data.
type use struct {
	law  string // of which they are values
	size bool
}

// uses finds how names are used, before anything is translated: declarations come first.
func uses(prog *syntax.Program) map[string]use {
	out := map[string]use{}
	root := func(e syntax.Expr) string {
		for {
			switch x := e.(type) {
			case *syntax.Index:
				e = x.X
				continue
			case *syntax.Name:
				return x.Name
			}
			return ""
		}
	}
	note := func(e syntax.Expr, law string) {
		if n := root(e); n != "" {
			u := out[n]
			if u.law == "" {
				u.law = law
			}
			out[n] = u
		}
	}
	for _, b := range [][]syntax.Stmt{prog.TransData, prog.TransParams, prog.Model, prog.Generated} {
		syntax.Walk(b, func(s syntax.Stmt) {
			if x, ok := s.(*syntax.Tilde); ok {
				note(x.Left, strings.TrimSuffix(x.Dist, "_glm"))
			}
			syntax.Exprs(s, func(e syntax.Expr) {
				if c, ok := e.(*syntax.Call); ok && len(c.Args) > 0 {
					if name, of := lawName(c.Fun); of == "logpdf" {
						note(c.Args[0], strings.TrimSuffix(name, "_glm"))
					}
				}
			})
		})
	}
	return out
}

// sizeNames are the whole numbers of the data that stand in sizes, in the ends of loops, and as
// arguments of functions, which may make sizes of them.
func sizeNames(prog *syntax.Program, funcs map[string][]*syntax.Func) map[string]bool {
	out := map[string]bool{}
	all := func(e syntax.Expr) {
		if e != nil {
			syntax.WalkExpr(e, func(x syntax.Expr) {
				if n, ok := x.(*syntax.Name); ok {
					out[n.Name] = true
				}
			})
		}
	}
	sizes := func(d *syntax.Type) {
		for _, e := range d.Sizes {
			all(e)
		}
		for _, e := range d.Array {
			all(e)
		}
	}
	makers := map[string]bool{"rep_vector": true, "rep_row_vector": true, "rep_array": true,
		"rep_matrix": true, "identity_matrix": true, "ones_vector": true, "zeros_vector": true,
		"ones_row_vector": true, "zeros_row_vector": true, "head": true, "tail": true, "segment": true,
		"linspaced_vector": true, "linspaced_row_vector": true, "linspaced_array": true,
		"one_hot_vector": true, "to_matrix": true, "block": true, "linspaced_int_array": true}
	for _, b := range [][]syntax.Stmt{prog.Data, prog.TransData, prog.Params, prog.TransParams,
		prog.Model, prog.Generated} {
		syntax.Walk(b, func(s syntax.Stmt) {
			switch s := s.(type) {
			case *syntax.Decl:
				sizes(s.Type)
				if s.Type.Base == "int" && len(s.Type.Array) == 0 {
					all(s.Value)
				}
			case *syntax.For:
				all(s.Lo)
				all(s.Hi)
			}
			syntax.Exprs(s, func(e syntax.Expr) {
				switch e := e.(type) {
				case *syntax.Call:
					if makers[e.Fun] || funcs[e.Fun] != nil {
						for _, a := range e.Args {
							all(a)
						}
					}
				case *syntax.Index:
					for _, s := range e.Subs {
						if s.Range {
							all(s.Lo)
							all(s.Hi)
						}
					}
				}
			})
		})
	}
	return out
}

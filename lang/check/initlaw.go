package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/infer/initial"
)

// An Init is the law that a param starts from.
type Init struct {
	Law  *initial.Law
	Args []InitArg
}

// An InitArg is a number, or where Sized a size, which may be known with the data alone.
type InitArg struct {
	Value float64
	Size  types.Size
	Sized bool
}

// in returns the law with sizes replaced by those of an instance of a layer.
func (i *Init) in(sizes map[string]types.Size) *Init {
	if i == nil {
		return nil
	}
	out := &Init{Law: i.Law}
	for _, a := range i.Args {
		a.Size = types.SubstSize(a.Size, sizes)
		out.Args = append(out.Args, a)
	}
	return out
}

// initLaw checks init he(n), init 0.
func (c *checker) initLaw(g *ast.Group, syms []*Symbol) {
	if g.Init == nil {
		return
	}
	name, exprs := initial.Constant, []ast.Expr{g.Init}
	if call, ok := g.Init.(*ast.Call); ok {
		if n, ok := call.Fun.(*ast.Name); ok {
			if _, known := initial.Lookup(n.Name); !known || n.Name == initial.Constant {
				if _, constant := c.constant(g.Init); !constant {
					d := c.report(InitLaw, n.Span, "there is no law %s to start from", n.Name)
					suggest(d, n.Span, n.Name, lawNames())
					return
				}
			} else {
				name, exprs = n.Name, nil
				for i := range call.Args {
					if a := &call.Args[i]; a.Name.Name != "" {
						c.report(InitLaw, a.Name.Span, "the arguments of %s are given by place",
							name)
						return
					}
					exprs = append(exprs, call.Args[i].Value)
				}
			}
		}
	}
	law, _ := initial.Lookup(name)
	if len(exprs) != len(law.Args) {
		want := "no argument"
		if len(law.Args) > 0 {
			want = counted(len(law.Args), "argument") + ", " + join(law.Args)
		}
		c.report(InitLaw, g.Init.Pos(), "%s takes %s", name, want)
		return
	}
	out := &Init{Law: law}
	for _, e := range exprs {
		a, ok := c.initArg(e)
		if !ok {
			return
		}
		out.Args = append(out.Args, a)
	}
	for _, s := range syms {
		switch t := s.Type; {
		case t.Kind == types.Invalid:
			continue
		case t.Own > 0 || t.Kind.Discrete():
			c.report(InitLaw, g.Init.Pos(),
				"init is for numbers that are real, or within bounds, and %s is of type %s",
				s.Name, t.Kind)
			return
		case law.Matrix && len(t.Shape) < 2:
			c.report(InitLaw, g.Init.Pos(), "%s is a law of matrices, and %s has shape %s", name,
				s.Name, t.Shape)
			return
		}
		s.Init = out
	}
}

// initArg is a number or a size.
func (c *checker) initArg(e ast.Expr) (InitArg, bool) {
	v := c.expr(e)
	switch {
	case v.bad():
		return InitArg{}, false
	case len(v.t.Shape) > 0:
		c.report(InitLaw, e.Pos(), "a law to start from takes numbers, and this has shape %s",
			v.t.Shape)
		return InitArg{}, false
	}
	if x, ok := c.constant(e); ok {
		return InitArg{Value: x}, true
	}
	if v.lv.Stage == OfParams || !sizeLike(e) {
		c.report(InitLaw, e.Pos(),
			"a law to start from takes numbers and sizes, known before a chain starts")
		return InitArg{}, false
	}
	p, ok := c.size(e)
	return InitArg{Size: p, Sized: true}, ok
}

// sizeLike expressions are made of names and whole numbers by +, - and *.
func sizeLike(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Number:
		return e.Int
	case *ast.Name:
		return true
	case *ast.Paren:
		return sizeLike(e.X)
	case *ast.Binary:
		return (e.Op == "+" || e.Op == "-" || e.Op == "*") && sizeLike(e.X) && sizeLike(e.Y)
	}
	return false
}

func lawNames() []string {
	var out []string
	for _, l := range initial.Laws() {
		if l.Name != initial.Constant {
			out = append(out, l.Name)
		}
	}
	return out
}

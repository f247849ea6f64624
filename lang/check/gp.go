package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/types"
)

// gp is a covariance function of a Gaussian process: gp_exp_quad(x, alpha, rho) of the points x
// with themselves, gp_exp_quad(x, y, alpha, rho) of x with y. Points are numbers, or the rows of an
// array [N, D]; rho is then a number or has one for each of the D coordinates. Callee.Args has y in
// the second place, nil where it is left out.
func (c *checker) gp(e *ast.Call, f *builtin.Func, callee *Callee) value {
	n := len(f.Params)
	for i := range e.Args {
		if name := e.Args[i].Name; name.Name != "" {
			c.report(NoSuchArg, name.Span,
				"%s has no argument %s: its arguments are given by place", f.Name, name.Name)
			c.quietArgs(e)
			return invalid
		}
	}
	if len(e.Args) != n && len(e.Args) != n+1 {
		rest := ""
		for _, p := range f.Params[1:] {
			rest += ", " + p.Name
		}
		c.report(ArgCount, e.Span,
			"%s takes points and the numbers of its form: %s(x%s), or with other points y, %s(x, y%s)",
			f.Name, f.Name, rest, f.Name, rest)
		c.quietArgs(e)
		return invalid
	}
	for i := range e.Args {
		callee.Args = append(callee.Args, e.Args[i].Value)
	}
	vals, lv, ok := c.values(callee.Args)
	if !ok {
		return invalid
	}
	points := vals[:1]
	if len(e.Args) == n+1 {
		points = vals[:2]
	} else {
		callee.Args = append([]ast.Expr{callee.Args[0], nil}, callee.Args[1:]...)
		vals = append([]value{vals[0], {}}, vals[1:]...)
	}
	x := points[0].t.Shape
	for i, p := range points {
		s := p.t.Shape
		if len(s) != 1 && len(s) != 2 {
			c.report(ArgShape, callee.Args[i].Pos(),
				"the points of %s are an array [N] of numbers, or [N, D] with one row a point, "+
					"and this has shape %s", f.Name, s)
			return invalid
		}
		if len(s) != len(x) || len(s) == 2 && !s[1].Equal(x[1]) {
			c.report(ArgShape, callee.Args[i].Pos(),
				"the points of %s have shapes %s and %s: one point of each has as many "+
					"coordinates as one of the other", f.Name, x, s)
			return invalid
		}
	}
	for i, p := range f.Params[1:] {
		at, got := callee.Args[i+2], vals[i+2].t.Shape
		each := p.Name == "rho" && f.Name != "gp_periodic" && len(x) == 2
		if len(got) == 0 || each && len(got) == 1 && got[0].Equal(x[1]) {
			if !c.takes(at, vals[i+2].t, types.Scalar(p.Kind),
				"the argument "+p.Name+" of "+f.Name) {
				return invalid
			}
			continue
		}
		d := c.report(ArgShape, at.Pos(), "%s of %s is a number, and this has shape %s", p.Name,
			f.Name, got)
		if each {
			d.Note("it may also have one number for each coordinate of a point, " +
				types.Shape{x[1]}.String())
		}
		return invalid
	}
	last := points[len(points)-1].t.Shape
	callee.Shape = types.Shape{x[0], last[0]}
	return value{types.ArrayOf(types.Real, callee.Shape), lv}
}

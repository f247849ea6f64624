package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func (c *checker) builtinCall(e *ast.Call, f *builtin.Func) value {
	callee := &Callee{Builtin: f, Sizes: map[string]types.Size{}}
	c.m.Callees[e] = callee
	switch {
	case f.Class == builtin.Generator && (c.dist == nil || !c.dist.sampling):
		c.report(RandomPlace, e.Span,
			"%s draws at random, and stands only in the sample line of a dist",
			f.Name).Note(predicted)
		c.quietArgs(e)
		return invalid
	case f.Class == builtin.Special:
		return c.special(e, f, callee)
	case f.Class == builtin.Reduction:
		if len(e.Args) == 2 && (f.Name == "min" || f.Name == "max") && e.Args[0].Name.Name == "" &&
			e.Args[1].Name.Name == "" {
			return c.minMax(e, callee)
		}
		return c.reduction(e, f, callee)
	}
	if base, ok := strings.CutSuffix(f.Name, "_cdf"); ok && len(e.Args) > len(f.Params) {
		if def := c.findDist(base); def != nil && len(e.Args) == len(def.Params)+1 {
			n := e.Fun.Pos()
			c.report(ArgCount, e.Span, "%s is of the standard law and takes %s, and %d are given",
				f.Name, counted(len(f.Params), "argument"), len(e.Args)).
				Note("of any other it is "+base+".cdf").Suggest(n, base+".cdf")
			c.quietArgs(e)
			return invalid
		}
	}
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	args, good := c.arguments(e.Span, f.Name, nil, e.Args, names)
	for i, a := range args {
		if a == nil && good {
			c.report(ArgCount, e.Span, "%s takes %s, %s, and %s is missing", f.Name,
				counted(len(names), "argument"), join(names), names[i])
			good = false
		}
	}
	if !good {
		c.quietArgs(e)
		return invalid
	}
	callee.Args = args
	vals, lv, ok := c.values(args)
	if !ok {
		return invalid
	}
	if f.Class == builtin.Array || f.Class == builtin.Generator {
		return c.arrayCall(e, f, callee, vals, lv)
	}
	shape, ok := c.align(e, args, vals, f.Name)
	if !ok {
		return invalid
	}
	for i, a := range args {
		if !c.takes(a, vals[i].t, types.Scalar(f.Params[i].Kind), "the argument of "+f.Name) {
			return invalid
		}
	}
	callee.Shape, callee.Elementwise = shape, len(shape) > 0
	if f.Name == "dropout" { // it differs from step to step
		lv = lv.join(Level{Stage: OfParams})
	}
	k := f.Result.Kind
	if f.Keep && vals[0].t.Entry().Discrete() {
		k = types.Count
	}
	if f.Op == "mod" {
		k = arith("%", vals[0].t.Entry(), vals[1].t.Entry())
	}
	return value{types.ArrayOf(k, shape), lv}
}

func join(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}

func (c *checker) values(args []ast.Expr) ([]value, Level, bool) {
	vals := make([]value, len(args))
	lv, good := Level{}, true
	for i, a := range args {
		vals[i] = c.expr(a)
		lv = lv.join(vals[i].lv)
		good = good && !vals[i].bad()
	}
	return vals, lv, good
}

// minMax is the smaller or larger of two numbers, entry by entry.
func (c *checker) minMax(e *ast.Call, callee *Callee) value {
	callee.Args = []ast.Expr{e.Args[0].Value, e.Args[1].Value}
	vals, lv, ok := c.values(callee.Args)
	if !ok {
		return invalid
	}
	shape, ok := c.align(e, callee.Args, vals, callee.Builtin.Name)
	if !ok {
		return invalid
	}
	callee.Shape, callee.Elementwise = shape, true
	return value{types.ArrayOf(joinKinds(vals[0].t.Entry(), vals[1].t.Entry()), shape), lv}
}

// reduction is sum(a), over all axes, or sum(e for i in I), over the bound indices.
func (c *checker) reduction(e *ast.Call, f *builtin.Func, callee *Callee) value {
	if len(e.Args) != 1 || e.Args[0].Name.Name != "" {
		d := c.report(ArgCount, e.Span,
			"%s takes one array, or an expression with for: %s(e for i in I)", f.Name, f.Name)
		named := false
		for _, a := range e.Args {
			named = named || a.Name.Name != ""
		}
		if named {
			d.Note("over one axis it is a comprehension: [" + f.Name + "(x[i]) for i in I]")
		} else if made := foreign.Fill(f.Name+"([$*])", c.argTexts(e.Args)); len(e.Args) > 1 &&
			made != "" {
			d.Note("numbers are put into an array: "+made).Suggest(e.Span, made)
		}
		c.quietArgs(e)
		return invalid
	}
	callee.Args = []ast.Expr{e.Args[0].Value}
	var v value
	if comp, ok := e.Args[0].Value.(*ast.Comp); ok {
		callee.Comp = comp
		c.within(func() {
			over, syms, good := c.binds(comp.Binds)
			v = c.expr(comp.Elem)
			v.lv = v.lv.join(levelOf(over))
			for _, s := range syms {
				v.lv = v.lv.join(s.Range.Level)
			}
			if good && !v.bad() {
				shape, ok := c.unbind(append(types.Shape{}, v.t.Shape...), syms, comp)
				v.t.Shape = shape
				good = ok
			}
			if !good {
				v = invalid
			}
		})
		c.m.Types[comp], c.m.Levels[comp] = v.t, v.lv
		callee.Shape = v.t.Shape
	} else {
		v = c.expr(e.Args[0].Value)
		if !v.bad() && len(v.t.Shape) == 0 {
			c.report(WantArray, e.Args[0].Value.Pos(), "%s takes an array, and this is a number",
				f.Name)
			return invalid
		}
	}
	if v.bad() {
		return invalid
	}
	if f.Params[0].Kind == types.Bool && v.t.Entry() != types.Bool {
		c.report(WantBool, e.Args[0].Value.Pos(), "%s takes true or false, and this is %s", f.Name,
			article(v.t))
		return invalid
	}
	k := f.Result.Kind
	if f.Keep {
		entry := v.t.Entry()
		switch {
		case entry.Discrete() && entry.Info().Nonneg:
			k = types.Count
		case entry.Discrete():
			k = types.Int
		case above(entry) && f.Name != "sum" || entry == types.Positive:
			k = types.Positive
		case entry == types.Unit:
			k = types.Positive
		}
	}
	return value{types.ArrayOf(k, callee.Shape), v.lv}
}

// arrayCall checks a function with a signature.
func (c *checker) arrayCall(
	e *ast.Call, f *builtin.Func, callee *Callee, vals []value, lv Level,
) value {
	shapeOf := func(p builtin.Param) types.Shape {
		s := types.Shape{}
		for _, n := range p.Sizes {
			s = append(s, size.Dim(n))
		}
		return s
	}
	var vars []string
	for _, p := range f.Params {
		vars = append(vars, p.Sizes...)
	}
	fits := func(order []int, sizes map[string]types.Size) bool {
		for i, p := range f.Params {
			v, arg, want := vals[order[i]], callee.Args[order[i]], shapeOf(p)
			if !c.unify(want, v.t.Shape, sizes, vars) {
				w := types.SubstShape(want, sizes)
				d := c.report(ArgShape, arg.Pos(),
					"the argument %s of %s has shape %s, and this is %s%s", p.Name, f.Name, w,
					v.t.Shape, whyNamed(v.t.Shape, w))
				if len(v.t.Shape) > len(want) && len(f.Params) == 1 {
					d.Note("to apply it to every row, write a comprehension, [" + f.Name +
						"(a[i]) for i in " + v.t.Shape[0].String() + "]")
				}
				return false
			}
			if !c.takes(arg, v.t, types.Scalar(p.Kind), "the argument "+p.Name+" of "+f.Name) {
				return false
			}
		}
		return true
	}
	order, names := make([]int, len(vals)), make([]string, len(vals))
	for i, p := range f.Params {
		order[i], names[i] = i, p.Name
	}
	before := len(c.m.Diags)
	if !fits(order, callee.Sizes) {
		c.swapped(before, callee.Args, e.Args, names,
			func(order []int) bool { return fits(order, map[string]types.Size{}) })
		return invalid
	}
	shape := types.SubstShape(shapeOf(f.Result), callee.Sizes)
	if f.Name == "rand_sphere" {
		p, ok := c.size(callee.Args[0])
		if !ok {
			return invalid
		}
		shape = types.Shape{p}
	}
	t := types.ArrayOf(f.Result.Kind, shape)
	t.Own = f.Result.Kind.Info().Own
	if f.Result.Kind == types.CovChol {
		t.Shape = types.Shape{shape[0], shape[0]}
	}
	return value{t, lv}
}

// whyNamed says which size is not which, but not of sizes still to be found.
func whyNamed(got, want types.Shape) string {
	if len(got) != len(want) {
		return ""
	}
	return why(got, want)
}

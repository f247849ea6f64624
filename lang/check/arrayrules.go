package check

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// sizeArgs reads arguments that are sizes.
func (c *checker) sizeArgs(e *ast.Call, from int) (types.Shape, bool) {
	shape, good := types.Shape{}, true
	for i := from; i < len(e.Args); i++ {
		if e.Args[i].Name.Name != "" {
			c.report(NoSuchArg, e.Args[i].Name.Span,
				"there is no argument %s here: sizes are given by place", e.Args[i].Name.Name)
			return nil, false
		}
		p, ok := c.size(e.Args[i].Value)
		if ok && negative(p) {
			c.report(NotASize, e.Args[i].Value.Pos(), "the size %s is below 0", p)
			ok = false
		}
		good = good && ok
		shape = append(shape, p)
	}
	return shape, good
}

// special applies the rules that no signature says.
func (c *checker) special(e *ast.Call, f *builtin.Func, callee *Callee) value {
	switch f.Rule {
	case builtin.Fill, builtin.Identity:
		shape, ok := c.sizeArgs(e, 0)
		if !ok {
			return invalid
		}
		if len(shape) == 0 || f.Rule == builtin.Identity && len(shape) != 1 {
			c.report(ArgCount, e.Span, "%s takes %s", f.Name,
				map[builtin.Rule]string{builtin.Fill: "sizes, such as " + f.Name + "(N)",
					builtin.Identity: "one size"}[f.Rule])
			return invalid
		}
		if f.Rule == builtin.Identity {
			shape = types.Shape{shape[0], shape[0]}
		}
		callee.Shape = shape
		return value{types.ArrayOf(f.Result.Kind, shape), levelOf(shape)}
	case builtin.Ode:
		return c.ode(e, callee)
	case builtin.Gp:
		return c.gp(e, f, callee)
	}
	n := len(f.Params)
	if !c.windowOptions(e, f, callee) {
		return invalid
	}
	if f.Rule == builtin.Reshape && len(e.Args) < 2 ||
		f.Rule == builtin.Concat && len(e.Args) < 2 ||
		f.Rule != builtin.Reshape && f.Rule != builtin.Concat && plainArgs(e) != n {
		c.report(ArgCount, e.Span, "%s takes %s", f.Name,
			map[builtin.Rule]string{builtin.Reshape: "an array and sizes",
				builtin.Concat: "two arrays or more"}[f.Rule]+wordsOf(f))
		c.quietArgs(e)
		return invalid
	}
	count := plainArgs(e)
	if f.Rule == builtin.Reshape || f.Rule == builtin.Pool {
		count = 1
	}
	for i := range count {
		callee.Args = append(callee.Args, e.Args[i].Value)
	}
	vals, lv, ok := c.values(callee.Args)
	if !ok {
		return invalid
	}
	t, ok := c.specialShape(e, f, callee, vals)
	if !ok {
		return invalid
	}
	callee.Shape = t.Shape
	return value{t, lv}
}

// plainArgs counts the arguments without a name. Those with one are options of functions of
// windows.
func plainArgs(e *ast.Call) int {
	n := 0
	for i := range e.Args {
		if e.Args[i].Name.Name == "" {
			n++
		}
	}
	return n
}

func wordsOf(f *builtin.Func) string {
	if f.Rule == builtin.Reshape || f.Rule == builtin.Concat {
		return ""
	}
	var names []string
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	return counted(len(names), "argument") + ", " + join(names)
}

func (c *checker) specialShape(
	e *ast.Call, f *builtin.Func, callee *Callee, vals []value,
) (types.Type, bool) {
	a := vals[0].t
	entry := a.Entry()
	bad := func(i int, format string, args ...any) (types.Type, bool) {
		c.report(ArgShape, callee.Args[i].Pos(), format, args...)
		return types.Type{}, false
	}
	switch f.Rule {
	case builtin.Transpose:
		if len(a.Shape) != 2 {
			return bad(0, "transpose takes an array of two axes, and this has shape %s", a.Shape)
		}
		return types.ArrayOf(entry, types.Shape{a.Shape[1], a.Shape[0]}), true
	case builtin.Concat:
		var total types.Size
		k := entry
		for i, v := range vals {
			if len(v.t.Shape) == 0 {
				return bad(i, "concat takes arrays, and this is a number: write [a]")
			}
			if !v.t.Shape[1:].Equal(a.Shape[1:]) {
				return bad(i, "concat joins along the first axis, and the others must be equal: "+
					"%s after %s%s", v.t.Shape, a.Shape, why(v.t.Shape[1:], a.Shape[1:]))
			}
			total = total.Add(v.t.Shape[0])
			k = joinKinds(k, v.t.Entry())
		}
		return types.ArrayOf(k, types.JoinShapes(types.Shape{total}, a.Shape[1:])), true
	case builtin.Reshape:
		shape, ok := c.sizeArgs(e, 1)
		if !ok {
			return types.Type{}, false
		}
		have, want := volume(a.Shape), volume(shape)
		if m, ok := have.Number(); ok {
			if n, ok := want.Number(); ok && m != n {
				return bad(0, "%s has %d entries, and %s has %d", a.Shape, m, shape, n)
			}
		}
		return types.ArrayOf(entry, shape), true
	case builtin.Flatten:
		return types.ArrayOf(entry, types.Shape{volume(a.Shape)}), true
	case builtin.Conv, builtin.Pool:
		return c.windows(e, f, callee, vals)
	}
	return types.Type{}, false
}

func volume(s types.Shape) types.Size {
	p := size.Const(1)
	for _, q := range s {
		if len(p.Terms)*len(q.Terms) > 256 {
			return p
		}
		p = p.Mul(q)
	}
	return p
}

// odeOptions are the named arguments of ode, in the order of Callee.Args.
var odeOptions = []string{"rtol", "atol", "max_steps", "stiff"}

// ode is ode(f, z0, t0, ts, …, rtol, atol, max_steps, stiff): f(t, z, …) gives dz/dt.
func (c *checker) ode(e *ast.Call, callee *Callee) value {
	var plain []ast.Expr
	options := map[string]ast.Expr{}
	for i := range e.Args {
		a := &e.Args[i]
		switch a.Name.Name {
		case "":
			plain = append(plain, a.Value)
		case "stiff":
			options[a.Name.Name] = a.Value
			if _, ok := a.Value.(*ast.Bool); !ok {
				c.report(OdeCall, a.Value.Pos(), "stiff is true or false")
			}
		case "rtol", "atol", "max_steps":
			options[a.Name.Name] = a.Value
			v := c.number(a.Value, a.Name.Name)
			if x, ok := c.constant(a.Value); !v.bad() && (!ok || x <= 0) {
				c.report(OdeCall, a.Value.Pos(),
					"%s is a number above 0 that is fixed at compile time", a.Name.Name)
			}
		default:
			c.report(NoSuchArg, a.Name.Span,
				"ode has no option %s: it has rtol, atol, max_steps and stiff", a.Name.Name)
			return invalid
		}
	}
	if len(plain) < 4 {
		c.report(ArgCount, e.Span,
			"ode takes a function, the start, its time and the times: ode(f, z0, t0, ts)")
		return invalid
	}
	name, ok := plain[0].(*ast.Name)
	var fs *Symbol
	if ok {
		fs = c.in.fns[name.Name]
	}
	if fs == nil || fs.Kind != Fn {
		d := c.report(OdeCall, plain[0].Pos(),
			"the first argument of ode is a function, fn f(t : real, z : real[D]) -> real[D]")
		if ok {
			suggest(d, name.Span, name.Name, keysOf(c.in.fns))
		}
		return invalid
	}
	c.m.Uses[name] = fs
	f := fs.Fn
	vals, lv, good := c.values(plain[1:])
	lv = lv.join(fs.Level)
	if !good || f.Result.Kind == types.Invalid {
		return invalid
	}
	callee.Ode, callee.Rest = f, plain[4:]
	callee.Args = slices.Clone(plain[:4])
	for _, name := range odeOptions {
		callee.Args = append(callee.Args, options[name])
	}
	z0, t0, ts := vals[0], vals[1], vals[2]
	if len(t0.t.Shape) > 0 || len(ts.t.Shape) != 1 {
		c.report(OdeCall, plain[2].Pos(),
			"ode takes the time of the start, a number, and the times, an array of one axis; "+
				"these have shapes %s and %s", t0.t.Shape, ts.t.Shape)
		return invalid
	}
	if len(f.Params) != len(plain)-2 {
		seeAlso(c.report(OdeCall, plain[0].Pos(), "ode calls %s(t, z, …) with %s, and it takes %d",
			fs.Name, counted(len(plain)-2, "argument"), len(f.Params)), fs, "declared here")
		return invalid
	}
	given := append([]value{t0, z0}, vals[3:]...)
	for i, v := range given {
		if f.Params[i].Type.Kind == types.Invalid {
			return invalid
		}
		if !c.unify(f.Params[i].Type.Shape, v.t.Shape, callee.Sizes, f.SizeVars) {
			w := types.SubstShape(f.Params[i].Type.Shape, callee.Sizes)
			seeAlso(c.report(OdeCall, e.Span, "ode passes %s to %s as its %s, which has shape %s%s",
				v.t.Shape, fs.Name, f.Params[i].Name, w, why(v.t.Shape, w)), fs, "declared here")
			return invalid
		}
	}
	if r := types.SubstShape(f.Result.Shape, callee.Sizes); f.Result.Kind == types.Tuple ||
		!r.Equal(z0.t.Shape) {
		seeAlso(c.report(OdeCall, plain[0].Pos(),
			"%s gives the slope of z, which has shape %s, and its result has %s", fs.Name,
			z0.t.Shape, r), fs, "declared here")
		return invalid
	}
	return value{types.ArrayOf(types.Real, types.JoinShapes(ts.t.Shape, z0.t.Shape)), lv}
}

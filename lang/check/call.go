package check

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// call is f(a), l1(x), hid[l](x), normal.logpdf(x, 0, 1).
func (c *checker) call(e *ast.Call) value {
	switch f := e.Fun.(type) {
	case *ast.Name:
		return c.namedCall(e, f)
	case *ast.Index:
		if n, ok := f.X.(*ast.Name); ok {
			if s := c.in.fns[n.Name]; s != nil && s.Kind == Layer {
				c.m.Uses[n] = s
				return c.layerCall(e, s, f.Subs)
			}
		}
	case *ast.Select:
		if n, ok := f.X.(*ast.Name); ok {
			return c.distCall(e, f, n)
		}
	case *ast.Paren:
	}
	if f, ok := e.Fun.(*ast.Select); ok && (c.moduleCall(e, f) || c.valueMethod(e, f)) {
		c.quietArgs(e)
		return invalid
	}
	switch f := e.Fun.(type) {
	case *ast.Select:
		c.report(NotAFunction, f.Pos(), "this is no function or layer")
	case *ast.Index:
		if n, ok := f.X.(*ast.Name); !ok || !c.lost(n.Name) {
			c.report(NotAFunction, f.Pos(), "this is no function or layer")
		}
	default: // the parser has said so
	}
	c.quietArgs(e)
	return invalid
}

func (c *checker) namedCall(e *ast.Call, n *ast.Name) value {
	// Inside a dist its own lines are functions.
	if c.dist != nil {
		if item := c.dist.def.Items[n.Name]; item != nil && item.Params != nil {
			return c.ownLine(e, n, item)
		}
	}
	if s := c.in.fns[n.Name]; s != nil {
		return c.symbolCall(e, n, s)
	}
	if f, ok := builtin.Lookup(n.Name); ok {
		return c.builtinCall(e, f)
	}
	if s := c.scope.find(n.Name); s != nil && s.Kind == Dim && s.Parent != nil {
		p, ok := c.raggedCall(e)
		if !ok {
			return invalid
		}
		c.m.Sizes[e] = p
		return value{types.Scalar(types.Count), Level{Stage: OfData, Row: true}}
	}
	if s := c.findFn(n.Name); s != nil {
		return c.symbolCall(e, n, s)
	}
	c.noSuchFunction(e, n)
	c.quietArgs(e)
	return invalid
}

func (c *checker) noSuchFunction(e *ast.Call, n *ast.Name) {
	if c.fn != nil && c.fn.name == n.Name {
		c.report(FnRecursion, n.Span, "the function %s calls itself, which a function may not",
			n.Name)
		return
	}
	if span, ok := c.in.laterF[n.Name]; ok {
		c.report(UsedBefore, n.Span, "%s is used before its declaration", n.Name).
			NoteAt(c.in.file.Source, span, "it is declared here: move that up")
		return
	}
	if s := c.scope.find(n.Name); s != nil {
		d := seeAlso(c.report(NotAFunction, n.Span, "%s is %s, not a function", n.Name,
			s.Kind.article()), s, "declared here")
		d.Note("a product is written with *, a subscript with [ ]")
		return
	}
	if s := c.in.dists[n.Name]; s != nil || isDistName(n.Name) {
		d := c.report(NotAFunction, n.Span,
			"%s is a distribution: it stands after ~, and its log density is %s.logpdf(…)",
			n.Name, n.Name)
		if h, ok := foreign.Functions[n.Name]; ok && h.Form != "" {
			c.advise(d, h, n.Span, e.Span, e.Args)
		} else if ok {
			d.Note("the function is "+h.Name).Suggest(n.Span, h.Name)
		} else if def := c.findDist(n.Name); def != nil && len(e.Args) == len(def.Params)+1 {
			d.Suggest(n.Span, n.Name+".logpdf")
		}
		return
	}
	if c.lost(n.Name) || c.lost(moduleWith(n.Name)) {
		return
	}
	d := c.report(NoSuchFunction, n.Span, "there is no function %s", n.Name)
	if c.foreignCall(d, e, n) {
		return
	}
	if m := moduleWith(n.Name); m != "" {
		d.Note("it is in the module " + m + ": write use " + m)
		return
	}
	suggest(d, n.Span, n.Name, append(builtin.Names(), keysOf(c.in.fns)...))
}

// symbolCall calls a user's or library's function, or one layer.
func (c *checker) symbolCall(e *ast.Call, n *ast.Name, s *Symbol) value {
	c.m.Uses[n] = s
	switch s.Kind {
	case Layer:
		return c.layerCall(e, s, nil)
	case LayerDef:
		seeAlso(c.report(NotAFunction, n.Span,
			"%s defines a layer: make one, layer l = %s(…), and apply that", n.Name, n.Name), s,
			"declared here")
		c.quietArgs(e)
		return invalid
	}
	callee := &Callee{Fn: s.Fn, Sizes: map[string]types.Size{}}
	c.m.Callees[e] = callee
	return c.apply(e, s.Name, s.Fn, callee, Level{})
}

// arguments returns the given arguments in declared order, with nil for those that take their
// default.
func (c *checker) arguments(
	at source.Span, what string, decl *Symbol, given []ast.Arg, names []string,
) ([]ast.Expr, bool) {
	out := make([]ast.Expr, len(names))
	good := true
	for i := range given {
		a := &given[i]
		place := i
		if a.Name.Name != "" {
			place = -1
			for j, n := range names {
				if n == a.Name.Name {
					place = j
				}
			}
			if place < 0 {
				d := seeAlso(c.report(NoSuchArg, a.Name.Span, "%s has no argument %s", what,
					a.Name.Name), decl, "declared here")
				if ours := foreign.Argument(a.Name.Name, names); ours != "" {
					d.Note("here it is "+ours).Suggest(a.Name.Span, ours)
				} else if a.Name.Name == "scale" && slices.Contains(names, "beta") {
					d.Note("it is given by its rate: beta = 1 / scale")
				} else {
					suggest(d, a.Name.Span, a.Name.Name, names)
				}
				good = false
				continue
			}
		} else if i > 0 && given[i-1].Name.Name != "" {
			c.report(ArgOrder, a.Value.Pos(),
				"an argument without a name stands before those with one")
			good = false
			continue
		}
		if place >= len(names) {
			seeAlso(c.report(ArgCount, a.Value.Pos(), "%s takes %s, and %d are given", what,
				counted(len(names), "argument"), len(given)), decl, "declared here")
			return out, false
		}
		if out[place] != nil {
			c.report(ArgTwice, a.Value.Pos(), "the argument %s is given twice", names[place])
			good = false
			continue
		}
		out[place] = a.Value
	}
	return out, good
}

func counted(n int, what string) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six"}
	s := what + "s"
	if n == 1 {
		s = what
	}
	if n < len(words) {
		return words[n] + " " + s
	}
	return "many " + s
}

// defaults fills in the arguments that were not given.
func (c *checker) defaults(
	at source.Span, what string, decl *Symbol, args []ast.Expr, params []*Symbol,
) bool {
	for i, p := range params {
		if args[i] != nil {
			continue
		}
		if d, ok := p.Decl.(*ast.Param); ok && d.Default != nil {
			args[i] = d.Default
			continue
		}
		names := ""
		for j, q := range params {
			if j > 0 {
				names += ", "
			}
			names += q.Name
		}
		seeAlso(c.report(ArgCount, at, "%s needs the argument %s: %s(%s)", what, p.Name, what,
			names), decl, "declared here")
		return false
	}
	return true
}

func symbolNames(list []*Symbol) []string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name
	}
	return names
}

// apply checks the arguments of a declared function and finds what it gives.
func (c *checker) apply(e *ast.Call, what string, f *FnInfo, callee *Callee, lv Level) value {
	if f == nil {
		c.quietArgs(e)
		return invalid
	}
	args, good := c.arguments(e.Span, what, f.Symbol, e.Args, symbolNames(f.Params))
	if !good {
		c.quietArgs(e)
		return invalid
	}
	own := append([]ast.Expr(nil), args...) // those written here
	if !c.defaults(e.Span, what, f.Symbol, args, f.Params) {
		c.quietArgs(e)
		return invalid
	}
	callee.Args = args
	vals := make([]value, len(args))
	for i, a := range args {
		if own[i] != nil {
			vals[i] = c.expr(a)
		} else {
			vals[i] = value{c.m.Types[a], c.m.Levels[a]}
		}
		if vals[i].bad() || f.Params[i].Type.Kind == types.Invalid {
			good = false
		}
		lv = lv.join(vals[i].lv)
	}
	lv = lv.join(f.Symbol.Level)
	if !good || f.Result.Kind == types.Invalid {
		return invalid
	}
	if f.Numbers && c.elementwise(e, what, f, callee, vals) {
		t := types.Subst(f.Result, callee.Sizes)
		return value{spread(t, callee.Shape), lv}
	} else if f.Numbers {
		return invalid
	}
	before := len(c.m.Diags)
	if !c.fnArgs(args, vals, what, f, callee) {
		c.swapped(before, args, e.Args, symbolNames(f.Params), func(order []int) bool {
			as, vs := make([]ast.Expr, len(args)), make([]value, len(args))
			for i, from := range order {
				as[i], vs[i] = args[from], vals[from]
			}
			return c.fnArgs(as, vs, what, f, &Callee{Sizes: map[string]types.Size{}})
		})
		return invalid
	}
	return value{types.Subst(f.Result, callee.Sizes), lv}
}

// fnArgs holds the arguments of a function of arrays against its signature.
func (c *checker) fnArgs(
	args []ast.Expr, vals []value, what string, f *FnInfo, callee *Callee,
) bool {
	good := true
	for i, a := range args {
		want := f.Params[i].Type
		if !c.unify(want.Shape, vals[i].t.Shape, callee.Sizes, f.SizeVars) {
			w := types.SubstShape(want.Shape, callee.Sizes)
			d := c.report(ArgShape, a.Pos(), "the argument %s of %s has shape %s, and this is %s%s",
				f.Params[i].Name, what, w, vals[i].t.Shape, whyNamed(vals[i].t.Shape, w))
			if len(vals[i].t.Shape) > len(want.Shape) {
				d.Note("to apply it to every row, write a comprehension or a plate")
			}
			return false
		}
		if want.Kind == types.Index && vals[i].t.Kind == types.Index &&
			!c.unifySize(want.Below, vals[i].t.Below, callee.Sizes, f.SizeVars) &&
			!fitsBelow(vals[i].t.Below, types.SubstSize(want.Below, callee.Sizes)) {
			c.report(KindMismatch, a.Pos(),
				"the argument %s of %s is an index of %s, and this is one of %s", f.Params[i].Name,
				what, types.SubstSize(want.Below, callee.Sizes), vals[i].t.Below)
			return false
		}
		good = c.takes(a, vals[i].t, types.Subst(want, callee.Sizes),
			"the argument "+f.Params[i].Name+" of "+what) && good
	}
	return good
}

// elementwise aligns the arguments of a function of numbers.
func (c *checker) elementwise(
	e *ast.Call, what string, f *FnInfo, callee *Callee, vals []value,
) bool {
	shape, ok := c.align(e, callee.Args, vals, what)
	if !ok {
		return false
	}
	kinds := func(order []int, callee *Callee) bool {
		for i, from := range order {
			want := f.Params[i].Type
			if want.Kind == types.Index && vals[from].t.Kind == types.Index {
				c.unify(types.Shape{want.Below}, types.Shape{vals[from].t.Below}, callee.Sizes,
					f.SizeVars)
				want = types.Subst(want, callee.Sizes)
			}
			if !c.takes(callee.Args[from], vals[from].t, want,
				"the argument "+f.Params[i].Name+" of "+what) {
				return false
			}
		}
		return true
	}
	as := make([]int, len(vals))
	for i := range as {
		as[i] = i
	}
	before := len(c.m.Diags)
	if !kinds(as, callee) {
		c.swapped(before, callee.Args, e.Args, symbolNames(f.Params), func(order []int) bool {
			return kinds(order, &Callee{Args: callee.Args, Sizes: map[string]types.Size{}})
		})
		return false
	}
	callee.Shape, callee.Elementwise = shape, len(shape) > 0
	return true
}

// spread gives every part of a result of numbers a shape.
func spread(t types.Type, shape types.Shape) types.Type {
	if t.Kind == types.Tuple {
		parts := make([]types.Type, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = spread(p, shape)
		}
		t.Parts = parts
		return t
	}
	t.Shape = shape
	return t
}

// unify finds the size variables of a declared shape from an actual one.
func (c *checker) unify(want, got types.Shape, found map[string]types.Size, vars []string) bool {
	if len(want) != len(got) {
		return false
	}
	for i, p := range want {
		if !c.unifySize(p, got[i], found, vars) {
			return false
		}
	}
	return true
}

func (c *checker) unifySize(want, got types.Size, found map[string]types.Size, vars []string) bool {
	known := types.SubstSize(want, found)
	for _, v := range vars {
		if _, done := found[v]; done {
			continue
		}
		slope, rest, linear := split(want, v)
		if len(slope.Terms) == 0 {
			continue
		}
		if n, ok := slope.Number(); !ok || n != 1 || !linear {
			return false
		}
		found[v] = got.Sub(types.SubstSize(rest, found))
		return true
	}
	return known.Equal(got)
}

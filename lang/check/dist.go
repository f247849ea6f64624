package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
)

// A distContext is the dist whose lines are being checked.
type distContext struct {
	def      *DistDef
	sampling bool
}

// distLines are the lines of a dist that have a meaning, and whether they take the value.
var distLines = map[string]bool{"logpdf": true, "cdf": true, "logcdf": true, "logccdf": true,
	"sample": false, "mean": false}

// distDecl checks dist name(args) on type { … }.
func (c *checker) distDecl(s *ast.Dist) {
	sym := &Symbol{Kind: Dist, Doc: s.Doc, Decl: s}
	def := &DistDef{Decl: s, Symbol: sym, Name: s.Name.Name, Items: map[string]*ast.DistItem{},
		Value: map[*ast.DistItem]*Symbol{}}
	sym.Dist = def
	savedPlates := c.plates
	c.plates = nil
	outer := c.scope
	c.scope = newScope(outer)
	c.scope.barrier = true
	inner := c.scope
	def.Params = c.signature(s.Params, &def.SizeVars)
	if s.On != nil {
		def.On = c.signatureType(s.On, Dist, &def.SizeVars, true)
	}
	c.scope = outer
	c.plates = savedPlates
	tried := false // to write a logpdf
	for i := range s.Items {
		it := &s.Items[i]
		name := it.Name.Name
		tried = tried || name == "logpdf"
		takesValue, known := distLines[name]
		switch {
		case name == "let" || name == "check":
			continue
		case !known:
			d := c.report(DistLine, it.Name.Span,
				"a dist has no line %s: it has logpdf, cdf, logcdf, logccdf, sample and mean", name)
			suggest(d, it.Name.Span, name,
				[]string{"logpdf", "cdf", "logcdf", "logccdf", "sample", "mean"})
			continue
		case def.Items[name] != nil:
			c.report(NameTwice, it.Name.Span, "%s is already declared: a name is declared once",
				name)
		case takesValue && len(it.Params) != 1:
			c.report(DistLine, it.Name.Span,
				"%s takes the value, %s(x) = …; the arguments are in sight", name, name)
			continue
		case !takesValue && len(it.Params) > 0:
			c.report(DistLine, it.Name.Span, "%s takes no value: %s = …", name, name)
			continue
		}
		def.Items[name] = it
	}
	if !tried && !c.lost("logpdf") {
		c.report(DistLine, s.Name.Span, "the distribution %s has no logpdf(x) = …", s.Name.Name)
	}
	c.declareFn(&s.Name, sym, c.in.dists)
	body := func() { c.distBody(def, inner) }
	if c.in.name == "" {
		body()
		return
	}
	// A library distribution may use another whose file is still being read.
	u := c.in
	c.pending = append(c.pending, func() { c.inUnit(u, body) })
}

// distBody checks the lines in the scope of the arguments.
func (c *checker) distBody(def *DistDef, inner *scope) {
	savedScope, savedDist, savedPlates, savedFn := c.scope, c.dist, c.plates, c.fn
	c.plates = nil
	c.scope = newScope(inner)
	c.dist = &distContext{def: def}
	for i := range def.Decl.Items {
		it := &def.Decl.Items[i]
		switch {
		case it.Name.Name == "let" && it.Let != nil:
			c.let(it.Let)
			for j := range it.Let.Names {
				def.Lets = append(def.Lets, c.m.Uses[&it.Let.Names[j]])
			}
		case it.Name.Name == "check":
			c.distCheck(def, it)
		case def.Items[it.Name.Name] == it && it.Body != nil:
			c.within(func() { c.distLine(def, it) })
		}
	}
	c.scope, c.dist, c.plates, c.fn = savedScope, savedDist, savedPlates, savedFn
}

func (c *checker) distLine(def *DistDef, it *ast.DistItem) {
	name := it.Name.Name
	c.dist.sampling = name == "sample"
	if len(it.Params) == 1 {
		c.scope.barrier = true
		def.Value[it] = c.declare(&it.Params[0],
			&Symbol{Kind: FnArg, Decl: it, Type: def.On, Part: -1})
	}
	v := c.expr(it.Body)
	c.dist.sampling = false
	if v.bad() || def.On.Kind == types.Invalid {
		return
	}
	want := types.Shape{}
	if name == "sample" || name == "mean" {
		want = def.On.Shape
		if def.On.Kind == types.Index && name == "mean" {
			return
		}
	}
	if !v.t.Shape.Equal(want) {
		c.report(DistShape, it.Body.Pos(), "%s of %s has shape %s, and this is %s%s", name,
			def.Name, want, v.t.Shape, why(v.t.Shape, want))
		return
	}
	if v.lv.Stage == OfParams {
		c.report(DistShape, it.Body.Pos(),
			"a distribution depends on its arguments alone, and this has an unknown of the model in it")
	}
}

// distCheck checks a line check logpdf(1.5, 2) == -1.2.
func (c *checker) distCheck(def *DistDef, it *ast.DistItem) {
	if it.Check == nil || it.Body == nil {
		return
	}
	if _, ok := c.constant(it.Body); !ok {
		v := c.expr(it.Body)
		if !v.bad() {
			c.report(DistCheck, it.Body.Pos(), "the expected value of a check is a number")
		}
		return
	}
	c.expr(it.Body)
	name, ok := it.Check.Fun.(*ast.Name)
	if !ok || !distLines[name.Name] {
		c.report(DistCheck, it.Check.Span,
			"a check has the form check logpdf(value, arguments) == number")
		return
	}
	if def.Items[name.Name] == nil {
		c.report(DistCheck, name.Span, "%s has no line %s to check", def.Name, name.Name)
		return
	}
	c.method(it.Check, def, name.Name, it.Check.Args, true)
	for _, a := range it.Check.Args {
		if v, ok := c.m.Types[a.Value]; ok && v.Kind != types.Invalid &&
			c.m.Levels[a.Value].Stage != AtCompile {
			c.report(DistCheck, a.Value.Pos(), "the values of a check are numbers")
			return
		}
	}
}

// ownLine calls a line of the dist that is being checked: the value, with the
// arguments as they stand.
func (c *checker) ownLine(e *ast.Call, n *ast.Name, item *ast.DistItem) value {
	def := c.dist.def
	if len(e.Args) == 1+len(def.Params) && len(def.Params) > 0 {
		return c.method(e, def, n.Name, e.Args, false)
	}
	if len(e.Args) != 1 {
		c.report(ArgCount, e.Span, "%s takes the value, and the arguments are in sight: %s(x)",
			n.Name, n.Name)
		c.quietArgs(e)
		return invalid
	}
	v := c.expr(e.Args[0].Value)
	if v.bad() {
		return invalid
	}
	c.m.Callees[e] = &Callee{Dist: def, Method: n.Name, Args: []ast.Expr{e.Args[0].Value}}
	if !v.t.Shape.Equal(def.On.Shape) {
		c.report(ArgShape, e.Args[0].Value.Pos(), "the value of %s has shape %s, and this is %s",
			def.Name, def.On.Shape, v.t.Shape)
		return invalid
	}
	return value{types.Scalar(types.Real), v.lv}
}

// distCall is normal.logpdf(x, mu, sigma) and normal.sample(mu, sigma).
func (c *checker) distCall(e *ast.Call, f *ast.Select, n *ast.Name) value {
	def := c.findDist(n.Name)
	if def == nil {
		if s := c.in.fns[n.Name]; s != nil && s.Kind == Layer {
			c.report(NotAFunction, e.Fun.Pos(), "%s is applied as it is, %s(x)", n.Name, n.Name)
		} else if !c.moduleCall(e, f) && !c.valueMethod(e, f) {
			c.noSuchDist(n.Name, &ast.Ident{Span: n.Span, Name: n.Name}, nil)
		}
		c.quietArgs(e)
		return invalid
	}
	c.m.Uses[n] = def.Symbol
	method := f.Name.Name
	if _, known := distLines[method]; !known || def.Items[method] == nil {
		d := c.report(NoSuchPart, f.Name.Span, "%s has no %s", n.Name, method)
		switch method {
		case "lpdf", "lpmf", "log_prob", "logprob", "pdf", "logp", "logpmf", "lupdf":
			d.Note("its log density is "+n.Name+".logpdf(…)").Suggest(f.Name.Span, "logpdf")
		case "rng", "random", "rvs":
			d.Note("a draw is "+n.Name+
				".sample(…), in the sample line of a dist").Suggest(f.Name.Span, "sample")
		default:
			var have []string
			for k := range def.Items {
				have = append(have, k)
			}
			suggest(d, f.Name.Span, method, have)
		}
		c.quietArgs(e)
		return invalid
	}
	if method != "sample" || c.dist != nil && c.dist.sampling {
		return c.method(e, def, method, e.Args, false)
	}
	if c.generating && c.dist == nil {
		return c.generated(e, def)
	}
	c.report(RandomPlace, e.Span, "%s.sample draws at random, and stands only in a `generate` "+
		"and in the sample line of a dist", n.Name).Note(predicted)
	c.quietArgs(e)
	return invalid
}

// generated is a draw in the value of a generate line.
func (c *checker) generated(e *ast.Call, def *DistDef) value {
	v := c.method(e, def, "sample", e.Args, false)
	if v.bad() {
		return invalid
	}
	for _, s := range def.SizeVars {
		if _, known := c.m.Callees[e].Sizes[s]; !known {
			c.report(ArgShape, e.Span, "a draw of %s has the size %s, which no argument tells here",
				def.Name, s)
			return invalid
		}
	}
	v.lv.Stage = OfParams
	return v
}

// method checks the value and the arguments of one line of a distribution.
func (c *checker) method(
	e *ast.Call, def *DistDef, method string, given []ast.Arg, checkLine bool,
) value {
	names := symbolNames(def.Params)
	params := def.Params
	what := def.Name + "." + method
	takesValue := distLines[method]
	if takesValue {
		valueName := "value"
		if it := def.Items[method]; it != nil && len(it.Params) == 1 {
			valueName = it.Params[0].Name
		}
		names = append([]string{valueName}, names...)
		params = append([]*Symbol{{Name: valueName, Type: def.On}}, params...)
	}
	args, ok := c.arguments(e.Span, what, def.Symbol, given, names)
	if !ok {
		c.quietArgs(e)
		return invalid
	}
	own := append([]ast.Expr(nil), args...)
	if !c.defaults(e.Span, what, def.Symbol, args, params) {
		c.quietArgs(e)
		return invalid
	}
	callee := &Callee{Dist: def, Method: method, Args: args, Sizes: map[string]types.Size{}}
	c.m.Callees[e] = callee
	vals := make([]value, len(args))
	lv, good := Level{}, true
	for i, a := range args {
		vals[i] = value{c.m.Types[a], c.m.Levels[a]}
		if own[i] != nil {
			vals[i] = c.expr(a)
		}
		lv = lv.join(vals[i].lv)
		good = good && !vals[i].bad() && params[i].Type.Kind != types.Invalid
	}
	if !good || def.On.Kind == types.Invalid {
		return invalid
	}
	result := types.Scalar(types.Real)
	switch method {
	case "sample", "mean":
		result = def.On
	case "cdf":
		result.Kind = types.Unit
	}
	numbers := def.On.IsScalar() && def.On.Kind != types.Index
	for _, p := range params {
		numbers = numbers && p.Type.IsScalar()
	}
	if numbers {
		shape, ok := c.align(e, args, vals, what)
		if !ok {
			return invalid
		}
		for i, a := range args {
			if !c.takes(a, vals[i].t, params[i].Type, "the argument "+params[i].Name+" of "+what) {
				return invalid
			}
		}
		callee.Shape, callee.Elementwise = shape, len(shape) > 0
		result.Shape = shape
		return value{result, lv}
	}
	if !c.methodShapes(what, def, callee, params, vals, checkLine) {
		return invalid
	}
	return value{types.Subst(result, callee.Sizes), lv}
}

// methodShapes matches the shapes and kinds of the arguments of a line with those declared.
func (c *checker) methodShapes(
	what string, def *DistDef, callee *Callee, params []*Symbol, vals []value, checkLine bool,
) bool {
	for i, a := range callee.Args {
		want := params[i].Type
		if want.Kind == types.Index && vals[i].t.Kind == types.Index && !checkLine {
			c.unifySize(want.Below, vals[i].t.Below, callee.Sizes, def.SizeVars)
		}
		if !c.unify(want.Shape, vals[i].t.Shape, callee.Sizes, def.SizeVars) {
			w := types.SubstShape(want.Shape, callee.Sizes)
			c.report(ArgShape, a.Pos(), "the argument %s of %s has shape %s, and this is %s%s",
				params[i].Name, what, w, vals[i].t.Shape, why(vals[i].t.Shape, w))
			return false
		}
	}
	for i, a := range callee.Args {
		if !c.takes(a, vals[i].t, types.Subst(params[i].Type, callee.Sizes),
			"the argument "+params[i].Name+" of "+what) {
			return false
		}
	}
	return true
}

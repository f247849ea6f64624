package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
)

// layerDef checks layer Dense(n_in, prior ~ normal(0, 1)) { … }, once, in its own sizes.
func (c *checker) layerDef(s *ast.LayerDef) {
	sym := &Symbol{Kind: LayerDef, Doc: s.Doc, Decl: s}
	info := &LayerInfo{Decl: s, Symbol: sym}
	sym.Def = info
	savedLayer, savedPlates, savedFns := c.layer, c.plates, c.in.fns
	c.layer, c.plates = info, nil
	// The functions of a layer are seen inside it alone.
	inner := make(map[string]*Symbol, len(savedFns))
	for n, f := range savedFns {
		inner[n] = f
	}
	c.within(func() {
		info.scope = c.scope
		for i := range s.Params {
			p := &s.Params[i]
			switch {
			case p.Dist != nil:
				info.Dists = append(info.Dists, c.declare(&p.Name, &Symbol{Kind: DistArg, Decl: p, Type: types.Type{Kind: types.AnyDist}, Part: -1}))
			case p.Type != nil:
				c.report(FnSignature, p.Span, "the arguments of a layer are sizes, which have no type, and distributions, marked by ~")
				c.declare(&p.Name, &Symbol{Kind: SizeVar, Decl: p, Type: types.Scalar(types.Count)})
			default:
				info.Sizes = append(info.Sizes, c.declare(&p.Name, &Symbol{Kind: SizeVar, Decl: p, Type: types.Scalar(types.Count), Level: Level{Stage: OfData}, Part: -1}))
			}
		}
		for _, d := range s.Decls {
			c.layerPart(d, info, inner)
		}
	})
	c.layer, c.plates, c.in.fns = savedLayer, savedPlates, savedFns
	if info.Apply == nil && !c.lost("apply") {
		c.report(LayerApply, s.Name.Span, "the layer %s has no fn apply, which says what it does with its input", s.Name.Name)
	}
	c.declareFn(&s.Name, sym, c.in.fns)
}

func (c *checker) layerPart(d ast.Stmt, info *LayerInfo, inner map[string]*Symbol) {
	switch d := d.(type) {
	case *ast.ParamDecl:
		for i := range d.Groups {
			info.Params = append(info.Params, c.group(&d.Groups[i], LayerParam, d.Doc)...)
		}
	case *ast.Let:
		c.let(d)
		for i := range d.Names {
			info.Lets = append(info.Lets, c.m.Uses[&d.Names[i]])
		}
	case *ast.Fn:
		fs := &Symbol{Kind: Fn, Doc: d.Doc, Decl: d, Name: d.Name.Name, Span: d.Name.Span, File: c.in.file.Source, Part: -1}
		outer := c.in.fns
		c.in.fns = inner
		fs.Fn = c.fnInfo(d, fs)
		fs.Fn.Layer = info
		c.in.fns = outer
		c.m.Uses[&d.Name] = fs
		if old := inner[d.Name.Name]; old != nil && c.in.fns[d.Name.Name] == nil {
			seeAlso(c.report(NameTwice, d.Name.Span, "%s is already declared: a name is declared once", d.Name.Name), old, "declared here")
		}
		inner[d.Name.Name] = fs
		info.Fns = append(info.Fns, fs.Fn)
		if d.Name.Name == "apply" {
			info.Apply = fs.Fn
		}
	default:
		c.report(LayerApply, d.Pos(), "a layer holds params, lets and functions alone")
	}
}

// layerUse checks layer l1 = Dense(784, H), hid[L] = …
func (c *checker) layerUse(s *ast.LayerUse) {
	for i := range s.Items {
		it := &s.Items[i]
		sym := &Symbol{Kind: Layer, Doc: s.Doc, Decl: it, Level: Level{Stage: OfParams}}
		sym.Inst = c.instance(it)
		c.declareFn(&it.Name, sym, c.in.fns)
	}
}

// instance matches the arguments of a layer; nil when something is wrong.
func (c *checker) instance(it *ast.LayerItem) *LayerUse {
	family, good := c.shape(it.Sizes, nil)
	def := c.findFn(it.Def.Name)
	if def == nil || def.Kind != LayerDef {
		switch {
		case def != nil:
			seeAlso(c.report(NoSuchLayer, it.Def.Span, "%s is a %s, not the definition of a layer", it.Def.Name, def.Kind), def, "declared here")
		case c.in.laterF[it.Def.Name].End > 0:
			c.report(UsedBefore, it.Def.Span, "%s is used before its declaration", it.Def.Name).NoteAt(c.in.file.Source, c.in.laterF[it.Def.Name], "it is declared here: move that up")
		case c.lost(it.Def.Name), c.lost(moduleWith(it.Def.Name)):
		default:
			d := c.report(NoSuchLayer, it.Def.Span, "there is no layer %s", it.Def.Name)
			if m := moduleWith(it.Def.Name); m != "" {
				d.Note("it is in the module " + m + ": write use " + m)
			} else {
				suggest(d, it.Def.Span, it.Def.Name, c.layerNames())
			}
		}
		return nil
	}
	info := def.Def
	use := &LayerUse{Def: info, Decl: it, Family: family, Sizes: map[string]types.Size{}, Dists: map[string]*ast.DistExpr{}}
	c.m.Uses[&it.Def] = def
	next := 0
	for i := range it.Args {
		a := &it.Args[i]
		if dv, ok := a.Value.(*ast.DistValue); ok {
			good = c.layerDist(it, a, dv, info, use) && good
			continue
		}
		name := a.Name.Name
		if name == "" {
			if next >= len(info.Sizes) {
				seeAlso(c.report(ArgCount, a.Value.Pos(), "%s takes %s, %s", def.Name, counted(len(info.Sizes), "size"), join(symbolNames(info.Sizes))), def, "declared here")
				good = false
				break
			}
			name = info.Sizes[next].Name
			next++
		}
		known := false
		for _, p := range info.Sizes {
			known = known || p.Name == name
		}
		if !known {
			d := seeAlso(c.report(NoSuchArg, a.Name.Span, "%s has no argument %s", def.Name, name), def, "declared here")
			suggest(d, a.Name.Span, name, append(symbolNames(info.Sizes), symbolNames(info.Dists)...))
			good = false
			continue
		}
		if _, twice := use.Sizes[name]; twice {
			c.report(ArgTwice, a.Value.Pos(), "the argument %s is given twice", name)
			good = false
		}
		p, ok := c.size(a.Value)
		good = good && ok
		use.Sizes[name] = p
	}
	for _, p := range info.Sizes {
		if d, ok := p.Decl.(*ast.Param); ok && d.Default != nil {
			if _, given := use.Sizes[p.Name]; !given {
				if u := c.unitOf(info.Symbol); u != nil {
					c.inUnit(u, func() {
						c.scope = info.scope
						n, ok := c.size(d.Default)
						good = good && ok
						use.Sizes[p.Name] = types.SubstSize(n, use.Sizes)
					})
				}
			}
		}
		if _, ok := use.Sizes[p.Name]; !ok && good {
			seeAlso(c.report(ArgCount, it.Span, "%s needs the size %s", def.Name, p.Name), def, "declared here")
			good = false
		}
	}
	if !good || info.Apply == nil {
		return nil
	}
	c.weights(use)
	return use
}

// layerDist checks prior ~ normal(0, 0.1).
func (c *checker) layerDist(it *ast.LayerItem, a *ast.Arg, dv *ast.DistValue, info *LayerInfo, use *LayerUse) bool {
	for _, d := range info.Dists {
		if d.Name != a.Name.Name {
			continue
		}
		if use.Dists[d.Name] != nil {
			c.report(ArgTwice, a.Name.Span, "the argument %s is given twice", d.Name)
			return false
		}
		use.Dists[d.Name] = dv.Dist
		return true
	}
	seeAlso(c.report(NoSuchArg, a.Name.Span, "%s has no distribution argument %s", info.Symbol.Name, a.Name.Name), info.Symbol, "declared here")
	return false
}

// weights gives an instance its arrays, and checks each prior on each.
func (c *checker) weights(use *LayerUse) {
	given := map[string]bool{}
	for _, d := range use.Def.Dists {
		if use.Dists[d.Name] != nil {
			given[d.Name] = true
			continue
		}
		if p, ok := d.Decl.(*ast.Param); ok {
			use.Dists[d.Name] = p.Dist
		}
	}
	for _, p := range use.Def.Params {
		t := types.Subst(p.Type, use.Sizes)
		if t.Kind == types.Invalid {
			continue
		}
		t.Shape = types.JoinShapes(use.Family, t.Shape)
		w := &LayerWeight{Param: p, Type: t, Init: p.Init.in(use.Sizes)}
		if p.Prior != nil {
			w.Prior = p.Group.Prior
			if p.Prior.Form == Argument {
				name := p.Prior.Arg.Name
				w.Prior = use.Dists[name]
				tg := target{t: t, what: p.Name, span: use.Decl.Name.Span, prior: true}
				if given[name] {
					if w.Use = c.distUse(w.Prior, tg); w.Use == nil {
						return // told once, not for every array
					}
				} else if u := c.unitOf(use.Def.Symbol); u != nil && w.Prior != nil {
					c.inUnit(u, func() {
						c.scope = use.Def.scope
						w.Use = c.distUse(w.Prior, tg)
					})
				}
			} else {
				w.Use = substUse(p.Prior, use.Sizes, t)
			}
		}
		use.Params = append(use.Params, w)
	}
}

// substUse is a prior of a layer's definition in the sizes of an instance.
func substUse(u *DistUse, sizes map[string]types.Size, t types.Type) *DistUse {
	out := *u
	out.Target = t
	out.Own = types.SubstShape(u.Own, sizes)
	out.Family = t.Shape[:len(t.Shape)-len(out.Own)]
	out.Sizes = map[string]types.Size{}
	for k, v := range u.Sizes {
		out.Sizes[k] = types.SubstSize(v, sizes)
	}
	return &out
}

// unitOf is the file that a definition is in.
func (c *checker) unitOf(s *Symbol) *unit {
	if s.File == c.m.File.Source {
		return c.root
	}
	for _, u := range c.modules {
		if u.file.Source == s.File {
			return u
		}
	}
	return nil
}

func (c *checker) layerNames() []string {
	var names []string
	for n, s := range c.in.fns {
		if s.Kind == LayerDef {
			names = append(names, n)
		}
	}
	for _, u := range c.in.uses {
		for n, s := range u.fns {
			if s.Kind == LayerDef {
				names = append(names, n)
			}
		}
	}
	return names
}

// layerNamed finds the instance that an expression names: l1, or hid of hid[l].
func (c *checker) layerNamed(e ast.Expr) (*Symbol, *ast.Name) {
	n, ok := e.(*ast.Name)
	if !ok || c.scope.find(n.Name) != nil {
		return nil, nil
	}
	if s := c.in.fns[n.Name]; s != nil && s.Kind == Layer {
		return s, n
	}
	return nil, nil
}

// layerCall is l1(x) or hid[l](x).
func (c *checker) layerCall(e *ast.Call, s *Symbol, subs []ast.Expr) value {
	use := s.Inst
	if use == nil {
		c.quietArgs(e)
		return invalid
	}
	lv := Level{Stage: OfParams}
	if len(subs) != len(use.Family) {
		d := c.report(LayerFamily, e.Fun.Pos(), "%s is a family of shape %s and takes %d subscripts, not %d", s.Name, use.Family, len(use.Family), len(subs))
		if len(use.Family) == 0 {
			d.Message = s.Name + " is one layer, not a family: it takes no subscript"
		}
		c.quietArgs(e)
		return invalid
	}
	for i, sub := range subs {
		if _, ok := sub.(*ast.Range); ok {
			c.report(LayerFamily, sub.Pos(), "one layer of the family is applied at a time: give it an index")
			c.quietArgs(e)
			return invalid
		}
		kept, l, ok := c.subscript(&ast.Index{Span: e.Span, X: e.Fun, Subs: subs}, sub, use.Family[i], i, invalid)
		if !ok {
			c.quietArgs(e)
			return invalid
		}
		if len(kept) > 0 {
			c.report(LayerFamily, sub.Pos(), "one layer of the family is applied at a time, and this is an array of indices")
			c.quietArgs(e)
			return invalid
		}
		lv = lv.join(l)
	}
	sizes := make(map[string]types.Size, len(use.Sizes))
	for k, v := range use.Sizes {
		sizes[k] = v
	}
	callee := &Callee{Fn: use.Def.Apply, Layer: s, Subs: subs, Sizes: sizes}
	c.m.Callees[e] = callee
	return c.apply(e, s.Name, use.Def.Apply, callee, lv)
}

// quietArgs checks arguments for their own mistakes.
func (c *checker) quietArgs(e *ast.Call) {
	for i := range e.Args {
		switch a := e.Args[i].Value.(type) {
		case *ast.DistValue, *ast.Range:
		default:
			c.exprTuple(a)
		}
	}
}

// selectExpr is hid.W: the weights of a layer, family axes first.
func (c *checker) selectExpr(e *ast.Select) value {
	n, ok := e.X.(*ast.Name)
	var s *Symbol
	if ok {
		s = c.in.fns[n.Name]
	}
	if s == nil || s.Kind != Layer {
		if ok && c.scope.find(n.Name) == nil && (c.in.dists[n.Name] != nil || isDistName(n.Name)) {
			c.report(DistAsValue, e.Span, "%s.%s is a function: call it, %s.%s(…)", n.Name, e.Name.Name, n.Name, e.Name.Name)
			return invalid
		}
		if ok && c.scope.find(n.Name) == nil && c.in.laterF[n.Name].End > 0 {
			c.report(UsedBefore, n.Span, "%s is used before its declaration", n.Name).
				NoteAt(c.in.file.Source, c.in.laterF[n.Name], "it is declared here: move that up")
			return invalid
		}
		if ok && c.lost(n.Name) || c.valueMethod(nil, e) {
			return invalid
		}
		if !ok && c.expr(e.X).bad() {
			return invalid
		}
		if ok && foreign.Modules[n.Name] {
			d := c.report(NoSuchPart, e.Span, "there are no modules: values and functions stand alone")
			if h, known := foreign.Values[e.Name.Name]; known && h.Name != "" {
				d.Note("here it is written "+h.Name).Suggest(e.Span, h.Name)
			} else if _, known := builtin.Lookup(e.Name.Name); known {
				d.Note("a function is called: " + e.Name.Name + "(…)")
			}
			return invalid
		}
		d := c.report(NoSuchPart, e.Span, "only a layer has parts, such as %s.W", "hid")
		if ok {
			suggest(d, n.Span, n.Name, keysOf(c.in.fns))
		}
		return invalid
	}
	c.m.Uses[n] = s
	if s.Inst == nil {
		return invalid
	}
	for _, w := range s.Inst.Params {
		if w.Param.Name == e.Name.Name {
			c.m.Uses[&e.Name] = w.Param
			return value{w.Type, Level{Stage: OfParams}}
		}
	}
	if c.lost(e.Name.Name) {
		return invalid
	}
	d := c.report(NoSuchPart, e.Name.Span, "the layer %s has no weights %s", s.Name, e.Name.Name)
	var names []string
	for _, w := range s.Inst.Params {
		names = append(names, w.Param.Name)
	}
	suggest(d, e.Name.Span, e.Name.Name, names)
	return invalid
}

func keysOf(m map[string]*Symbol) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	return names
}

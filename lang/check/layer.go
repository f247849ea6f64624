package check

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
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
				info.Dists = append(info.Dists,
					c.declare(&p.Name,
						&Symbol{Kind: DistArg, Decl: p, Type: types.Type{Kind: types.AnyDist},
							Part: -1}))
			case p.Type != nil:
				if v := c.layerNumber(p); v.Kind == FnArg {
					info.Values = append(info.Values, v)
				}
			default:
				info.Sizes = append(info.Sizes,
					c.declare(&p.Name,
						&Symbol{Kind: SizeVar, Decl: p, Type: types.Scalar(types.Count),
							Level: Level{Stage: OfData}, Part: -1}))
			}
		}
		for _, d := range s.Decls {
			c.layerPart(d, info, inner)
		}
	})
	c.layer, c.plates, c.in.fns = savedLayer, savedPlates, savedFns
	if info.Apply == nil && !c.lost("apply") {
		c.report(LayerApply, s.Name.Span,
			"the layer %s has no fn apply, which says what it does with its input", s.Name.Name)
	}
	c.declareFn(&s.Name, sym, c.in.fns)
}

// layerNumber checks the argument rate : unit = 0.5 of a definition.
func (c *checker) layerNumber(p *ast.Param) *Symbol {
	var sizes []string
	t := c.signatureType(p.Type, FnArg, &sizes, false)
	if t.Kind != types.Invalid && (!t.IsScalar() || t.Kind.Discrete()) {
		c.report(FnSignature, p.Span,
			"the arguments of a layer are sizes, which have no type, real numbers, such as "+
				"rate : unit, and distributions, marked by ~")
		return c.declare(&p.Name,
			&Symbol{Kind: SizeVar, Decl: p, Type: types.Scalar(types.Count)})
	}
	if p.Default != nil {
		if v := c.number(p.Default, "a default"); !v.bad() && t.Kind != types.Invalid {
			c.takes(p.Default, v.t, t, "the default of "+p.Name.Name)
		}
	}
	return c.declare(&p.Name,
		&Symbol{Kind: FnArg, Decl: p, Type: t, Level: Level{Stage: OfData}, Part: -1})
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
		fs := &Symbol{Kind: Fn, Doc: d.Doc, Decl: d, Name: d.Name.Name, Span: d.Name.Span,
			File: c.in.file.Source, Part: -1}
		outer := c.in.fns
		c.in.fns = inner
		fs.Fn = c.fnInfo(d, fs)
		fs.Fn.Layer = info
		c.in.fns = outer
		c.m.Uses[&d.Name] = fs
		if old := inner[d.Name.Name]; old != nil && c.in.fns[d.Name.Name] == nil {
			seeAlso(c.report(NameTwice, d.Name.Span,
				"%s is already declared: a name is declared once", d.Name.Name), old,
				"declared here")
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
		c.noSuchLayer(it, def)
		return nil
	}
	use := &LayerUse{
		Def: def.Def, Decl: it, Family: family,
		Sizes: map[string]types.Size{}, Dists: map[string]*ast.DistExpr{},
		Values: map[*Symbol]ast.Expr{},
	}
	c.m.Uses[&it.Def] = def
	good = c.layerArgs(it, def, use) && good
	for _, p := range def.Def.Sizes {
		good = c.layerSize(it, def, use, p, good) && good
	}
	for _, p := range def.Def.Values {
		if d, ok := p.Decl.(*ast.Param); ok && use.Values[p] == nil && d.Default != nil {
			use.Values[p] = d.Default
		} else if use.Values[p] == nil && good {
			seeAlso(c.report(ArgCount, it.Span, "%s needs the number %s", def.Name, p.Name), def,
				"declared here")
			good = false
		}
	}
	if !good || def.Def.Apply == nil {
		return nil
	}
	c.weights(use)
	return use
}

// noSuchLayer reports that a name is not that of a layer; def is the symbol that has the name.
func (c *checker) noSuchLayer(it *ast.LayerItem, def *Symbol) {
	name := it.Def.Name
	switch {
	case def != nil:
		seeAlso(c.report(NoSuchLayer, it.Def.Span, "%s is a %s, not the definition of a layer",
			name, def.Kind), def, "declared here")
	case c.in.laterF[name].End > 0:
		c.report(UsedBefore, it.Def.Span, "%s is used before its declaration", name).
			NoteAt(c.in.file.Source, c.in.laterF[name], "it is declared here: move that up")
	case c.lost(name), c.lost(moduleWith(name)):
	default:
		d := c.report(NoSuchLayer, it.Def.Span, "there is no layer %s", name)
		if m := moduleWith(name); m != "" {
			d.Note("it is in the module " + m + ": write use " + m)
		} else {
			suggest(d, it.Def.Span, name, c.layerNames())
		}
	}
}

// layerArgs records the sizes, numbers and distributions that are given to an instance.
func (c *checker) layerArgs(it *ast.LayerItem, def *Symbol, use *LayerUse) bool {
	info, good, next := def.Def, true, 0
	placed := info.placed()
	for i := range it.Args {
		a := &it.Args[i]
		if dv, ok := a.Value.(*ast.DistValue); ok {
			good = c.layerDist(it, a, dv, info, use) && good
			continue
		}
		name := a.Name.Name
		if name == "" {
			if next >= len(placed) {
				c.tooManyArgs(a, def)
				return false
			}
			name = placed[next].Name
			next++
		}
		at := slices.IndexFunc(placed, func(p *Symbol) bool { return p.Name == name })
		if at < 0 {
			d := seeAlso(c.report(NoSuchArg, a.Name.Span, "%s has no argument %s", def.Name, name),
				def, "declared here")
			suggest(d, a.Name.Span, name, append(symbolNames(placed), symbolNames(info.Dists)...))
			good = false
			continue
		}
		p := placed[at]
		if _, twice := use.Sizes[name]; twice || use.Values[p] != nil {
			c.report(ArgTwice, a.Value.Pos(), "the argument %s is given twice", name)
			good = false
		}
		if p.Kind == FnArg {
			good = c.layerValue(a, p, use) && good
			continue
		}
		size, ok := c.size(a.Value)
		good = good && ok
		use.Sizes[name] = size
	}
	return good
}

// tooManyArgs reports an argument without a place.
func (c *checker) tooManyArgs(a *ast.Arg, def *Symbol) {
	info := def.Def
	takes := counted(len(info.Sizes), "size")
	if len(info.Values) > 0 {
		takes = counted(len(info.placed()), "argument")
	}
	seeAlso(c.report(ArgCount, a.Value.Pos(), "%s takes %s, %s", def.Name, takes,
		join(symbolNames(info.placed()))), def, "declared here")
}

// layerValue records a number that is given to an instance.
func (c *checker) layerValue(a *ast.Arg, p *Symbol, use *LayerUse) bool {
	use.Values[p] = a.Value
	v := c.number(a.Value, "the argument "+p.Name)
	if v.bad() || p.Type.Kind == types.Invalid {
		return false
	}
	if v.lv.Stage == OfParams || v.lv.Row {
		c.report(DefaultPlace, a.Value.Pos(),
			"the argument %s of a layer is the same in all of a run: it is made of numbers, "+
				"consts and data that are no rows", p.Name)
		return false
	}
	return c.takes(a.Value, v.t, p.Type, "the argument "+p.Name)
}

// placed returns the arguments that may be given by their place: sizes and numbers, in the
// order of their declaration.
func (l *LayerInfo) placed() []*Symbol {
	out := slices.Concat(l.Sizes, l.Values)
	slices.SortStableFunc(out, func(a, b *Symbol) int { return a.Span.Start - b.Span.Start })
	return out
}

// layerSize gives a size of an instance its default where it has none, and reports one that
// is missing where nothing else is wrong.
func (c *checker) layerSize(
	it *ast.LayerItem, def *Symbol, use *LayerUse, p *Symbol, good bool,
) bool {
	if _, given := use.Sizes[p.Name]; given {
		return true
	}
	info := def.Def
	if d, ok := p.Decl.(*ast.Param); ok && d.Default != nil {
		if u := c.unitOf(info.Symbol); u != nil {
			ok := false
			c.inUnit(u, func() {
				c.scope = info.scope
				var n types.Size
				n, ok = c.size(d.Default)
				use.Sizes[p.Name] = types.SubstSize(n, use.Sizes)
			})
			return ok
		}
	}
	if good {
		seeAlso(c.report(ArgCount, it.Span, "%s needs the size %s", def.Name, p.Name), def,
			"declared here")
	}
	return false
}

// layerDist checks prior ~ normal(0, 0.1).
func (c *checker) layerDist(
	it *ast.LayerItem, a *ast.Arg, dv *ast.DistValue, info *LayerInfo, use *LayerUse,
) bool {
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
	seeAlso(c.report(NoSuchArg, a.Name.Span, "%s has no distribution argument %s", info.Symbol.Name,
		a.Name.Name), info.Symbol, "declared here")
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

// substUse returns a prior of a layer's definition with sizes replaced by those of an instance.
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

// unitOf returns the file that contains a definition.
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

package parser

import (
	"github.com/sgppl/sgppl/lang/ast"
)

// stmt builds one statement, or reports why it cannot stand where it does.
func (b *builder) stmt(g *gStmt, st statement, where setting) ast.Stmt {
	if !b.allowed(g, st, where) {
		b.inside(st)
		return nil
	}
	span, doc := stmtSpan(st), b.doc(st.start())
	switch {
	case g.Use != nil:
		return &ast.Use{Span: span, Name: b.ident(g.Use)}
	case g.Dim != nil:
		return &ast.Dim{Span: span, Doc: doc, Items: b.dims(g.Dim, false)}
	case g.Const != nil:
		return &ast.Const{Span: span, Doc: doc, Items: b.dims(g.Const, true)}
	case g.Data != nil:
		return &ast.Data{Span: span, Doc: doc, Groups: b.groups(g.Data, "data")}
	case g.Param != nil:
		return &ast.ParamDecl{Span: span, Doc: doc, Groups: b.groups(g.Param, "param")}
	case g.Local != nil:
		return &ast.Local{Span: span, Doc: doc, Groups: b.groups(g.Local, "local")}
	case g.Let != nil:
		return b.let(g.Let, st, false)
	case g.Track != nil:
		return b.let(g.Track, st, true)
	case g.Generate != nil:
		l := b.let(g.Generate.Let, st, false)
		l.Generate, l.Hidden = true, g.Generate.Hidden
		return l
	case g.Fn != nil:
		return &ast.Fn{Span: span, Doc: doc, Name: b.ident(g.Fn.Name),
			Params: b.params(g.Fn.Params, "fn"),
			Result: b.typ(g.Fn.Result), Body: b.block(g.Fn.Body, "fn")}
	case g.Layer != nil && g.Layer.Def != nil:
		def := g.Layer.Def
		return &ast.LayerDef{Span: span, Doc: doc, Name: b.ident(def.Name),
			Params: b.params(def.Params, "layer"),
			Decls:  b.statements(b.blockOf(def.Body).statements, inLayer)}
	case g.Layer != nil:
		return &ast.LayerUse{Span: span, Doc: doc, Items: b.layerItems(g.Layer.Items)}
	case g.Dist != nil:
		return &ast.Dist{Span: span, Doc: doc, Name: b.ident(g.Dist.Name),
			Params: b.params(g.Dist.Params, "dist"),
			On:     b.typ(g.Dist.On), Items: b.distItems(g.Dist.Body)}
	case g.Require != nil:
		return &ast.Require{Span: span, Value: b.expr(g.Require)}
	case g.Factor != nil:
		return &ast.Factor{Span: span, Value: b.expr(g.Factor)}
	case g.For != nil:
		return &ast.For{Span: span, Binds: b.binds(g.For.Binds),
			Body: b.statements(b.blockOf(g.For.Body).statements, inPlate)}
	case g.Line != nil:
		return b.line(g.Line, st)
	}
	return nil
}

// line builds y ~ d(…), and reports values that stand alone and assignments.
func (b *builder) line(g *gLine, st statement) ast.Stmt {
	switch {
	case g.Tilde != nil:
		left := b.expr(g.Left)
		b.observed(left)
		return &ast.Tilde{Span: stmtSpan(st), Left: left, Dist: b.dist(g.Tilde)}
	case g.Equal != nil:
		b.assignment(g, st)
	default:
		b.lonely(g, st)
	}
	return nil
}

func (b *builder) let(g *gLet, st statement, track bool) *ast.Let {
	l := &ast.Let{Span: stmtSpan(st), Doc: b.doc(st.start()), Track: track, Tuple: g.Name == nil,
		Value: b.expr(g.Value)}
	if g.Name != nil {
		l.Names = []ast.Ident{b.ident(g.Name)}
	}
	for i := range g.Tuple {
		l.Names = append(l.Names, b.ident(&g.Tuple[i]))
	}
	return l
}

func (b *builder) dims(g *gDims, constant bool) []ast.DimItem {
	var out []ast.DimItem
	for i := range g.Items {
		d := &g.Items[i]
		item := ast.DimItem{Span: b.span(d.place), Doc: b.innerDoc(d.Pos.Offset),
			Name: b.ident(d.Name)}
		if d.Default != nil {
			item.Default = b.expr(d.Default)
		}
		if d.Parent != nil {
			parent := b.ident(d.Parent)
			item.Parent = &parent
		}
		switch {
		case constant && item.Parent != nil:
			b.add("E0113", item.Span, "a `const` is one number; only a `dim` can be ragged")
		case constant && item.Default == nil:
			b.add("E0113", item.Span, "a `const` needs its value").Suggest(endOf(item.Span), " = 1")
		case item.Parent != nil && item.Default != nil:
			b.add("E0113", item.Default.Pos(),
				"a ragged size has no default: its sizes come from the data")
		}
		out = append(out, item)
	}
	return out
}

// innerDoc is the doc of one of several names; the first name's is the declaration's.
func (b *builder) innerDoc(offset int) string {
	if len(b.tokens) > 1 && b.tokens[1].start == offset {
		return ""
	}
	return b.doc(offset)
}

func (b *builder) groups(g *gGroups, word string) []ast.Group {
	var out []ast.Group
	for i := range g.Groups {
		d := &g.Groups[i]
		group := ast.Group{Span: b.span(d.place), Type: b.typ(d.Type)}
		for j := range d.Vars {
			v := &d.Vars[j]
			group.Vars = append(group.Vars,
				ast.Var{Span: b.span(v.place), Doc: b.innerDoc(v.Pos.Offset), Name: b.ident(v.Name),
					Sizes: b.exprs(v.Sizes)})
		}
		if d.Prior != nil {
			group.Prior = b.dist(d.Prior)
		}
		if d.Default != nil {
			group.Default = b.expr(d.Default)
		}
		if d.By != nil {
			by := b.ident(d.By)
			group.By = &by
		}
		if d.Init != nil {
			group.Init = b.expr(d.Init)
		}
		b.groupParts(&group, word)
		out = append(out, group)
	}
	return out
}

func (b *builder) params(list []gPar, of string) []ast.Param {
	var out []ast.Param
	for i := range list {
		g := &list[i]
		p := ast.Param{Span: b.span(g.place), Name: b.ident(g.Name)}
		if g.Type != nil {
			p.Type = b.typ(g.Type)
		}
		if g.Default != nil {
			p.Default = b.expr(g.Default)
		}
		if g.Dist != nil {
			p.Dist = b.dist(g.Dist)
		}
		switch {
		case of != "layer" && p.Dist != nil:
			b.add("E0113", p.Span, "only a `layer` takes a distribution as an argument")
		case of != "layer" && p.Type == nil:
			b.add("E0112", p.Span,
				"the argument `"+p.Name.Name+"` needs a type").Suggest(endOf(p.Name.Span),
				" : real")
		}
		out = append(out, p)
	}
	return out
}

func (b *builder) layerItems(list []gLayerItem) []ast.LayerItem {
	var out []ast.LayerItem
	for i := range list {
		g := &list[i]
		item := ast.LayerItem{Span: b.span(g.place), Name: b.ident(g.Name), Sizes: b.exprs(g.Sizes),
			Def: b.ident(g.Def)}
		item.Args = b.args(g.Args)
		out = append(out, item)
	}
	return out
}

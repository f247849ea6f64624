package lower

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// A term is a summand of the log density: v summed over the axes.
type term struct {
	v     *ir.Value
	over  []*ir.Axis
	span  source.Span
	prior bool
	site  string // the name that is observed or has the prior; empty for a factor
	// seen is v without the entries that were not observed, where some may be
	// missing: an unknown in their place is no observation. nil where all were.
	seen *ir.Value
	// tied is the param that was integrated out of the term: its entries depend
	// on each other. Empty for others.
	tied string
	// here is 1 for entries that are no padding, where it is wanted and the plates
	// do not know; else nil.
	here *ir.Value
}

// likelihood is what the term says of observations.
func (t *term) likelihood() *ir.Value {
	if t.seen != nil {
		return t.seen
	}
	return t.v
}

// A site is an observed name.
type observed struct {
	name string
	typ  types.Type
	dist *boundDist
	over []*ir.Axis // plates and family
	left *ir.Value  // the data, along plates, family and own axes
	span source.Span
}

// statements lowers a list of statements of the file or of a plate.
func (l *lowerer) statements(list []ast.Stmt) {
	for _, s := range list {
		if !l.try(func() { l.statement(s) }) {
			if let, ok := s.(*ast.Let); ok {
				for i := range let.Names {
					l.failed[l.model.Uses[&let.Names[i]]] = true
				}
			}
		}
	}
}

func (l *lowerer) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Data:
		for i := range s.Groups {
			l.try(func() { l.declareData(&s.Groups[i]) })
		}
	case *ast.ParamDecl:
		for i := range s.Groups {
			l.declareParams(&s.Groups[i])
		}
	case *ast.Let:
		l.let(s)
		if s.Track {
			for i := range s.Names {
				sym := l.model.Uses[&s.Names[i]]
				l.tracks = append(l.tracks, track{sym, l.frame.values[sym]})
			}
		}
	case *ast.Tilde:
		l.observe(s)
	case *ast.Factor:
		if l.sim != nil {
			l.fail(limits.CannotSimulate, s.Span, "a factor has no law to draw from, so the model cannot be simulated")
		}
		t := l.expr(s.Value)
		l.terms = append(l.terms, term{v: t.v, over: l.plates, span: s.Span})
	case *ast.For:
		l.plate(s)
	case *ast.Local:
		l.declareLocals(s)
	case *ast.LayerUse:
		for i := range s.Items {
			l.try(func() { l.declareLayer(&s.Items[i]) })
		}
	}
	// Dims, consts, fns, dists, layers and uses have been taken in by the checker.
}

// plate binds its indices as axes, and does all iterations at once.
func (l *lowerer) plate(s *ast.For) {
	saved := l.plates
	terms, known, conjugate := len(l.terms), len(l.summed), len(l.collapsed)
	defer func() { l.plates = saved }()
	l.in(&frame{}, func() tensor {
		for i := range s.Binds {
			l.plates = append(l.plates[:len(l.plates):len(l.plates)], l.bind(&s.Binds[i]))
		}
		l.statements(s.Body)
		l.collapseOut(terms, l.collapsed[conjugate:])
		l.sumOut(terms, l.summed[known:])
		for i := range l.terms[terms:] {
			t := &l.terms[terms+i]
			t.v = l.pad(t.v, 0, l.plates[len(saved):])
		}
		return tensor{}
	})
}

// observe is y[n] ~ dist(…).
func (l *lowerer) observe(s *ast.Tilde) {
	t := l.expr(s.Left)
	u := l.model.Dists[s.Dist]
	own := len(t.axes) - len(u.Family)
	y := variate{v: t.v, family: t.axes[:len(u.Family)], own: t.axes[len(t.axes)-own:]}
	d := l.bindDist(s.Dist, y)
	if l.sim != nil {
		l.drawSite(s, y, t, d)
		return
	}
	over := append(append([]*ir.Axis{}, l.plates...), y.family...)
	name := rootName(s.Left)
	if z := l.summedNamed(name); z != nil {
		// The law of a latent value given as a statement.
		z.prior = d.logpdf(t.v)
		l.terms = append(l.terms, term{v: z.prior, over: over, span: s.Span, prior: true, site: name})
		return
	}
	if z := l.groupedNamed(name); z != nil {
		l.terms = append(l.terms, term{v: d.logpdf(t.v), over: over, span: s.Span, prior: true, site: name})
		return
	}
	if z := l.collapsedNamed(name); z != nil {
		z.states(d, t)
		return
	}
	if z := l.drawnNamed(name); z != nil {
		z.dist = d
		return
	}
	if z := l.sampledNamed(name); z != nil {
		f := d.logpdf(t.v)
		if u.Conditioned && z.chart != nil {
			f = l.conditioned(d, z.chart, f, l.ends(z.chart, s.Left, t.axes))
		}
		l.terms = append(l.terms, term{v: f, over: over, span: s.Span, site: name})
		return
	}
	if p := l.paramNamed(name); p != nil {
		// A prior given as a statement.
		f := d.logpdf(t.v)
		if u.Conditioned {
			f = l.conditioned(d, p, f, l.ends(p, s.Left, t.axes))
		}
		l.terms = append(l.terms, term{v: f, over: over, span: s.Span, prior: true, site: name})
		return
	}
	f := l.padArray(tensor{v: d.logpdf(t.v), axes: y.family}, l.typeOf(s.Left)[:len(y.family)], 0).v
	l.terms = append(l.terms, term{v: f, over: over, span: s.Span, site: name, seen: l.seen(f, t.v, y.own)})
	if l.completing != nil {
		l.terms[len(l.terms)-1].here = l.padArray(tensor{v: l.b.Num(1), axes: y.family}, l.typeOf(s.Left)[:len(y.family)], 0).v
	}
	l.sites = append(l.sites, observed{name: name, typ: l.model.Types[s.Left], dist: d, over: over, left: l.asData(t.v), span: s.Span})
}

func (l *lowerer) paramNamed(name string) *param {
	for _, p := range l.params {
		if p.name == name {
			return p
		}
	}
	return nil
}

func rootName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.Name
	case *ast.Index:
		return rootName(e.X)
	case *ast.Paren:
		return rootName(e.X)
	}
	return ""
}

// declareData makes the leaf of an input.
func (l *lowerer) declareData(g *ast.Group) {
	for i := range g.Vars {
		s := l.model.Uses[&g.Vars[i].Name]
		l.failed[s] = true // until it is through
		axes := l.axesOf(s.Type.Shape)
		var v *ir.Value
		switch {
		case (s.Type.Sparse || s.Type.Kind == types.Bag) && len(axes) == 2:
			v = l.b.SparseData(s.Name, axes...)
		case s.Type.Sparse || s.Type.Kind == types.Bag:
			l.fail(limits.TypeNotLowered, g.Vars[i].Span, "a sparse %s with %d axes cannot be compiled yet", s.Type.Kind, len(axes))
		default:
			v = l.b.Leaf(ir.OpData, s.Name, axes...)
		}
		l.frame.values[s] = tensor{v: v, axes: axes}
		if s.Type.Optional && s.Missing && l.sim == nil {
			l.frame.values[s] = tensor{v: l.imputed(g, &g.Vars[i], s, v, axes), axes: axes}
		}
		delete(l.failed, s)
		l.checkEnds(g, s, v, axes)
		if g.Default != nil {
			t := l.expr(g.Default)
			l.defaults = append(l.defaults, dataDefault{s.Name, l.align(t, l.typeOf(g.Default), s.Type.Shape, axes), axes})
		}
	}
}

// checkEnds has a datum held against computed ends of its interval when the
// model is bound: the ends that are numbers or scalar inputs are data's to check.
func (l *lowerer) checkEnds(g *ast.Group, s *check.Symbol, v *ir.Value, axes []*ir.Axis) {
	if s.Type.Kind != types.Interval || len(g.Type.Ends) != 2 || l.sim != nil {
		return
	}
	inside, computed := l.b.Num(1), false
	for i, e := range g.Type.Ends {
		if end := l.dataEnd(e); !math.IsNaN(end.Value) || end.Name != "" {
			continue
		}
		computed = true
		t := l.expr(e)
		end := l.align(t, l.typeOf(e), s.Type.Shape, axes)
		op := ir.OpGe
		if i == 1 {
			op = ir.OpLe
		}
		inside = l.b.Map(ir.OpAnd, inside, l.b.Map(op, v, end))
	}
	if !computed {
		return
	}
	src := l.model.File.Source
	l.checks = append(l.checks, indexCheck{text: s.Name, place: fmt.Sprintf("%s:%d", src.Name, src.Position(s.Span.Start).Line),
		v: l.b.Map(ir.OpSelect, inside, l.b.Num(0), l.b.Num(-1)), n: sizeNumber(1), typ: src.Text[g.Type.Span.Start:g.Type.Span.End]})
}

type dataDefault struct {
	name string
	v    *ir.Value
	axes []*ir.Axis
}

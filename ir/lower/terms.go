package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// A Term is a summand of the log density: v summed over the axes.
type Term struct {
	V     *ir.Value
	Over  []*ir.Axis
	Span  source.Span
	Prior bool
	Site  string // the name that is observed or has the prior; empty for a factor
	// Seen is V without entries of missing data, where some may be missing: an unknown in their place
	// is not an observation. It is nil where all entries were observed.
	Seen *ir.Value
	// Tied is the param that was integrated out of the term; it makes the entries depend on each
	// other. Empty for other terms.
	Tied string
	// here is 1 for entries that are not padding; nil where it is not needed, or the masks of the
	// plates suffice.
	here *ir.Value
}

// Likelihood returns the part of the term that belongs to observations.
func (t *Term) Likelihood() *ir.Value {
	if t.Seen != nil {
		return t.Seen
	}
	return t.V
}

// A Site is a statement that observes a name.
type Site struct {
	Name string
	Type types.Type
	Dist *Dist
	Over []*ir.Axis // plates and family
	Left *ir.Value  // the data, along plates, family and own axes
	Span source.Span
}

// statements lowers a list of statements of the file or of a plate.
func (l *Model) statements(list []ast.Stmt) {
	for _, s := range list {
		if !l.Try(func() { l.statement(s) }) {
			if let, ok := s.(*ast.Let); ok {
				for i := range let.Names {
					l.failed[l.Checked.Uses[&let.Names[i]]] = true
				}
			}
		}
	}
}

func (l *Model) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Data:
		for i := range s.Groups {
			l.Try(func() { l.declareData(&s.Groups[i]) })
		}
	case *ast.ParamDecl:
		for i := range s.Groups {
			l.declareParams(&s.Groups[i])
		}
	case *ast.Let:
		if s.Generate {
			if l.o.Generate {
				l.generate(s)
			}
			return
		}
		l.let(s)
		if s.Track {
			for i := range s.Names {
				sym := l.Checked.Uses[&s.Names[i]]
				l.tracks = append(l.tracks, track{sym, l.frame.values[sym]})
			}
		}
	case *ast.Tilde:
		l.observe(s)
	case *ast.Factor:
		if l.drawing() {
			l.Fail(limits.CannotSimulate, s.Span,
				"a factor has no law to draw from, so the model cannot be simulated")
		}
		t := l.expr(s.Value)
		l.Terms = append(l.Terms, Term{V: t.v, Over: l.plates, Span: s.Span})
	case *ast.For:
		l.plate(s)
	case *ast.Local:
		l.declareLocals(s)
	case *ast.LayerUse:
		for i := range s.Items {
			l.Try(func() { l.declareLayer(&s.Items[i]) })
		}
	}
	// The checker has processed dims, consts, fns, dists, layers and uses.
}

// plate lowers a for loop: it binds its indices as axes, and computes all iterations at once.
func (l *Model) plate(s *ast.For) {
	saved := l.plates
	terms, known, conjugate := len(l.Terms), len(l.Summed), len(l.Collapsed)
	defer func() { l.plates = saved }()
	l.in(&frame{}, func() tensor {
		for i := range s.Binds {
			l.plates = append(l.plates[:len(l.plates):len(l.plates)], l.bind(&s.Binds[i]))
		}
		l.statements(s.Body)
		l.collapseOut(terms, l.Collapsed[conjugate:])
		l.sumOut(terms, l.Summed[known:])
		for i := range l.Terms[terms:] {
			t := &l.Terms[terms+i]
			t.V = l.pad(t.V, 0, l.plates[len(saved):])
		}
		return tensor{}
	})
}

// observe lowers y[n] ~ dist(…).
func (l *Model) observe(s *ast.Tilde) {
	t := l.expr(s.Left)
	u := l.Checked.Dists[s.Dist]
	own := len(t.axes) - len(u.Family)
	y := Variate{V: t.v, Family: t.axes[:len(u.Family)], Own: t.axes[len(t.axes)-own:]}
	d := l.bindDist(s.Dist, y)
	if l.drawing() {
		x := &Drawn{Name: RootName(s.Left), Type: l.Checked.Types[s.Left], Leaf: t.v, Dist: d,
			Span: s.Span, Site: s}
		if u.Conditioned {
			x.In = l.latents[x.Name]
		}
		l.o.Draw(l, x)
		return
	}
	over := append(append([]*ir.Axis{}, l.plates...), y.Family...)
	name := RootName(s.Left)
	if z := l.summedNamed(name); z != nil {
		// The prior of a latent value, given as a statement.
		z.Prior = l.prior(u, d, t.v, l.valued(s.Left), nil, nil)
		l.Terms = append(l.Terms,
			Term{V: z.Prior, Over: over, Span: s.Span, Prior: true, Site: name})
		return
	}
	if z := l.groupedNamed(name); z != nil {
		l.Terms = append(l.Terms,
			Term{V: l.prior(u, d, t.v, l.valued(s.Left), nil, nil), Over: over, Span: s.Span,
				Prior: true, Site: name})
		return
	}
	if z := l.CollapsedNamed(name); z != nil {
		z.states(d, t)
		return
	}
	if z := l.DrawnNamed(name); z != nil {
		z.Dist = d
		if z.In == nil && u.Conditioned {
			z.In = &Param{Type: z.Symbol.Type, Family: z.Leaf.Axes}
		}
		return
	}
	if z := l.SampledNamed(name); z != nil {
		in := z.Coordinates
		if in == nil {
			in = l.valued(s.Left)
		}
		f := l.prior(u, d, t.v, in, s.Left, t.axes)
		l.Terms = append(l.Terms, Term{V: f, Over: over, Span: s.Span, Site: name})
		return
	}
	if p := l.ParamNamed(name); p != nil {
		// A prior given as a statement.
		f := l.prior(u, d, t.v, p, s.Left, t.axes)
		l.Terms = append(l.Terms, Term{V: f, Over: over, Span: s.Span, Prior: true, Site: name})
		return
	}
	f := d.LogPDF(t.v)
	if h := l.hiddenNamed(name); h != nil {
		f = l.prior(u, d, t.v, h.in, s.Left, t.axes)
	}
	f = l.padArray(tensor{v: f, axes: y.Family}, l.typeOf(s.Left)[:len(y.Family)], 0).v
	l.Terms = append(l.Terms, Term{V: f, Over: over, Span: s.Span, Site: name,
		Seen: l.seen(f, t.v, y.Own)})
	if l.o.Entries {
		l.Terms[len(l.Terms)-1].here = l.padArray(tensor{v: l.B.Num(1), axes: y.Family},
			l.typeOf(s.Left)[:len(y.Family)], 0).v
	}
	l.Sites = append(l.Sites, Site{Name: name, Type: l.Checked.Types[s.Left], Dist: d, Over: over,
		Left: l.asData(t.v), Span: s.Span})
}

func (l *Model) ParamNamed(name string) *Param {
	for _, p := range l.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// RootName returns the name of the array that a left side indexes; empty if it is not an array or
// its entry.
func RootName(e ast.Expr) string {
	if n := ast.Root(e); n != nil {
		return n.Name
	}
	return ""
}

// declareData declares an input as a leaf.
func (l *Model) declareData(g *ast.Group) {
	for i := range g.Vars {
		s := l.Checked.Uses[&g.Vars[i].Name]
		l.failed[s] = true // until it has been declared
		axes := l.axesOf(s.Type.Shape)
		var v *ir.Value
		switch {
		case (s.Type.Sparse || s.Type.Kind == types.Bag) && len(axes) == 2:
			v = l.B.SparseData(s.Name, axes...)
		case s.Type.Sparse || s.Type.Kind == types.Bag:
			l.Fail(limits.TypeNotLowered, g.Vars[i].Span,
				"a sparse %s with %d axes cannot be compiled yet", s.Type.Kind, len(axes))
		default:
			v = l.B.Leaf(ir.OpData, s.Name, axes...)
		}
		l.frame.values[s] = tensor{v: v, axes: axes}
		if s.Type.Optional && s.Missing && !l.drawing() {
			l.frame.values[s] = tensor{v: l.imputed(g, &g.Vars[i], s, v, axes), axes: axes}
		}
		delete(l.failed, s)
		l.checkEnds(g, s, v, axes)
		if g.Default != nil {
			t := l.expr(g.Default)
			l.defaults = append(l.defaults,
				dataDefault{s.Name, l.align(t, l.typeOf(g.Default), s.Type.Shape, axes), axes})
		}
	}
}

// checkEnds adds a check that a datum lies within computed bounds of its interval. Bounds that are
// numbers or scalar inputs are checked by package data.
func (l *Model) checkEnds(g *ast.Group, s *check.Symbol, v *ir.Value, axes []*ir.Axis) {
	if s.Type.Kind != types.Interval || len(g.Type.Ends) != 2 || l.drawing() {
		return
	}
	inside, computed := l.B.Num(1), false
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
		inside = l.B.Map(ir.OpAnd, inside, l.B.Map(op, v, end))
	}
	if !computed {
		return
	}
	src := l.Checked.File.Source
	l.checks = append(l.checks,
		indexCheck{text: s.Name,
			place: src.Place(s.Span.Start),
			v:     l.B.Map(ir.OpSelect, inside, l.B.Num(0), l.B.Num(-1)), n: sizeNumber(1),
			typ: src.Text[g.Type.Span.Start:g.Type.Span.End]})
}

type dataDefault struct {
	name string
	v    *ir.Value
	axes []*ir.Axis
}

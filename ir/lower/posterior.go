package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Posterior is a model lowered for what comes after a run: its functions take
// the unknowns as a state, and have no row axis.
//
//	predict I      a draw of the I-th of Draws, with the outputs of a Draw
//	latent I       a draw of the I-th of Spec.Latent: values of the rows' own, that predict reads
//	expect I       the expected value of every entry of it, where there is one
//	chances I      of classes: the log probability of every class of every entry
//	place I        of a Draw of a part: where its entries stand in the array
//	pointwise I    the log likelihood of every entry of the I-th of Terms
//	unconstrain    the state of given values
type Posterior struct {
	*Lowered
	Spec   *model.Spec
	Funcs  []*ir.Func // of a state
	Places []*ir.Func // of data alone
	Free   []string   // the dims along which new data may differ from those of the run
	Draws  []Draw
	Terms  []Term

	// Latent describes the values of the rows' own to the runtime, and Latents has
	// them in the same order, Func nil of those that are given.
	Latent  []model.Datum
	Latents []Draw
}

// A Term is a statement y ~ …, whose log density at the data is a number for
// every entry of Shape.
type Term struct {
	Site  string
	Dims  []string // names of the axes, as far as they are dims
	Shape []size.Poly
}

// Predict lowers a model for drawing its observed names given the unknowns.
// Diagnostics say which cannot be drawn. Of the options RowDim, Sampled and Given count.
func Predict(m *check.Model, o Options) (*Posterior, diag.List) {
	p := &Posterior{}
	o = Options{RowDim: o.RowDim, Sampled: o.Sampled || o.Given, Given: o.Given, Exact: true, Laws: true, Jacobian: o.Jacobian}
	return posterior(m, p, o, freeDims, func(l *lowerer) (funcs, places []*ir.Func) {
		if len(l.sites) == 0 {
			l.quietFail(limits.CannotSimulate, l.fileStart(), "no statement name ~ … observes data, so there is nothing to predict")
		}
		z := &latents{l: l, leaf: map[*summed]*ir.Value{}, of: map[*collapsed]string{}, drawing: map[*drawnLocal]bool{}}
		defer func() { funcs, p.Latent, p.Latents = append(z.funcs, funcs...), z.spec, z.draws }()
		for i := range l.sites {
			l.try(func() {
				d, place := l.predictor(i, z)
				funcs = append(funcs, d.Func)
				more := l.expectations(i, &d)
				funcs = append(funcs, more...)
				if place != nil {
					places = append(places, place)
				}
				p.Draws = append(p.Draws, d)
			})
		}
		return funcs, places
	})
}

// Pointwise lowers a model for the log likelihood of each observed entry,
// where no axis can be taken by rows. A factor that reads data has no entry
// that could be left out: diagnostics say so.
func Pointwise(m *check.Model, o Options) (*Posterior, diag.List) {
	p := &Posterior{}
	return posterior(m, p, Options{Exact: true, Jacobian: o.Jacobian}, func(*model.Spec) []string { return nil }, func(l *lowerer) (funcs, places []*ir.Func) {
		for _, t := range l.terms {
			switch {
			case t.prior, l.sampledNamed(t.site) != nil:
			case l.readsDrawn(t.v) != nil:
				l.quietFail(limits.CannotLeaveOut, t.span, "the entries depend on %s, which is drawn for every row, so none has a likelihood in closed form: sgppl score averages over draws", l.readsDrawn(t.v).Name)
			case t.site == "" && readsData(t.v):
				l.quietFail(limits.CannotLeaveOut, t.span, "a factor that reads data is no distribution of an entry, and nothing of it can be left out")
			case t.tied != "":
				l.quietFail(limits.CannotLeaveOut, t.span, "the entries of %s share %s, which was integrated out, so none has a likelihood of its own: leave out by collapse", t.site, t.tied)
			case t.site != "":
				f := &ir.Func{ID: fn.Pointwise.At(len(p.Terms)), Outputs: []ir.Output{{Name: "pointwise", Value: t.likelihood(), Axes: t.over}}}
				funcs = append(funcs, f)
				term := Term{Site: t.site, Shape: ir.Sizes(t.over)}
				for _, n := range term.Shape {
					name, _ := n.Name()
					term.Dims = append(term.Dims, name)
				}
				p.Terms = append(p.Terms, term)
			}
		}
		if len(p.Terms) == 0 && !l.diags.Errors() {
			l.quietFail(limits.CannotLeaveOut, l.fileStart(), "no statement name ~ … observes data, so there is no likelihood")
		}
		return funcs, nil
	})
}

// readsDrawn is a local that chains draw and that a value depends on; nil without.
func (l *lowerer) readsDrawn(v *ir.Value) *sampled {
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpLocal {
			for _, z := range l.sampled {
				if z.LeafName() == x.Name {
					return z
				}
			}
		}
	}
	return nil
}

// quietFail is fail where no statement is to be given up.
func (l *lowerer) quietFail(code diag.Code, at source.Span, format string, args ...any) {
	l.try(func() { l.fail(code, at, format, args...) })
}

// fileStart is where a model begins, for what is said of the whole.
func (l *lowerer) fileStart() source.Span {
	if len(l.model.File.Stmts) == 0 {
		return source.Span{}
	}
	return l.model.File.Stmts[0].Pos()
}

func readsData(v *ir.Value) bool {
	return slices.ContainsFunc(ir.Reach(v), func(x *ir.Value) bool { return x.Op == ir.OpData })
}

// posterior lowers the model with the functions that add gives, of which the
// latter read data alone. free are the dims along which new data may differ
// from those of the run.
func posterior(m *check.Model, p *Posterior, o Options, free func(*model.Spec) []string, add func(l *lowerer) (funcs, places []*ir.Func)) (*Posterior, diag.List) {
	l := newLowerer(m, o)
	l.file()
	if l.diags.Errors() {
		return nil, l.diags
	}
	funcs, places := add(l)
	if l.diags.Errors() {
		return nil, l.diags
	}
	p.Lowered = l.lowered()
	p.Spec = p.Lowered.Spec()
	p.Funcs, p.Places, p.Free = append(funcs, l.unconstrain()), places, free(p.Spec)
	return p, l.diags
}

// freeDims are the dims that may differ in new data: no unknown has their size.
func freeDims(spec *model.Spec) []string {
	var out []string
	for _, d := range spec.Schema.Dims {
		if !slices.ContainsFunc(spec.Params, func(p model.Param) bool {
			return slices.ContainsFunc(p.Shape, func(n size.Poly) bool { return n.Mentions(d.Name) })
		}) {
			out = append(out, d.Name)
		}
	}
	return out
}

// predictor draws the entries that a statement observes; where they are not
// the whole array in its order, place says where each stands, counted row-major.
func (l *lowerer) predictor(i int, z *latents) (d Draw, place *ir.Func) {
	s := &l.sites[i]
	axes := s.left.Axes
	for _, a := range s.over {
		if !s.left.Has(a) {
			l.fail(limits.CannotSimulate, s.span, "an entry of %s is observed once for every %s, so it has no one law to be drawn from", s.name, a.Name)
		}
	}
	whole := s.left.Op == ir.OpData && s.left.Name == s.name && l.wholeLeaf(s.left)
	if l.siteTwice(i) && whole {
		l.fail(limits.CannotSimulate, s.span, "%s is observed twice, so it has no one law to be drawn from", s.name)
	}
	d = Draw{Name: s.name, Type: l.baseType(s), Shape: ir.Sizes(axes), Func: l.drawFunc(fn.Predict.At(i), axes, z.dist(s.dist), nil)}
	d.Family = len(ir.Without(axes, s.dist.y.own))
	if whole {
		return d, nil
	}
	at := ir.Rewrite(l.b, []*ir.Value{s.left}, func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
		if v.Op == ir.OpData && v.Name == s.name {
			return l.position(v.Axes)
		}
		return nil
	})[0]
	d.Place = fn.Place.At(i)
	return d, &ir.Func{ID: d.Place, Outputs: []ir.Output{{Name: "place", Value: at, Axes: axes}}}
}

// expectations are what averages better than draws do: the expected value of
// every entry, and for a category the log probability of each class.
func (l *lowerer) expectations(i int, d *Draw) (funcs []*ir.Func) {
	s := &l.sites[i]
	if len(s.dist.y.own) > 0 || l.readsCollapsed(s.dist) != nil {
		return nil
	}
	add := func(kind fn.Kind, make func() ir.Output) fn.ID {
		var out fn.ID
		l.quietly(func() {
			o := make()
			// A local that was drawn, or that was integrated out behind a summed one, is no
			// part of the state: the average of draws stands for the expected value then.
			if slices.ContainsFunc(ir.Reach(o.Value), isLatent) || len(l.collapsedIn(o.Value)) > 0 {
				panic(bail{})
			}
			out = kind.At(i)
			funcs = append(funcs, &ir.Func{ID: out, Outputs: []ir.Output{o}})
		})
		return out
	}
	if s.dist.has("mean") && s.dist.point == nil && s.dist.comps == nil && s.dist.lo == nil {
		d.Expect = add(fn.Expect, func() ir.Output {
			return ir.Output{Name: "mean", Value: l.known(l.expected(s.dist.line("mean", nil), false)), Axes: s.left.Axes}
		})
	}
	if t := l.baseType(s); t.Kind == types.Index {
		d.Chances = add(fn.Chances, func() ir.Output {
			k := l.b.Axis("k", l.size(t.Below))
			return ir.Output{Name: "classes", Value: l.known(l.expected(s.dist.logpdf(l.b.Iota(k)), true)), Axes: append(slices.Clone(s.left.Axes), k)}
		})
	}
	return funcs
}

// known gives up what could not be made.
func (l *lowerer) known(v *ir.Value) *ir.Value {
	if v == nil {
		panic(bail{})
	}
	return v
}

// position is the row-major number of every entry.
func (l *lowerer) position(axes []*ir.Axis) *ir.Value {
	at, stride := l.b.Num(0), sizeNumber(1)
	for _, a := range slices.Backward(axes) {
		at = l.b.Add(l.b.Mul(l.b.Iota(a), l.b.Size(stride)), at)
		stride = stride.Mul(a.Size)
	}
	return at
}

// baseType is the declared type of an observed name.
func (l *lowerer) baseType(s *observed) types.Type {
	for _, sym := range l.model.Symbols {
		if sym.Name == s.name && sym.Kind == check.Data {
			return sym.Type
		}
	}
	return s.typ
}

// drawFunc is a function that draws from a distribution for every entry of the
// axes; accept, which may be nil, says what the type admits.
func (l *lowerer) drawFunc(id fn.ID, axes []*ir.Axis, d *boundDist, accept func(x *ir.Value) *ir.Value) *ir.Func {
	family := ir.Without(axes, d.y.own)
	l.draw = append([]*ir.Axis{}, family...)
	x := d.sample()
	l.draw = nil
	f := &ir.Func{ID: id, Outputs: []ir.Output{{Name: "draw", Value: x, Axes: axes}}}
	ok := d.accept(x)
	if accept != nil {
		a := accept(x)
		if ok != nil {
			a = l.b.Map(ir.OpAnd, a, ok)
		}
		ok = a
	}
	if ok != nil {
		f.Outputs = append(f.Outputs, ir.Output{Name: "accept", Value: ok, Axes: axes})
	}
	if d.picked != nil {
		f.Outputs = append(f.Outputs, ir.Output{Name: "component", Value: d.picked, Axes: family})
	}
	return f
}

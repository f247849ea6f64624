package posterior

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Posterior is a model lowered for use after a run. Its functions take the unknowns as a state,
// and have no row axis:
//
//	predict I      a draw of the I-th of Draws, with the outputs of a Draw
//	latent I       a draw of the I-th of Spec.Latent: values of the rows' own, that predict reads
//	expect I       the expected value of every entry of it, where there is one
//	chances I      of classes: the log probability of every class of every entry
//	place I        of a Draw of a part: where its entries stand in the array
//	pointwise I    the log likelihood of every entry of the I-th of Terms
//	unconstrain    the state of given values
//	generate I     of Generate: the values of the I-th `generate` line
type Posterior struct {
	Model  *lower.Model
	Spec   *model.Spec
	Funcs  []*ir.Func // functions of the state
	Places []*ir.Func // functions of data alone
	Free   []string   // the dims along which new data may differ from those of the run
	Draws  []Draw
	Terms  []Term

	// Latent describes the latent values that functions read to the runtime. Latents has their draws
	// in the same order; Func is nil for values that are given.
	Latent  []model.Datum
	Latents []Draw
	// Generated has the values of Generate, in the order of Latent.
	Generated []Generated
	// Redraws has the data among them whose missing entries are drawn.
	Redraws []Redraw
}

// finish adds the parts that all functions of a posterior need. free returns the dims along which
// new data may differ from those of the run.
func (p *Posterior) finish(
	l *lower.Model, free func(*model.Spec) []string,
) (*Posterior, diag.List) {
	if l.Diags.Errors() {
		return nil, l.Diags
	}
	p.Model, p.Spec = l, l.Spec()
	p.Funcs = append(p.Funcs, l.Unconstrain())
	if free != nil {
		p.Free = free(p.Spec)
	}
	return p, l.Diags
}

// Predict lowers a model for drawing its observed names given the unknowns. Diagnostics report
// names that cannot be drawn. It uses the options RowDim, Sampled, Given and Redrawn.
func Predict(m *check.Model, o Options) (*Posterior, diag.List) {
	l, diags := lower.Lower(m,
		lower.Options{RowDim: o.RowDim, Sampled: o.Sampled ||
			o.Given, Exact: true, Laws: true, Redrawn: o.Redrawn,
			Strategy: lawStrategy(o.Given), Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	if len(l.Sites) == 0 {
		l.QuietFail(limits.CannotSimulate, l.FileStart(),
			"no statement name ~ … observes data, so there is nothing to predict")
	}
	p := &Posterior{}
	x := &latents{l: l, leaf: map[*lower.Summed]*ir.Value{}, of: map[*lower.Collapsed]string{},
		drawing: map[*lower.DrawnLocal]bool{}}
	for i := range l.Sites {
		l.Try(func() {
			d, place := x.predictor(i)
			p.Funcs = append(p.Funcs, d.Func)
			p.Funcs = append(p.Funcs, x.expectations(i, &d)...)
			if place != nil {
				p.Places = append(p.Places, place)
			}
			p.Draws = append(p.Draws, d)
		})
	}
	p.Funcs, p.Latent, p.Latents = append(x.funcs, p.Funcs...), x.spec, x.draws
	p.Redraws = x.readBeside(p.Funcs)
	return p.finish(l, freeDims)
}

// lawStrategy chooses how locals are handled where distributions are needed instead of a density:
// locals that a chain would draw are drawn from their prior, or given.
func lawStrategy(given bool) func(l *lower.Model, s *check.Symbol, by string, own bool) string {
	return func(l *lower.Model, _ *check.Symbol, by string, own bool) string {
		switch {
		case given && !own:
			return lower.GivenLaw
		case by == "gibbs", by == "gmc" && l.Chains():
			return lower.LawStrategy
		}
		return by
	}
}

// freeDims returns the dims that may differ in new data, since no unknown has their size.
func freeDims(spec *model.Spec) []string {
	var out []string
	for _, d := range spec.Schema.Dims {
		if !slices.ContainsFunc(spec.Params, func(p model.Param) bool {
			return slices.ContainsFunc(p.Shape,
				func(n size.Poly) bool { return n.Mentions(d.Name) })
		}) {
			out = append(out, d.Name)
		}
	}
	return out
}

// predictor returns the draw of the entries that a statement observes. Where they are not the whole
// array in its order, place computes the row-major position of each.
func (x *latents) predictor(i int) (d Draw, place *ir.Func) {
	l := x.l
	s := &l.Sites[i]
	axes := s.Left.Axes
	for _, a := range s.Over {
		if !s.Left.Has(a) {
			l.Fail(limits.CannotSimulate, s.Span,
				"an entry of %s is observed once for every %s, so it has no one law to be drawn from", s.Name,
				a.Name)
		}
	}
	whole := s.Left.Op == ir.OpData && s.Left.Name == s.Name && l.WholeLeaf(s.Left)
	if l.SiteTwice(i) && whole {
		l.Fail(limits.CannotSimulate, s.Span,
			"%s is observed twice, so it has no one law to be drawn from", s.Name)
	}
	d = Draw{Name: s.Name, Type: baseType(l, s), Shape: ir.Sizes(axes),
		Func: x.dist(s.Dist).DrawFunc(fn.Predict.At(i), axes, nil)}
	d.Family = len(ir.Without(axes, s.Dist.Y.Own))
	if whole {
		return d, nil
	}
	at := ir.Rewrite(l.B, []*ir.Value{s.Left},
		func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if v.Op == ir.OpData && v.Name == s.Name {
				return position(b, v.Axes)
			}
			return nil
		})[0]
	d.Place = fn.Place.At(i)
	return d, &ir.Func{ID: d.Place, Outputs: []ir.Output{{Name: "place", Value: at, Axes: axes}}}
}

// expectations returns the functions whose averages are better estimates than those of draws: the
// expected value of every entry and, for a category, the log probability of each class.
func (x *latents) expectations(i int, d *Draw) (funcs []*ir.Func) {
	l := x.l
	s := &l.Sites[i]
	if len(s.Dist.Y.Own) > 0 || l.ReadsCollapsed(s.Dist) != nil {
		return nil
	}
	// A local that was drawn, or that was integrated out inside a summed one, is not part of the
	// state. The average of draws then estimates the expected value.
	add := func(kind fn.Kind, name string, v *ir.Value, axes []*ir.Axis) (id fn.ID) {
		if v == nil || slices.ContainsFunc(ir.Reach(v), isLatent) || len(l.CollapsedIn(v)) > 0 {
			return id
		}
		id = kind.At(i)
		funcs = append(funcs, &ir.Func{ID: id,
			Outputs: []ir.Output{{Name: name, Value: v, Axes: axes}}})
		return id
	}
	if s.Dist.HasMean() {
		l.Quietly(func() {
			d.Expect = add(fn.Expect, "mean", l.Expected(s.Dist.Line("mean", nil), false),
				s.Left.Axes)
		})
	}
	if t := baseType(l, s); t.Kind == types.Index {
		l.Quietly(func() {
			k := l.B.Axis("k", l.Size(t.Below))
			v := l.Expected(s.Dist.LogPDF(l.B.Iota(k)), true)
			d.Chances = add(fn.Chances, "classes", v, append(slices.Clone(s.Left.Axes), k))
		})
	}
	return funcs
}

// position returns the row-major position of every entry.
func position(b *ir.Builder, axes []*ir.Axis) *ir.Value {
	at, stride := b.Num(0), size.Const(1)
	for _, a := range slices.Backward(axes) {
		at = b.Add(b.Mul(b.Iota(a), b.Size(stride)), at)
		stride = stride.Mul(a.Size)
	}
	return at
}

// baseType returns the declared type of an observed name.
func baseType(l *lower.Model, s *lower.Site) types.Type {
	for _, sym := range l.Checked.Symbols {
		if sym.Name == s.Name && sym.Kind == check.Data {
			return sym.Type
		}
	}
	return s.Type
}

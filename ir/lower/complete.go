package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/collapse"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Document completion (Wallach, Murray, Salakhutdinov & Mimno 2009, "Evaluation
// methods for topic models", §5.1; the name is theirs): what is known of a row
// is a part of its entries, and the others are to be predicted. With v the latent values
// that the entries of a row share,
//
//	p(entry | observed, params) = E[p(entry | v, params)],  v ~ p(v | observed, params)
//
// and the expectation is the mean over the kept draws of the row's chain. So a
// model is lowered twice, for two bindings of the same rows:
//
//	Observed   the chain of the locals, given the entries that are known
//	Scored     the log probability of every other entry, given draws of v
//
// What an entry has for itself (a local in a plate over the entries, such as the
// topic of a word) is summed out in Scored. What is integrated out and shared
// is drawn from its posterior given the other locals; or its posterior mean
// stands for it, where the probability of an entry is linear in it.

// Where nothing is known of a row, the latent values are drawn from their prior
// and the rows are scored whole: importance sampling from the prior of the
// locals (ibid., §4.1),
//
//	p(row | params) = E[p(row | v, params)],  v ~ p(v | params)
//
// A Completion is a model lowered for the known entries of rows. Score lowers it
// for the others.
type Completion struct {
	RowChain
	Score func() (*Scored, diag.List)
}

// A RowChain is a model lowered for the chain that draws the latent values of a
// row given what is known of the row.
type RowChain struct {
	*Lowered
	Spec  *model.Spec
	Joint *Joint
	Prior bool // nothing is known of a row
}

// A Scored is a model lowered for the log probability of entries of rows.
type Scored struct {
	*Lowered
	Spec    *model.Spec
	Row     *ir.Axis
	Entries []ScoredEntry
	// Whole are the functions of rows that are scored as one entry each, where
	// nothing is known of them; then Entries is empty.
	Whole []*ir.Func

	full, kept *ir.Axis
}

// A ScoredEntry is what a statement says of an entry of a row, along Row and Axes.
type ScoredEntry struct {
	Site    string
	LogProb *ir.Value // its log probability given the latent values of the row
	Count   *ir.Value // how many entries that stands for
	Axes    []*ir.Axis
}

// completing is what a lowerer knows while a model is lowered for completion.
type completing struct {
	prior  bool              // nothing is known of a row: whole rows are scored
	scored bool              // for the other entries
	asked  map[string]string // strategies of locals, in the place of the model's
	means  []*posteriorValue // of locals that are integrated out
	values bool              // values of locals are wanted, and no score
}

// A posteriorValue is what stands for an integrated-out local given the others.
type posteriorValue struct {
	u *collapsed
	v *ir.Value // along plates, family and own; it may read random numbers
}

// Complete lowers a model for the completion of rows. Diagnostics say what has
// no probability for an entry.
func Complete(m *check.Model, o Options) (*Completion, diag.List) {
	o.Sampled = true
	how := &completing{prior: o.Prior, asked: map[string]string{}}
	for {
		l := newLowerer(m, o)
		l.completing = how
		l.file()
		if l.diags.Errors() {
			return nil, l.diags
		}
		if l.unfit() { // it asked for another strategy
			how.means = nil
			continue
		}
		out := &Completion{}
		if !l.completionChain(&out.RowChain) {
			return nil, l.diags
		}
		o.RowDim = out.Spec.RowDim
		out.Score = func() (*Scored, diag.List) {
			s := newLowerer(m, o)
			s.completing = &completing{prior: o.Prior, scored: true, asked: how.asked}
			s.file()
			var scored *Scored
			if !s.diags.Errors() {
				scored = s.completions()
			}
			return scored, s.diags
		}
		return out, l.diags
	}
}

// unfit has shared locals that are integrated out drawn by gmc, where what
// stands for them would be wrong or is not known. It reports whether there are
// any that were not.
func (l *lowerer) unfit() bool {
	how, again := l.completing, false
	for _, u := range l.collapsed {
		if u.Local && !l.ofEntry(u.Plates) && !slices.ContainsFunc(how.means, func(p *posteriorValue) bool { return p.u == u }) {
			how.asked[u.Name], again = "gmc", true
		}
	}
	return again
}

// ofEntry reports whether a local in these plates is one entry's own: whether
// they go over what a row may have more or less of.
func (l *lowerer) ofEntry(plates []*ir.Axis) bool {
	return slices.ContainsFunc(plates, func(a *ir.Axis) bool { return l.masks[a] != nil })
}

// completionStrategy is how a local is dealt with, where the model says by:
// what the entries of a row share is drawn, and in the terms of an entry what
// is its own is summed out.
func (l *lowerer) completionStrategy(s *check.Symbol, by string) string {
	c := l.completing
	if c.values {
		return l.valueStrategy(s, by)
	}
	if asked := c.asked[s.Name]; asked != "" {
		return asked
	}
	own := l.ofEntry(l.plates)
	switch {
	case by == "marginal" && !own && !c.prior:
		return "gibbs"
	case by == "gibbs" && !own && c.prior && len(s.Type.Shape) == 0:
		return "marginal" // exact, where it can be had
	case by == "collapse" && !own && c.prior:
		return "gmc"
	case c.scored && own && by == "gibbs":
		return "marginal"
	case c.scored && own && by == "gmc":
		l.fail(limits.CannotLeaveOut, s.Span, "%s is a continuous value of every entry, which cannot be summed out where other entries are completed", s.Name)
	case c.scored && !own && by == "collapse":
		return "given"
	}
	return by
}

// declareGiven makes the leaf of a local whose draws, or what stands for
// them, are given.
func (l *lowerer) declareGiven(s *check.Symbol, g *ast.Group, i int) {
	axes := l.axesOf(s.Type.Shape)
	z := &sampled{Local: latent.Local{Name: s.Name, Span: g.Vars[i].Span, By: "collapse"}, axes: append(slices.Clone(l.plates), axes...)}
	z.leaf = l.b.Leaf(ir.OpLocal, z.LeafName(), z.axes...)
	l.sampled = append(l.sampled, z)
	l.frame.values[s] = tensor{v: z.leaf, axes: axes}
}

// standsFor remembers what stands for an integrated-out local, where that is known.
func (l *lowerer) standsFor(u *collapsed, f *collapse.Family) {
	if l.completing == nil || !u.Local || l.ofEntry(u.Plates) {
		return
	}
	random := func(law string) *ir.Value {
		axes := append(slices.Clone(u.Plates), append(slices.Clone(u.Family), u.Own...)...)
		return l.b.Leaf(ir.OpLocal, law+" posterior "+u.Name, axes...)
	}
	if v := f.Given(random); v != nil {
		l.completing.means = append(l.completing.means, &posteriorValue{u, v})
	}
}

// posteriorOutputs are what stands for integrated-out locals.
func (l *lowerer) posteriorOutputs() []RowValue {
	var out []RowValue
	if l.completing != nil {
		for _, p := range l.completing.means {
			u := p.u
			axes := append(slices.Clone(u.Plates), append(slices.Clone(u.Family), u.Own...)...)
			out = append(out, RowValue{PosteriorOf, u.Name, ir.Output{Name: u.Name, Value: p.v, Axes: axes}})
		}
	}
	return out
}

// completionChain puts the terms on the rows of the chain. It reports whether there
// is anything to draw.
func (l *lowerer) completionChain(c *RowChain) bool {
	c.Lowered, c.Spec, c.Prior = l.lowered(), l.specOf(), l.completing.prior
	j := l.joint()
	c.Joint = j
	c.Spec.RowDim, c.Spec.Ranges = j.Dim, l.ranges
	if len(l.sampled) == 0 && len(l.completing.means) == 0 {
		l.quietFail(limits.CannotLeaveOut, l.fileStart(), "the model has no latent values of rows, which the known part of a row could say something of: score the rows without --observed")
		return false
	}
	if l.completing.prior {
		j.Parts = slices.DeleteFunc(j.Parts, func(o ir.Output) bool { return l.sampledNamed(o.Name) == nil })
	}
	if j.Dim == "" && len(l.sampled) == 0 {
		l.quietFail(limits.CannotLeaveOut, l.fileStart(), "no axis of the model can be taken by rows")
		return false
	}
	return true
}

// completions are the log probabilities of entries; nil after a report.
func (l *lowerer) completions() *Scored {
	b := l.b
	out := &Scored{Lowered: l.lowered(), Spec: l.specOf()}
	f := &ir.Func{ID: fn.ID{Kind: "entries"}}
	var terms []*term
	for i := range l.terms {
		t := &l.terms[i]
		switch {
		case t.prior || l.sampledNamed(t.site) != nil || l.collapsedNamed(t.site) != nil:
			continue
		case t.tied != "":
			l.quietFail(limits.CannotLeaveOut, t.span, "%s was integrated out, and what the rows of the run say of it is not in its draws: leave out by collapse", t.tied)
			return nil
		case t.site == "":
			l.quietFail(limits.CannotLeaveOut, t.span, "what stands here is no distribution of an entry, so entries have no probability for themselves")
			return nil
		case t.seen != nil:
			l.quietFail(limits.CannotLeaveOut, t.span, "%s may have missing entries, which are unknowns of the run", t.site)
			return nil
		}
		here := l.here(t)
		if v, counts := l.words(t); v != nil && !l.completing.prior {
			f.Outputs = append(f.Outputs, ir.Output{Name: t.site, Value: v, Axes: t.over}, ir.Output{Name: t.site, Value: counts, Axes: t.over})
			terms = append(terms, t)
			continue
		}
		f.Outputs = append(f.Outputs, ir.Output{Name: t.site, Value: t.v, Axes: t.over}, ir.Output{Name: t.site, Value: here, Axes: t.over})
		terms = append(terms, t)
	}
	f = ir.Unify(b, f)
	dim := l.rowDim()
	if dim == "" {
		l.diags.Add(l.noRows(l.sampled[0]))
		return nil
	}
	out.Spec.RowDim, out.Spec.Ranges, out.Spec.Chain = dim, l.ranges, &model.Chain{}
	out.Row, out.full = dimAxis(b, dim), dimAxis(b, dim)
	out.Row.Rows = true
	out.kept = b.Axis("kept", size.Dim(model.KeptDim))
	if l.completing.prior {
		out.Whole = l.wholeRows(out, f, terms)
		terms = nil
	}
	for i, t := range terms {
		e := ScoredEntry{Site: t.site}
		for k, to := range []**ir.Value{&e.LogProb, &e.Count} {
			o := f.Outputs[2*i+k]
			v, rest, ok, err := l.onRows(o.Value, o.Axes, dim, out.Row, out.full)
			if err != nil {
				l.quietFail(limits.CannotLeaveOut, t.span, "the rows of %s depend on each other: %v", t.site, err)
				return nil
			}
			if ok {
				*to, e.Axes = v, rest
			}
		}
		if e.LogProb != nil { // else of no row
			out.Entries = append(out.Entries, e)
		}
	}
	if len(out.Entries) == 0 && len(out.Whole) == 0 {
		l.quietFail(limits.CannotLeaveOut, l.fileStart(), "no statement name ~ … observes entries of rows")
		return nil
	}
	return out
}

// LogProb is the function of the n-th entry of the spec, of which v is the log
// probability for one draw of the latent values, along axes in a row.
func (x *Scored) LogProb(n int, v *ir.Value, axes []*ir.Axis) *ir.Func {
	return x.entry(fn.Completion.At(n), x.overDraws(v), axes)
}

// Counts is the function that says how many entries the n-th of the spec stands for.
func (x *Scored) Counts(n int, v *ir.Value, axes []*ir.Axis) *ir.Func {
	return x.entry(fn.Entries.At(n), v, axes)
}

func (x *Scored) entry(id fn.ID, v *ir.Value, axes []*ir.Axis) *ir.Func {
	if !v.Has(x.Row) {
		v = x.Builder.Mul(v, x.ones())
	}
	return &ir.Func{ID: id, Outputs: []ir.Output{{Name: "entry", Value: v, Axes: append([]*ir.Axis{x.Row}, axes...)}}}
}

// ones is 1 for every row.
func (x *Scored) ones() *ir.Value { return x.Builder.Rows(x.l.ones(x.full), x.full, x.Row) }

// wholeRows scores every row as one entry.
func (l *lowerer) wholeRows(x *Scored, f *ir.Func, terms []*term) []*ir.Func {
	b, total := l.b, l.b.Num(0)
	for i, t := range terms {
		o := f.Outputs[2*i]
		v, ok, err := l.rowValue(o.Value, o.Axes, x.Spec.RowDim, x.Row, x.full)
		if err != nil {
			l.quietFail(limits.CannotLeaveOut, t.span, "the rows of %s depend on each other: %v", t.site, err)
			return nil
		}
		if ok {
			total = b.Add(total, v)
		}
	}
	if !total.Has(x.Row) {
		return nil
	}
	x.Spec.Entries = append(x.Spec.Entries, model.Entry{Site: terms[0].site})
	return []*ir.Func{x.LogProb(0, total, nil), x.Counts(0, x.ones(), nil)}
}

// here is 1 for the entries of a term that are there.
func (l *lowerer) here(t *term) *ir.Value {
	b, v := l.b, l.b.Num(1)
	if t.here != nil {
		v = t.here
	}
	for _, a := range t.over {
		if mask := l.masks[a]; mask != nil {
			v = b.Mul(v, mask)
		}
	}
	return v
}

// overDraws is the log of the mean over draws of exp(v).
func (x *Scored) overDraws(v *ir.Value) *ir.Value {
	b := x.Builder
	v = latent.WithDraws(b, v, x.kept)
	if !v.Has(x.kept) {
		return v
	}
	return b.Sub(b.Reduce(ir.OpLogSumExp, v, x.kept), b.Map(ir.OpLog, b.AxisSize(x.kept)))
}

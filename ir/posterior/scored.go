package posterior

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Scored is a model lowered for the log probability of entries of rows.
type Scored struct {
	Model   *lower.Model
	Spec    *model.Spec
	Row     *ir.Axis
	Entries []ScoredEntry
	// Whole has the functions of rows that are scored as one entry each, where none of their entries
	// is known; Entries is then empty.
	Whole []*ir.Func

	full, kept *ir.Axis
}

// A ScoredEntry is the contribution of one statement to the entries of a row, along Row and Axes.
type ScoredEntry struct {
	Site    string
	LogProb *ir.Value // its log probability given the latent values of the row
	Count   *ir.Value // how many entries it counts as
	Axes    []*ir.Axis
}

// score makes the log probabilities of entries; nil after an error. prior says that no entry is
// known, and that rows are scored as a whole.
func score(l *lower.Model, prior bool) *Scored {
	b := l.B
	f := &ir.Func{ID: fn.ID{Kind: "entries"}}
	var terms []*lower.Term
	for i := range l.Terms {
		t := &l.Terms[i]
		switch {
		case t.Prior || l.SampledNamed(t.Site) != nil || l.CollapsedNamed(t.Site) != nil:
			continue
		case t.Tied != "":
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"%s was integrated out, and what the rows of the run say of it is not in its "+
					"draws: leave out by collapse", t.Tied)
			return nil
		case t.Site == "":
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"what stands here is no distribution of an entry, so entries have no probability "+
					"for themselves")
			return nil
		case t.Seen != nil:
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"%s may have missing entries, which are unknowns of the run", t.Site)
			return nil
		}
		here := l.Here(t)
		if v, counts := words(l, t); v != nil && !prior {
			f.Outputs = append(f.Outputs, ir.Output{Name: t.Site, Value: v, Axes: t.Over},
				ir.Output{Name: t.Site, Value: counts, Axes: t.Over})
			terms = append(terms, t)
			continue
		}
		f.Outputs = append(f.Outputs, ir.Output{Name: t.Site, Value: t.V, Axes: t.Over},
			ir.Output{Name: t.Site, Value: here, Axes: t.Over})
		terms = append(terms, t)
	}
	f = ir.Unify(b, f)
	dim := l.RowDim()
	if dim == "" {
		l.Diags.Add(l.NoRows())
		return nil
	}
	out := &Scored{Model: l, Spec: l.Spec()}
	out.Spec.RowDim, out.Spec.Chain = dim, &model.Chain{}
	out.Row, out.full = lower.DimAxis(b, dim), lower.DimAxis(b, dim)
	out.Row.Rows = true
	out.kept = b.Axis("kept", size.Dim(model.KeptDim))
	if prior {
		out.Whole = out.wholeRows(f, terms)
		terms = nil
	}
	for i, t := range terms {
		e := ScoredEntry{Site: t.Site}
		for k, to := range []**ir.Value{&e.LogProb, &e.Count} {
			o := f.Outputs[2*i+k]
			v, rest, ok, err := l.OnRows(o.Value, o.Axes, dim, out.Row, out.full)
			if err != nil {
				l.QuietFail(limits.CannotLeaveOut, t.Span,
					"the rows of %s depend on each other: %v", t.Site, err)
				return nil
			}
			if ok {
				*to, e.Axes = v, rest
			}
		}
		if e.LogProb != nil { // otherwise the term belongs to no row
			out.Entries = append(out.Entries, e)
		}
	}
	if len(out.Entries) == 0 && len(out.Whole) == 0 {
		l.QuietFail(limits.CannotLeaveOut, l.FileStart(),
			"no statement name ~ … observes entries of rows")
		return nil
	}
	return out
}

// LogProb returns the function of the n-th entry of the spec. v is its log probability for one draw
// of the latent values, along axes in a row.
func (x *Scored) LogProb(n int, v *ir.Value, axes []*ir.Axis) *ir.Func {
	return x.entry(fn.Completion.At(n), x.overDraws(v), axes)
}

// Counts returns the function of how many entries the n-th entry of the spec counts as.
func (x *Scored) Counts(n int, v *ir.Value, axes []*ir.Axis) *ir.Func {
	return x.entry(fn.Entries.At(n), v, axes)
}

func (x *Scored) entry(id fn.ID, v *ir.Value, axes []*ir.Axis) *ir.Func {
	if !v.Has(x.Row) {
		v = x.Model.B.Mul(v, x.ones())
	}
	return &ir.Func{ID: id, Outputs: []ir.Output{{Name: "entry", Value: v,
		Axes: append([]*ir.Axis{x.Row}, axes...)}}}
}

// ones is 1 for every row.
func (x *Scored) ones() *ir.Value { return x.Model.B.Rows(x.Model.Ones(x.full), x.full, x.Row) }

// wholeRows returns the functions that score every row as one entry.
func (x *Scored) wholeRows(f *ir.Func, terms []*lower.Term) []*ir.Func {
	l, b := x.Model, x.Model.B
	total := b.Num(0)
	for i, t := range terms {
		o := f.Outputs[2*i]
		v, ok, err := l.ByRow(o.Value, o.Axes, x.Spec.RowDim, x.Row, x.full)
		if err != nil {
			l.QuietFail(limits.CannotLeaveOut, t.Span, "the rows of %s depend on each other: %v",
				t.Site, err)
			return nil
		}
		if ok {
			total = b.Add(total, v)
		}
	}
	if !total.Has(x.Row) {
		return nil
	}
	x.Spec.Entries = append(x.Spec.Entries, model.Entry{Site: terms[0].Site})
	return []*ir.Func{x.LogProb(0, total, nil), x.Counts(0, x.ones(), nil)}
}

// overDraws returns the log of the mean of exp(v) over draws.
func (x *Scored) overDraws(v *ir.Value) *ir.Value {
	b := x.Model.B
	v = latent.WithDraws(b, v, x.kept)
	if !v.Has(x.kept) {
		return v
	}
	return b.Sub(b.Reduce(ir.OpLogSumExp, v, x.kept), b.Map(ir.OpLog, b.AxisSize(x.kept)))
}

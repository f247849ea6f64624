package posterior

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Breakdown is the log density by its summands, with functions for each. `sgppl test` uses it to
// find the statement at fault. The row axis is treated like any other.
type Breakdown struct {
	Model *lower.Model
	Spec  *model.Spec // the params
	Parts []Part
}

// A PartKind is the kind of a summand.
type PartKind string

const (
	PriorPart    PartKind = "prior"    // of a param
	ObservedPart PartKind = "observed" // of data, given the unknowns
	FactorPart   PartKind = "factor"
	JacobianPart PartKind = "jacobian" // of the transform of a param: log|J|
)

// A Part is one summand of the log density.
type Part struct {
	Kind PartKind
	Name string      // the observed name, or the param with the prior or transform; empty for a factor
	Span source.Span // of the statement or the prior; empty for a Jacobian
	Axes []*ir.Axis  // of its entries: plates and families
	// Reads has the names of the unknowns that it depends on; Data says whether it reads data.
	Reads []string
	Data  bool
	v     *ir.Value
}

// Break lowers a model to the summands of its log density.
func Break(m *check.Model, o Options) (*Breakdown, diag.List) {
	l, diags := lower.Lower(m, lower.Options{Exact: true, Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	out := &Breakdown{Model: l, Spec: l.Spec()}
	for _, t := range l.Terms {
		p := Part{Kind: ObservedPart, Name: t.Site, Span: t.Span, Axes: t.Over, v: t.V}
		switch {
		case t.Site == "":
			p.Kind = FactorPart
		case t.Prior:
			p.Kind = PriorPart
		}
		for _, v := range ir.Reach(t.V) {
			p.Data = p.Data || v.Op == ir.OpData
			if v.Op == ir.OpState && !slices.Contains(p.Reads, v.Name) {
				p.Reads = append(p.Reads, v.Name)
			}
		}
		out.Parts = append(out.Parts, p)
	}
	for _, p := range l.Params {
		if p.LogJ == nil || p.LogJ.Is(0) {
			continue
		}
		out.Parts = append(out.Parts,
			Part{Kind: JacobianPart, Name: p.Name, Axes: p.Family, v: p.LogJ})
	}
	return out, l.Diags
}

// Functions returns the functions of a summand: entries has the output "terms" along the summand's
// axes, sum adds them up. Entries along the compressed axis of sparse data are added up in both, so
// that the summand is never made dense.
func (x *Breakdown) Functions(p *Part) (entries, sum *ir.Func) {
	b := x.Model.B
	f := ir.Unify(b, &ir.Func{ID: fn.ID{Kind: "terms"},
		Outputs: []ir.Output{{Name: "terms", Value: p.v, Axes: p.Axes}}})
	v, axes := f.Outputs[0].Value, f.Outputs[0].Axes
	for _, x := range ir.Reach(v) {
		if n := len(x.Axes); x.Sparse && slices.Contains(axes, x.Axes[n-1]) && v.Has(x.Axes[n-1]) {
			axes = ir.Without(axes, x.Axes[n-1:])
			v = b.Sum(v, x.Axes[n-1])
		}
	}
	p.Axes = axes
	entries = &ir.Func{ID: fn.ID{Kind: "terms"},
		Outputs: []ir.Output{{Name: "terms", Value: v, Axes: axes}}}
	sum = &ir.Func{ID: fn.Density.ID(),
		Outputs: []ir.Output{{Name: "density", Value: b.Sum(v, axes...)}}}
	return entries, sum
}

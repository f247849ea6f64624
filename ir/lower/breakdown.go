package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/derive"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Breakdown is the log density by its summands, each a pair of functions of
// its own: what `sgppl test` looks at to say which statement is at fault. The
// row axis is as any other here.
type Breakdown struct {
	Spec    *model.Spec // of these functions: the params, and what they read
	Parts   []Part
	Builder *ir.Builder
}

// A PartKind says what a summand is.
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
	Name string      // what is observed, has the prior or the transform; empty for a factor
	Span source.Span // of the statement or the prior; empty for a Jacobian
	Axes []*ir.Axis  // of its entries: plates and families
	// Entries has the output "terms", along Axes, of the state. Sum is their sum,
	// and Gradient its gradient by every param, of the names "density" and "gradient".
	Entries, Sum, Gradient *ir.Func
}

// Break lowers a model by its summands.
func Break(m *check.Model) (*Breakdown, diag.List) {
	l := newLowerer(m, Options{Exact: true})
	l.file()
	if l.diags.Errors() {
		return nil, l.diags
	}
	out := &Breakdown{Builder: l.b, Spec: &model.Spec{Schema: l.schema()}}
	for _, t := range l.terms {
		p := Part{Kind: ObservedPart, Name: t.site, Span: t.span, Axes: t.over}
		switch {
		case t.site == "":
			p.Kind = FactorPart
		case t.prior:
			p.Kind = PriorPart
		}
		l.part(&p, t.v)
		out.Parts = append(out.Parts, p)
	}
	for _, p := range l.params {
		out.Spec.Params = append(out.Spec.Params, p.spec())
		if p.logJ == nil || p.logJ.Is(0) {
			continue
		}
		j := Part{Kind: JacobianPart, Name: p.name, Axes: p.family}
		l.part(&j, p.logJ)
		out.Parts = append(out.Parts, j)
	}
	if l.diags.Errors() {
		return nil, l.diags
	}
	var funcs []*ir.Func
	for i := range out.Parts {
		funcs = append(funcs, out.Parts[i].Entries, out.Parts[i].Sum, out.Parts[i].Gradient)
	}
	out.Spec.Data = stage.Data(out.Spec, funcs)
	return out, l.diags
}

// part makes the functions of a summand. Its entries along the axis that sparse
// data are sparse along are one: the summand is never made dense.
func (l *lowerer) part(p *Part, v *ir.Value) {
	f := opt.Unify(l.b, &ir.Func{ID: fn.ID{Kind: "terms"}, Outputs: []ir.Output{{Name: "terms", Value: v, Axes: p.Axes}}})
	v, p.Axes = f.Outputs[0].Value, f.Outputs[0].Axes
	for _, x := range ir.Reach(v) {
		if n := len(x.Axes); x.Sparse && slices.Contains(p.Axes, x.Axes[n-1]) && v.Has(x.Axes[n-1]) {
			p.Axes = ir.Without(p.Axes, x.Axes[n-1:])
			v = l.b.Sum(v, x.Axes[n-1])
		}
	}
	p.Entries = l.optimise(&ir.Func{ID: fn.ID{Kind: "terms"}, Outputs: []ir.Output{{Name: "terms", Value: v, Axes: p.Axes}}})
	p.Sum = l.optimise(&ir.Func{ID: fn.Density.ID(), Outputs: []ir.Output{{Name: "density", Value: l.b.Sum(v, p.Axes...)}}})
	gradient, err := derive.Gradient(l.optimiser(), p.Sum, l.blocks())
	if err != nil {
		l.diags.Add(derive.Refusal(err).In(l.model.File.Source))
		gradient = &ir.Func{ID: fn.Gradient.ID()}
	}
	p.Gradient = l.optimise(gradient)
}

package posterior

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Term is a statement y ~ …. Its log density at the data has one number for every entry of Shape.
type Term struct {
	Site  string
	Dims  []string // names of the axes that are dims; "" for others
	Shape []size.Poly
}

// Pointwise lowers a model for the log likelihood of each observed entry, without a split into
// rows. A factor that reads data has no entries that could be left out; diagnostics report it.
func Pointwise(m *check.Model, o Options) (*Posterior, diag.List) {
	l, diags := lower.Lower(m, lower.Options{Exact: true, Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	p := &Posterior{}
	for _, t := range l.Terms {
		switch {
		case t.Prior, l.SampledNamed(t.Site) != nil:
		case readsDrawn(l, t.V) != nil:
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"the entries depend on %s, which is drawn for every row, so none has a "+
					"likelihood in closed form: sgppl score averages over draws",
				readsDrawn(l, t.V).Name)
		case t.Site == "" && readsData(t.V):
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"a factor that reads data is no distribution of an entry, and nothing of it can "+
					"be left out")
		case t.Tied != "":
			l.QuietFail(limits.CannotLeaveOut, t.Span,
				"the entries of %s share %s, which was integrated out, so none has a likelihood "+
					"of its own: leave out by collapse", t.Site, t.Tied)
		case t.Site != "":
			f := &ir.Func{ID: fn.Pointwise.At(len(p.Terms)),
				Outputs: []ir.Output{{Name: "pointwise", Value: t.Likelihood(), Axes: t.Over}}}
			p.Funcs = append(p.Funcs, f)
			term := Term{Site: t.Site, Shape: ir.Sizes(t.Over)}
			for _, n := range term.Shape {
				name, _ := n.Name()
				term.Dims = append(term.Dims, name)
			}
			p.Terms = append(p.Terms, term)
		}
	}
	if len(p.Terms) == 0 && !l.Diags.Errors() {
		l.QuietFail(limits.CannotLeaveOut, l.FileStart(),
			"no statement name ~ … observes data, so there is no likelihood")
	}
	return p.finish(l, nil)
}

// readsDrawn returns a local that chains draw and that v depends on; nil without one.
func readsDrawn(l *lower.Model, v *ir.Value) *lower.Sampled {
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpLocal {
			for _, z := range l.Sampled {
				if z.LeafName() == x.Name {
					return z
				}
			}
		}
	}
	return nil
}

func readsData(v *ir.Value) bool {
	return slices.ContainsFunc(ir.Reach(v), func(x *ir.Value) bool { return x.Op == ir.OpData })
}

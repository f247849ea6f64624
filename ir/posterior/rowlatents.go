package posterior

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The values of a row's locals are drawn from their posterior given the row and the params. The
// chain draws the locals that the entries of the row share, continuous ones by gmc and discrete
// ones by gibbs, whatever the model says, since summing or integrating out gives no values. A
// discrete local of one entry is summed out, so that the chain forgets its start sooner.

// A RowLatents is a model lowered for the values of locals: the chain, and the functions "values
// I", which have the axes of the row, of the I-th local, and of the kept draws, of which one is
// requested. The functions are made when Spec.Chain is known.
type RowLatents struct {
	RowChain
	names []string // names of the requested locals
}

// A RowLatent is a local with the shape that it has in a row.
type RowLatent struct {
	Name   string
	Type   types.Type
	Shape  []size.Poly
	Shared bool // one value is shared by the entries of a row
}

// Latents lowers a model for the values of the named locals; without names, for all locals that the
// entries of a row share.
func Latents(m *check.Model, o Options, names []string) (*RowLatents, diag.List) {
	asked := map[string]bool{}
	for _, name := range names {
		if d := notDrawn(m, name); d != nil {
			return nil, diag.List{d}
		}
		asked[name] = true
	}
	l, diags := lower.Lower(m,
		lower.Options{RowDim: o.RowDim, Sampled: true, Entries: true,
			Strategy: valueStrategy(asked), Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	out := &RowLatents{names: names}
	if !out.RowChain.rows(l, values(l)...) {
		return nil, l.Diags
	}
	return out, l.Diags
}

// notDrawn returns why no values of a name can be drawn; nil where they can.
func notDrawn(m *check.Model, name string) *diag.Diagnostic {
	refuse := func(format string, args ...any) *diag.Diagnostic {
		return &diag.Diagnostic{Code: limits.CannotSimulate, File: m.File.Source,
			Span: declared(m, name), Message: fmt.Sprintf(format, args...)}
	}
	is := func(holds func(s *check.Symbol) bool) bool {
		return slices.ContainsFunc(m.Locals,
			func(x *check.Local) bool { return x.Symbol.Name == name && holds(x.Symbol) })
	}
	switch {
	case is(func(s *check.Symbol) bool { return s.Kind == check.LocalVar }):
		return nil
	case is(func(s *check.Symbol) bool { return s.Type.Kind.Discrete() }):
		return refuse("%s is a param that was summed out, and only latent values of rows can be "+
			"drawn afterwards: declare it as a local in a plate over its entries, with the rows "+
			"of each as a ragged dim, to draw it", name)
	}
	return refuse("%s is no latent value of a row; %s", name, localNames(m))
}

// declared returns the place of a name's declaration; for an unknown name, that of the first local.
func declared(m *check.Model, name string) source.Span {
	locals := slices.IndexFunc(m.Locals, func(x *check.Local) bool { return x.Symbol.Name == name })
	if locals >= 0 {
		return m.Locals[locals].Symbol.Span
	}
	for _, s := range m.Symbols {
		if s.Name == name && s.Span != (source.Span{}) {
			return s.Span
		}
	}
	for _, x := range m.Locals {
		if x.Symbol.Kind == check.LocalVar {
			return x.Symbol.Span
		}
	}
	return lower.FileStart(m)
}

// localNames lists the locals of a model, for messages.
func localNames(m *check.Model) string {
	var names []string
	for _, x := range m.Locals {
		if x.Symbol.Kind == check.LocalVar {
			names = append(names, x.Symbol.Name)
		}
	}
	if len(names) == 0 {
		return "the model has none"
	}
	return "the model has " + strings.Join(names, ", ")
}

// valueStrategy chooses how locals are handled where their values are drawn: those that are
// requested, and those that the entries of a row share, are drawn by a chain.
func valueStrategy(
	asked map[string]bool,
) func(l *lower.Model, s *check.Symbol, by string, own bool) string {
	return func(_ *lower.Model, s *check.Symbol, by string, own bool) string {
		drawn := asked[s.Name] || !own
		switch {
		case drawn && s.Type.Kind.Discrete():
			return "gibbs"
		case drawn:
			return "gmc"
		case by == "gibbs" && len(s.Type.Shape) == 0:
			return "marginal"
		}
		return by
	}
}

// values returns the values of the locals that chains draw.
func values(l *lower.Model) []lower.RowValue {
	var out []lower.RowValue
	for _, z := range l.Sampled {
		o := lower.RowValue{Kind: lower.ValueOf, Of: z.Name,
			Output: ir.Output{Name: z.Name, Value: z.Leaf, Axes: z.Axes}}
		if z.Coordinates != nil {
			o.Value, o.Axes = z.Coordinates.X, z.Coordinates.XAxes()
		}
		out = append(out, o)
	}
	return out
}

// Values returns the functions "values I" and the locals that they belong to.
func (x *RowLatents) Values() ([]*ir.Func, []RowLatent, diag.List) {
	l := x.Model
	var funcs []*ir.Func
	var values []RowLatent
	kept := l.B.Axis("kept", size.Dim(model.KeptDim))
	for _, o := range x.Joint.Rows {
		name := o.Of
		if o.Kind != lower.ValueOf || !slices.ContainsFunc(x.Spec.Chain.Links,
			func(k model.Link) bool { return k.Name == name }) {
			continue
		}
		z := l.SampledNamed(name)
		v := RowLatent{Name: name, Shape: ir.Sizes(o.Axes[1:]), Shared: !l.OfEntry(z.Axes)}
		for _, y := range l.Checked.Locals {
			if y.Symbol.Name == name {
				v.Type = y.Symbol.Type
			}
		}
		if len(x.names) > 0 && !slices.Contains(x.names, name) || len(x.names) == 0 && !v.Shared {
			continue
		}
		f := &ir.Func{ID: fn.Values.At(len(values))}
		f.Outputs = []ir.Output{{Name: "value", Value: latent.WithDraws(l.B, o.Value, kept),
			Axes: append(slices.Clone(o.Axes), kept)}}
		funcs, values = append(funcs, f), append(values, v)
		x.Spec.Entries = append(x.Spec.Entries, model.Entry{Site: name, Shape: v.Shape})
	}
	for _, name := range x.names {
		if !slices.ContainsFunc(values, func(v RowLatent) bool { return v.Name == name }) {
			n := len(l.Diags)
			l.QuietFail(limits.CannotSimulate, declared(l.Checked, name),
				"nothing of a row depends on %s, so its posterior is its prior", name)
			return nil, nil, l.Diags[n:]
		}
	}
	return funcs, values, nil
}

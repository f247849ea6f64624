package lower

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The values of a row's locals, drawn from their posterior given the row and the
// params: what the entries of the row share is drawn by the chain, continuous ones
// by gmc and discrete ones by gibbs, whatever the model says of them, since of what
// is summed or integrated out no value is drawn; an entry's own discrete local
// is summed out, so that the chain forgets its start sooner.

// RowLatents is a model lowered for that: the chain, and Values, the functions
// "values I" along the row, the axes of the I-th local and the draws that are kept,
// one of which is asked for. They are made when Spec.Chain is known.
type RowLatents struct {
	RowChain
	names []string // of the locals that are asked for
}

// A RowLatent is a local with the shape that it has in a row.
type RowLatent struct {
	Name   string
	Type   types.Type
	Shape  []size.Poly
	Shared bool // by the entries of a row
}

// Latents lowers a model for the values of the locals of those names; without
// any, of all that the entries of a row share.
func Latents(m *check.Model, o Options, names []string) (*RowLatents, diag.List) {
	l := newLowerer(m, Options{RowDim: o.RowDim, Sampled: true, Jacobian: o.Jacobian})
	l.completing = &completing{asked: map[string]string{}, values: true}
	for _, name := range names {
		if !slices.ContainsFunc(m.Locals, func(x *check.Local) bool { return x.Symbol.Name == name && x.Symbol.Kind == check.LocalVar }) {
			if slices.ContainsFunc(m.Locals, func(x *check.Local) bool { return x.Symbol.Name == name && x.Symbol.Type.Kind.Discrete() }) {
				l.quietFail(limits.CannotSimulate, l.declared(name), "%s is a param that was summed out, and only latent values of rows can be drawn afterwards: declare it as a local in a plate over its entries, with the rows of each as a ragged dim, to draw it", name)
				return nil, l.diags
			}
			l.quietFail(limits.CannotSimulate, l.declared(name), "%s is no latent value of a row; %s", name, l.localNames())
			return nil, l.diags
		}
		l.completing.asked[name] = "drawn"
	}
	l.file()
	if l.diags.Errors() {
		return nil, l.diags
	}
	out := &RowLatents{names: names}
	if !l.completionChain(&out.RowChain) {
		return nil, l.diags
	}
	return out, l.diags
}

// declared is where a name is declared; where it is not, the first local.
func (l *lowerer) declared(name string) source.Span {
	locals := slices.IndexFunc(l.model.Locals, func(x *check.Local) bool { return x.Symbol.Name == name })
	if locals >= 0 {
		return l.model.Locals[locals].Symbol.Span
	}
	for _, s := range l.model.Symbols {
		if s.Name == name && s.Span != (source.Span{}) {
			return s.Span
		}
	}
	for _, x := range l.model.Locals {
		if x.Symbol.Kind == check.LocalVar {
			return x.Symbol.Span
		}
	}
	return l.fileStart()
}

// localNames says which there are.
func (l *lowerer) localNames() string {
	var names []string
	for _, x := range l.model.Locals {
		if x.Symbol.Kind == check.LocalVar {
			names = append(names, x.Symbol.Name)
		}
	}
	if len(names) == 0 {
		return "the model has none"
	}
	return "the model has " + strings.Join(names, ", ")
}

// valueStrategy is how a local is dealt with when values are drawn.
func (l *lowerer) valueStrategy(s *check.Symbol, by string) string {
	drawn := l.completing.asked[s.Name] != "" || !l.ofEntry(l.plates)
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

// valueOutputs are the values of locals that chains draw, by name.
func (l *lowerer) valueOutputs() []RowValue {
	var out []RowValue
	if l.completing == nil || !l.completing.values {
		return nil
	}
	for _, z := range l.sampled {
		o := RowValue{ValueOf, z.Name, ir.Output{Name: z.Name, Value: z.leaf, Axes: z.axes}}
		if z.chart != nil {
			o.Value, o.Axes = z.chart.x, z.chart.xAxes()
		}
		out = append(out, o)
	}
	return out
}

// Values are the functions of the locals that the chain draws, and these.
func (x *RowLatents) Values() ([]*ir.Func, []RowLatent, diag.List) {
	var funcs []*ir.Func
	var values []RowLatent
	kept := x.Builder.Axis("kept", size.Dim(model.KeptDim))
	for _, o := range x.Joint.Rows {
		name := o.Of
		if o.Kind != ValueOf || !slices.ContainsFunc(x.Spec.Chain.Links, func(k model.Link) bool { return k.Name == name }) {
			continue
		}
		z := x.l.sampledNamed(name)
		v := RowLatent{Name: name, Shape: ir.Sizes(o.Axes[1:]), Shared: !x.l.ofEntry(z.axes)}
		for _, y := range x.l.model.Locals {
			if y.Symbol.Name == name {
				v.Type = y.Symbol.Type
			}
		}
		if len(x.names) > 0 && !slices.Contains(x.names, name) || len(x.names) == 0 && !v.Shared {
			continue
		}
		f := &ir.Func{ID: fn.Values.At(len(values))}
		f.Outputs = []ir.Output{{Name: "value", Value: latent.WithDraws(x.Builder, o.Value, kept), Axes: append(slices.Clone(o.Axes), kept)}}
		funcs, values = append(funcs, f), append(values, v)
		x.Spec.Entries = append(x.Spec.Entries, model.Entry{Site: name, Shape: v.Shape})
	}
	for _, name := range x.names {
		if !slices.ContainsFunc(values, func(v RowLatent) bool { return v.Name == name }) {
			n := len(x.l.diags)
			x.l.quietFail(limits.CannotSimulate, x.l.declared(name), "nothing of a row depends on %s, so its posterior is its prior", name)
			return nil, nil, x.l.diags[n:]
		}
	}
	return funcs, values, nil
}

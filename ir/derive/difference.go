package derive

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Difference makes the function of gradients with a control variate:
//
//	Σ_rows weight·(∇ log p(row | x) − ∇ log p(row | anchor)) + ∇(rest + jacobian·log|J|)(x)
//
// The weights are a datum by row that evaluators fill, the anchor a second state
// behind the first. The rows' gradient is derived and optimised once and read at
// both states, so that the two are made in the same way, and opt.Differences can
// subtract before it multiplies. It is nil where a gradient has no rule.
func Difference(o *opt.Optimiser, d *Density) *ir.Func {
	b := o.B
	weights := b.Leaf(ir.OpLocal, model.WeightDatum, d.Row)
	rows, err := gradientAlone(o, d.State, b.Sum(b.Mul(weights, d.PerRow), d.Row))
	if err != nil {
		return nil
	}
	rest, err := gradientAlone(o, d.State,
		b.Add(d.Rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), d.Jacobian)))
	if err != nil {
		return nil
	}
	rows = o.RunSilently(rows)
	anchor := atAnchor(b, rows)
	f := &ir.Func{ID: fn.Difference.ID(), Outputs: slices.Clone(rows.Outputs)}
	for i := range f.Outputs {
		o := &f.Outputs[i]
		o.Value = b.Sub(o.Value, anchor.Outputs[i].Value)
	}
	f = opt.Differences(b, f)
	for i := range f.Outputs {
		o, r := &f.Outputs[i], rest.Outputs[i]
		o.Value = b.Add(o.Value, b.OnAxes(r.Value, r.Axes, o.Axes))
	}
	o.Show("opt:difference", f)
	return o.Run(f)
}

// gradientAlone is the gradient of a density, which is optimised first.
func gradientAlone(o *opt.Optimiser, state []ir.Block, density *ir.Value) (*ir.Func, error) {
	f := o.RunSilently(&ir.Func{ID: fn.Difference.ID(),
		Outputs: []ir.Output{{Name: "density", Value: density}}})
	outputs, err := grad.ByState(o.B, f.Outputs[0].Value, state)
	return &ir.Func{ID: fn.Difference.ID(), Outputs: outputs}, err
}

// atAnchor is a function of the anchor in place of the state. What its scans carry
// has its own names, since no two scans may carry the same.
func atAnchor(b *ir.Builder, f *ir.Func) *ir.Func {
	fresh := map[string]*ir.Value{}
	for _, v := range f.Values() {
		if v.State() {
			for _, c := range ir.Bound(v) {
				if fresh[c.Name] == nil {
					fresh[c.Name] = b.Carry(c.Hint, c.Mode == ir.OfState, c.Axes...)
				}
			}
		}
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch {
		case v.Op == ir.OpState:
			return b.Leaf(ir.OpState, model.AnchorPrefix+v.Name, v.Axes...)
		case v.Op == ir.OpCarry && fresh[v.Name] != nil:
			return b.CarryLike(fresh[v.Name], v.Axes)
		}
		return nil
	})
}

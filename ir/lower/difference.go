package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/model"
)

// difference makes the function of gradients with a control variate:
//
//	Σ_rows weight·(∇ log p(row | x) − ∇ log p(row | anchor)) + ∇(rest + jacobian·log|J|)(x)
//
// The weights are a datum by row that evaluators fill, the anchor a second state
// behind the first. The rows' gradient is derived and optimised once and read at
// both states, so that the two are made in the same way, and opt.Differences can
// subtract before it multiplies. nil where a gradient has no rule.
func (l *lowerer) difference(j *joint) *ir.Func {
	b := l.b
	weights := b.Leaf(ir.OpLocal, model.WeightDatum, j.row)
	rows, err := l.gradientAlone(b.Sum(b.Mul(weights, j.perRow), j.row))
	if err != nil {
		return nil
	}
	rest, err := l.gradientAlone(b.Add(j.rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), j.jacobian)))
	if err != nil {
		return nil
	}
	rows = l.optimiseQuietly(rows)
	anchor := l.atAnchor(rows)
	f := &ir.Func{Name: model.DifferenceFunction, Outputs: slices.Clone(rows.Outputs)}
	for i := range f.Outputs {
		o := &f.Outputs[i]
		o.Value = b.Sub(o.Value, anchor.Outputs[i].Value)
	}
	f = opt.Differences(b, f)
	for i := range f.Outputs {
		o, r := &f.Outputs[i], rest.Outputs[i]
		o.Value = b.Add(o.Value, l.onAxes(r.Value, r.Axes, o.Axes))
	}
	l.dump("opt:difference", f)
	return l.optimise(f)
}

// gradientAlone is the gradient of a density, which is optimised first.
func (l *lowerer) gradientAlone(density *ir.Value) (*ir.Func, error) {
	f := l.optimiseQuietly(&ir.Func{Name: model.DifferenceFunction, Outputs: []ir.Output{{Name: "density", Value: density}}})
	outputs, err := l.gradients(f.Outputs[0].Value)
	return &ir.Func{Name: model.DifferenceFunction, Outputs: outputs}, err
}

// atAnchor is a function of the anchor in place of the state. What its scans carry
// has names of its own, since no two scans may carry the same.
func (l *lowerer) atAnchor(f *ir.Func) *ir.Func {
	fresh := map[string]*ir.Value{}
	for _, v := range f.Values() {
		if v.State() {
			for _, c := range ir.Bound(v) {
				if fresh[c.Name] == nil {
					fresh[c.Name] = l.b.Carry(c.Hint, c.Flag, c.Axes...)
				}
			}
		}
	}
	return ir.RewriteFunc(l.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch {
		case v.Op == ir.OpState:
			return b.Leaf(ir.OpState, model.AnchorPrefix+v.Name, v.Axes...)
		case v.Op == ir.OpCarry && fresh[v.Name] != nil:
			return b.CarryLike(fresh[v.Name], v.Axes)
		}
		return nil
	})
}

// onAxes is a value on other axes: those in the place of its own, in their order.
func (l *lowerer) onAxes(v *ir.Value, from, to []*ir.Axis) *ir.Value {
	temp := make([]*ir.Axis, len(from))
	for i, a := range from {
		temp[i] = l.b.Axis(a.Name, a.Size)
		v = l.b.Rename(v, a, temp[i])
	}
	for i := range temp {
		v = l.b.Rename(v, temp[i], to[i])
	}
	return v
}

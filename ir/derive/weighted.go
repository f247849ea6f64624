package derive

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Weighted makes the function that gives the gradient and the density where each row has a weight:
//
//	scale·Σ_rows weight·log p(row | x) + rest + jacobian·log|J|
//
// The weights are a datum by row. It is nil where a gradient has no rule.
func Weighted(o *opt.Optimiser, d *Density) *ir.Func {
	b := o.B
	weights := b.Leaf(ir.OpLocal, model.WeightDatum, d.Row)
	value := b.Add(
		b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(b.Mul(weights, d.PerRow), d.Row)),
		b.Add(d.Rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), d.Jacobian)))
	f := o.RunSilently(&ir.Func{ID: fn.Weighted.ID(),
		Outputs: []ir.Output{{Name: model.DensityOutput, Value: value}}})
	density := f.Outputs[0]
	outputs, err := grad.ByState(b, density.Value, d.State)
	if err != nil {
		return nil
	}
	f = &ir.Func{ID: fn.Weighted.ID(), Outputs: append(outputs, density)}
	o.Show("grad", f)
	return o.Run(f)
}

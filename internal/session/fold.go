package session

import (
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// RowsAlone returns the binding with only the rows of its axis whose indices are in keep. The model
// must take its rows one by one: see driver.Compiled.LeftOut. Constants such as mean(x) keep their
// values over all rows.
func (b *Binding) RowsAlone(keep []int) (*Binding, error) {
	out, bound := *b, b.BoundRows(keep)
	out.Bound, out.Constants, out.Held = bound, nil, nil
	if b.Compiled.ByRows() != nil {
		out.Constants = map[string][]float64{}
		for _, name := range b.Compiled.Fitted {
			out.Constants[name] = b.Target.Constants[name]
		}
	}
	var err error
	if out.Target, err = out.Compiled.VM(bound, out.Constants); err != nil {
		return nil, Failf(ExitData, "%v", err)
	}
	return &out, nil
}

// BoundRows is the data with some of the rows of the axis of the binding, in their order.
func (b *Binding) BoundRows(keep []int) *data.Bound {
	dim := b.Compiled.Spec.RowDim
	all := b.Bound
	bound := &data.Bound{Dims: map[string]int{}, Values: map[string]*data.Value{}, Files: all.Files,
		Labels: map[string][]string{}, Dropped: all.Dropped}
	for name, n := range all.Dims {
		bound.Dims[name] = n
	}
	bound.Dims[dim] = len(keep)
	for name, labels := range all.Labels {
		if name != dim {
			bound.Labels[name] = labels
		}
	}
	for name, v := range all.Values {
		bound.Values[name] = v
	}
	for _, in := range b.Compiled.Spec.Schema.Inputs {
		if v := all.Values[in.Name]; v != nil && len(in.Shape) > 0 && in.Shape[0].Mentions(dim) {
			bound.Values[in.Name] = v.Take(keep, "")
		}
	}
	return bound
}

// ByRowsAlone returns an error if rows cannot be left out of the data one by one.
func (b *Binding) ByRowsAlone() error {
	if err := b.Compiled.LeftOut(); err != nil {
		return Failf(ExitModel, "rows cannot be left out: %v", err)
	}
	for _, d := range b.Compiled.Spec.Schema.Dims {
		if d.Of == b.Compiled.Spec.RowDim {
			return Failf(ExitModel,
				"rows cannot be left out: %s has lists of different lengths for them, and that "+
					"is not supported yet", d.Name)
		}
	}
	return nil
}

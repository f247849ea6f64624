package model

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// WithDefaults returns the data with inputs that were left out set to their
// defaults, in declaration order: a default may read inputs above it.
func WithDefaults(spec *Spec, code Code, bound *data.Bound) (*data.Bound, error) {
	return withDefaults(spec, code, bound, func(*data.Bound) error { return nil })
}

// withDefaults is WithDefaults with something to do before each default is computed
// of the data so far.
func withDefaults(
	spec *Spec, code Code, bound *data.Bound, before func(*data.Bound) error,
) (*data.Bound, error) {
	missing := false
	for i := range spec.Schema.Inputs {
		missing = missing || bound.Values[spec.Schema.Inputs[i].Name] == nil
	}
	if !missing {
		return bound, nil
	}
	out := &data.Bound{Dims: bound.Dims, Values: map[string]*array.Value{}, Files: bound.Files}
	for name, v := range bound.Values {
		out.Values[name] = v
	}
	for i := range spec.Schema.Inputs {
		in := &spec.Schema.Inputs[i]
		if out.Values[in.Name] != nil {
			continue
		}
		f := code.Func(fn.Default.Of(in.Name).String(), bound.Dims, 0)
		if f == nil {
			continue // whoever reads it misses it
		}
		if err := before(out); err != nil {
			return nil, err
		}
		frame := &Frame{Out: make([]float64, product(in.Shape, bound.Dims))}
		for k := range spec.Data {
			var dense []float64
			var rows kernel.Rows
			if d := &spec.Data[k]; !d.Derived && !d.Rows && out.Values[d.Name] != nil {
				if err := read(out, d, &dense, &rows); err != nil {
					return nil, err
				}
			}
			frame.Dense, frame.Sparse = append(frame.Dense, dense), append(frame.Sparse, rows)
		}
		f.Prepare(frame)
		f.Finish(frame)
		v := array.Dense(frame.Out, size.Shape(in.Shape, bound.Dims)...)
		v.Canonical = true
		out.Values[in.Name] = v
	}
	return out, nil
}

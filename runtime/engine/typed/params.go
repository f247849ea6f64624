package typed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Pack maps parameters to a state. fields are pointers to float64 and nested
// slices of it, one for each output of the target that is a parameter, in order.
func Pack(t target.Target, fields []any) ([]float64, error) {
	values := make([]float64, t.OutputLen())
	at := 0
	for _, o := range t.Outputs() {
		if o.Track {
			continue
		}
		r := reflect.ValueOf(fields[at]).Elem()
		at++
		if shape := shapeOf(r); !slices.Equal(shape, o.Shape) && o.Len > 0 {
			return nil, fmt.Errorf("%s has shape %v, the model's has %v", o.Name, shape,
				append([]int{}, o.Shape...))
		}
		flat := values[o.Offset : o.Offset : o.Offset+o.Len]
		if o.Len > 0 {
			f := &flattener{shape: o.Shape, flat: flat, lists: make([][]int, len(o.Shape))}
			if err := cmp.Or(f.add(r, 0), f.uneven); err != nil {
				return nil, fmt.Errorf("%s: %w", o.Name, err)
			}
		}
	}
	x := make([]float64, t.Dim())
	return x, t.NewEvaluator(0).Unconstrain(values, x)
}

// Unpack copies the vector that Constrain writes into fields, which are as for
// Pack; behind those of the parameters may stand those of tracked values.
func Unpack(outputs []target.Output, values []float64, fields []any) {
	for i, field := range fields {
		o := &outputs[i]
		fill(reflect.ValueOf(field).Elem(), slices.Clone(values[o.Offset:o.Offset+o.Len]), o.Shape)
	}
}

// fill sets nested slices, whose innermost ones share the flat array.
func fill(r reflect.Value, flat []float64, shape []int) {
	switch len(shape) {
	case 0:
		r.SetFloat(flat[0])
	case 1:
		r.Set(reflect.ValueOf(flat[:len(flat):len(flat)]))
	default:
		n := shape[0]
		r.Set(reflect.MakeSlice(r.Type(), n, n))
		width := 0
		if n > 0 {
			width = len(flat) / n
		}
		for i := range n {
			fill(r.Index(i), flat[i*width:(i+1)*width], shape[1:])
		}
	}
}

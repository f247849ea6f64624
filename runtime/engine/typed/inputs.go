// Package typed stands between generated packages, whose users see structs
// with fields of Go's own types, and the rest of the runtime, which sees flat
// arrays. It has what all generated packages share.
package typed

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Inputs collects the values of a model's inputs by name.
type Inputs struct {
	values map[string]*array.Value
	dims   map[string]int
	errs   []error
	// why rows of different lengths do not make an array, for inputs that need one
	uneven map[string]error
}

// NewInputs returns an empty collection.
func NewInputs() *Inputs {
	return &Inputs{values: map[string]*array.Value{}, dims: map[string]int{},
		uneven: map[string]error{}}
}

// Put adds an input: a number, a bool, slices of them to any depth, a pointer
// to a number or bool, or a *data.CSR. A nil slice or pointer is left out, so
// that a missing input is reported, or its default taken, as elsewhere. Slices
// of float64 are kept, not copied. Rows may differ in length where the schema
// that Bind gets has a ragged axis, or lists of indices.
func (in *Inputs) Put(name string, v any) {
	switch v := v.(type) {
	case float64:
		in.values[name] = array.Scalar(v)
		return
	case []float64:
		if v != nil {
			in.values[name] = array.Dense(v, len(v))
		}
		return
	case *array.CSR:
		if v != nil {
			in.values[name] = array.Sparse(v)
		}
		return
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Pointer && r.IsNil(), r.Kind() == reflect.Slice && r.IsNil():
		return
	case r.Kind() == reflect.Pointer:
		r = r.Elem()
	}
	f, err := takeApart(r)
	if err != nil {
		in.errs = append(in.errs, fmt.Errorf("%s: %w", name, err))
		return
	}
	if f.uneven == nil {
		in.values[name] = array.Dense(f.flat, f.shape...)
		return
	}
	in.values[name] = array.Ragged(f.flat, f.lists)
	in.uneven[name] = fmt.Errorf("%s: %w", name, f.uneven)
}

// Size gives the size of a dim that no input settles.
func (in *Inputs) Size(dim string, n int) { in.dims[dim] = n }

// SizeOr is Size, with 0 standing for the default.
func (in *Inputs) SizeOr(dim string, n, otherwise int) {
	if n == 0 {
		n = otherwise
	}
	in.dims[dim] = n
}

// Bind checks the inputs against a schema. The error joins all that is wrong:
// those of package data are *data.Error.
func (in *Inputs) Bind(s *data.Schema) (*data.Bound, error) { return in.bind(s, data.Options{}) }

func (in *Inputs) bind(s *data.Schema, o data.Options) (*data.Bound, error) {
	all := slices.Clone(in.errs)
	for _, name := range slices.Sorted(maps.Keys(in.uneven)) {
		if x := s.Input(name); x == nil || !s.Uneven(x) {
			all = append(all, in.uneven[name])
		}
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	bound, _, errs := data.Validate(s, in.values, in.dims, o)
	if len(errs) > 0 {
		for _, e := range errs {
			all = append(all, e)
		}
		return nil, errors.Join(all...)
	}
	return bound, nil
}

// Read binds the data of files, as Bind of package data takes them. The error joins all that
// is wrong.
func Read(s *data.Schema, note func(string), files []string) (*data.Bound, error) {
	bound, notes, errs := data.Bind(s, files, nil, data.Options{})
	if len(errs) > 0 {
		all := make([]error, len(errs))
		for i, e := range errs {
			all[i] = e
		}
		return nil, errors.Join(all...)
	}
	for _, n := range notes {
		if note != nil {
			note(n)
		}
	}
	return bound, nil
}

// shapeOf reads the shape off the first entry along every axis.
func shapeOf(r reflect.Value) []int {
	shape := []int{}
	t := r.Type()
	for t.Kind() == reflect.Slice {
		n := 0
		if r.IsValid() {
			n = r.Len()
		}
		shape = append(shape, n)
		if n > 0 {
			r = r.Index(0)
		} else {
			r = reflect.Value{}
		}
		t = t.Elem()
	}
	return shape
}

// A flattener flattens nested slices, in row-major order.
type flattener struct {
	shape  []int // of the first entry along every axis
	flat   []float64
	lists  [][]int // lengths of the slices of every level
	uneven error   // the first slice of another length
}

func takeApart(r reflect.Value) (*flattener, error) {
	f := &flattener{shape: shapeOf(r)}
	f.lists = make([][]int, len(f.shape))
	n := 1
	for _, k := range f.shape {
		n *= k
	}
	f.flat = make([]float64, 0, n)
	return f, f.add(r, 0)
}

func (f *flattener) add(r reflect.Value, level int) error {
	if r.Kind() != reflect.Slice {
		x, err := numberOf(r)
		f.flat = append(f.flat, x)
		return err
	}
	n := r.Len()
	if n != f.shape[level] && f.uneven == nil {
		f.uneven = fmt.Errorf("a row has %d entries, the first has %d", n, f.shape[level])
	}
	f.lists[level] = append(f.lists[level], n)
	if v, ok := r.Interface().([]float64); ok {
		f.flat = append(f.flat, v...)
		return nil
	}
	for i := range n {
		if err := f.add(r.Index(i), level+1); err != nil {
			return err
		}
	}
	return nil
}

func numberOf(r reflect.Value) (float64, error) {
	switch {
	case r.Kind() == reflect.Bool && r.Bool():
		return 1, nil
	case r.Kind() == reflect.Bool:
		return 0, nil
	case r.CanFloat():
		return r.Float(), nil
	case r.CanInt():
		return float64(r.Int()), nil
	}
	return 0, fmt.Errorf("a %s is no number", r.Type())
}

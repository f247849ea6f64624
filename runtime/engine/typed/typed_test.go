package typed

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func TestPut(t *testing.T) {
	half := 0.5
	var none *float64
	for _, c := range []struct {
		v     any
		shape []int // nil: left out
		flat  []float64
	}{
		{1.5, []int{}, []float64{1.5}},
		{3, []int{}, []float64{3}},
		{true, []int{}, []float64{1}},
		{&half, []int{}, []float64{0.5}},
		{none, nil, nil},
		{[]float64{1, 2}, []int{2}, []float64{1, 2}},
		{[]float64{}, []int{0}, []float64{}},
		{[]float64(nil), nil, nil},
		{[]bool{true, false}, []int{2}, []float64{1, 0}},
		{[]int{-3, 4}, []int{2}, []float64{-3, 4}},
		{[][]int{{1, 2}, {3, 4}, {5, 6}}, []int{3, 2}, []float64{1, 2, 3, 4, 5, 6}},
		{[][]float64{}, []int{0, 0}, []float64{}},
		{[][][]float64{{{1}, {2}}}, []int{1, 2, 1}, []float64{1, 2}},
		{(*array.CSR)(nil), nil, nil},
	} {
		in := NewInputs()
		in.Put("x", c.v)
		v := in.values["x"]
		switch {
		case c.shape == nil:
			if v != nil {
				t.Errorf("%v was not left out", c.v)
			}
		case v == nil || !slices.Equal(v.Shape, c.shape) || !slices.Equal(v.F64, c.flat):
			t.Errorf("%v became %+v", c.v, v)
		}
	}
	in := NewInputs()
	in.Put("x", [][]float64{{1, 2}, {3}})
	in.Put("s", &array.CSR{Rows: 1, Cols: 2, Indptr: []int{0, 0}})
	if _, err := in.Bind(&data.Schema{}); err == nil ||
		!strings.Contains(err.Error(), "x: a row has 1 entries, the first has 2") {
		t.Errorf("ragged: %v", err)
	}
}

// Rows of different lengths are what ragged inputs and lists of indices are.
func TestRagged(t *testing.T) {
	s, k := size.Dim("S"), size.Dim("T")
	schema := &data.Schema{Dims: []data.Dim{{Name: "S"}, {Name: "T", Of: "S"}},
		Inputs: []data.Input{
			{Name: "x", Shape: []size.Poly{s, k}},
			{Name: "on", Kind: data.Bool, Listed: true, From: 1,
				Shape: []size.Poly{s, k, size.Const(3)}}}}
	in := NewInputs()
	in.Put("x", [][]float64{{1, 2}, {}, {3}})
	in.Put("on", [][][]int{{{1, 3}, {2}}, {}, {{}}})
	b, err := in.Bind(schema)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"x": {1, 2, 0, 0, 3, 0}, "T.length": {2, 0, 1},
		"on": {1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}} {
		if got := b.Values[name].Floats(); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	in.Put("x", [][]float64{{1}, {}, {3}})
	var e *problem.Error
	if _, err := in.Bind(schema); !errors.As(err, &e) || e.Code != "D0129" {
		t.Errorf("lengths that disagree: %v", err)
	}
}

// Bind reports everything that package data finds, as its errors.
func TestBind(t *testing.T) {
	s := &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "K"}}, Inputs: []data.Input{
		{Name: "x", Shape: []size.Poly{size.Dim("N")}}, {Name: "p", Kind: data.Positive},
		{Name: "q"},
	}}
	in := NewInputs()
	in.Put("x", []float64{1, 2, 3})
	in.Put("p", -1.0)
	in.SizeOr("K", 0, 20)
	_, err := in.Bind(s)
	var e *problem.Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "q") ||
		!strings.Contains(err.Error(), "p is -1") {
		t.Errorf("%v", err)
	}
	in.Put("p", 1.0)
	in.Put("q", 2)
	b, err := in.Bind(s)
	if err != nil || b.Dims["K"] != 20 || b.Dims["N"] != 3 {
		t.Errorf("%v %v", b, err)
	}
	in.SizeOr("K", 5, 20)
	if b, err = in.Bind(s); err != nil || b.Dims["K"] != 5 {
		t.Errorf("%v %v", b, err)
	}
}

func TestUnpack(t *testing.T) {
	outputs := []target.Output{{Name: "a", Len: 1}, {Name: "w", Shape: []int{3}, Offset: 1, Len: 3},
		{Name: "m", Shape: []int{2, 2}, Offset: 4, Len: 4},
		{Name: "e", Shape: []int{0, 4}, Offset: 8},
		{Name: "t", Shape: []int{1, 1, 2}, Offset: 8, Len: 2}}
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	var a float64
	var w []float64
	var m, e [][]float64
	var deep [][][]float64
	Unpack(outputs, values, []any{&a, &w, &m, &e, &deep})
	values[1] = math.NaN() // the fields are copies
	got := []any{a, w, m, e, deep}
	want := []any{1.0, []float64{2, 3, 4}, [][]float64{{5, 6}, {7, 8}}, [][]float64{},
		[][][]float64{{{9, 10}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

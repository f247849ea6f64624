package data

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
)

// TestPackedStorage: whole numbers take a byte or four, what is validated again
// with lengths of others is laid out anew, and rows are read without memory.
func TestPackedStorage(t *testing.T) {
	real2 := Input{Name: "x", Shape: shape("S", "T")}
	for text, want := range map[string][3]int{
		`{"x": [[1, 255], [0]]}`:         {0, 0, 3},
		`{"x": [[1, 256], [0]]}`:         {0, 3, 0},
		`{"x": [[-1, 2147483647], [0]]}`: {0, 3, 0},
		`{"x": [[1, 2147483648], [0]]}`:  {3, 0, 0},
		`{"x": [[1, -0.0], [0]]}`:        {3, 0, 0},
		`{"x": [[1, 0.5], [0]]}`:         {3, 0, 0},
	} {
		s := raggedOf(real2)
		b, _, errs := bindText(t, s, text)
		if errs != nil {
			t.Fatal(errs[0])
		}
		p := b.Values["x"].Packed
		got := [3]int{len(p.F64), len(p.Int32), 0}
		if p.Bytes != nil {
			got[2] = len(p.Bytes.Code)
		}
		if got != want {
			t.Errorf("%s takes %v, want %v", text, got, want)
		}
		again, _ := accept(t, s, b.Values, b.Dims, Options{})
		if !reflect.DeepEqual(again.Values["x"].Packed, p) {
			t.Errorf("%s validated again: %+v", text, again.Values["x"].Packed)
		}
		shorter := map[string]*Value{"x": b.Values["x"], LengthsOf("T"): Dense([]float64{1, 1}, 2)}
		other, _ := accept(t, s, shorter, nil, Options{})
		if full := b.Values["x"].Floats(); !sameBits(other.Values["x"].Floats(),
			[]float64{full[0], 0, full[2], 0}) {
			t.Errorf("%s with shorter rows: %v", text, other.Values["x"].Floats())
		}
		row := make([]float64, 2)
		if n := testing.AllocsPerRun(10, func() { array.Row(p, row, 1) }); n != 0 {
			t.Errorf("a row takes %v allocations", n)
		}
	}
}

// sameBits reports whether two lists of numbers have the same bits.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

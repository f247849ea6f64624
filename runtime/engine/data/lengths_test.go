package data

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// twoRagged is x[S, T1(S), T2(S)].
func twoRagged() *Schema {
	return &Schema{Dims: []Dim{{Name: "S"}, {Name: "T1", Of: "S"}, {Name: "T2", Of: "S"}},
		Inputs: []Input{{Name: "x",
			Shape: []size.Poly{size.Dim("S"), size.Dim("T1"), size.Dim("T2")}}}}
}

// A row that no list reaches has length 0 along the axes within it, and what is
// bound so binds again.
func TestUnreachedRow(t *testing.T) {
	for _, v := range []*Value{
		Ragged(nil, [][]int{{2}, {0, 1}, {0}}),
		Ragged([]float64{5, 6}, [][]int{{3}, {0, 1, 0}, {2}}),
	} {
		s := twoRagged()
		b, _, errs := Validate(s, map[string]*Value{"x": v}, nil, Options{})
		if errs != nil {
			t.Fatal(errs)
		}
		if got := b.Values[LengthsOf("T2")].Floats()[0]; got != 0 {
			t.Errorf("the row that nothing reaches has length %v", got)
		}
		if again, _, errs := Validate(s, b.Values, b.Dims, Options{}); errs != nil ||
			showBound(again) != showBound(b) {
			t.Errorf("bound again: %v", errs)
		}
	}
}

// Lengths that are wrong, or of another number of rows than the array has, are
// an error and not a panic.
func TestWrongLengths(t *testing.T) {
	for name, lengths := range map[string][]float64{"negative": {-1, 2}, "second negative": {1, -1},
		"too few": {1}, "too many": {1, 1, 1}, "fraction": {0.5, 1}, "none": {}} {
		for _, v := range []*Value{Dense(make([]float64, 8), 2, 2, 2),
			Ragged([]float64{1, 2}, [][]int{{2}, {1, 1}, {1, 1}})} {
			values := map[string]*Value{"x": v, LengthsOf("T1"): Dense(lengths, len(lengths)),
				LengthsOf("T2"): Dense([]float64{1, 1}, 2)}
			b, _, errs := Validate(twoRagged(), values, nil, Options{})
			if b != nil || errs == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

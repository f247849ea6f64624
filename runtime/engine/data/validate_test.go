package data

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// accept validates and fails on any error.
func accept(
	t *testing.T, s *Schema, values map[string]*Value, dims map[string]int, opt Options,
) (*Bound, []string) {
	t.Helper()
	b, notes, errs := Validate(s, values, dims, opt)
	for _, e := range errs {
		t.Error(e)
	}
	if errs != nil {
		t.FailNow()
	}
	return b, notes
}

func TestEntries(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	a, b := 0.5, 0.5000001
	by := 1 / (a + b)
	for _, c := range []struct {
		in    Input
		v     *Value
		want  string
		notes string
	}{
		{Input{Kind: Real, Infinite: true}, Scalar(-inf), "[] [-Inf]", ""},
		{Input{Kind: Real, Optional: true, Unknown: true, Shape: shape("N")},
			Dense([]float64{1, nan}, 2), "[2] [1 NaN]",
			"missing entries of v, which are unknowns v.missing: 1"},
		{Input{Kind: Count, Optional: true, Unknown: true, Shape: shape("N")},
			Dense([]float64{nan, 3}, 2), "[2] [NaN 3]",
			"missing entries of v, which are unknowns v.missing: 1"},
		{Input{Kind: Bool, Shape: shape("N")}, Whole([]int{-1, 1, -1}, 3), "[3] [0 1 0]", ""},
		{Input{Kind: Bool, Shape: shape("N")}, Bools([]bool{true, false}, 2), "[2] [1 0]", ""},
		{Input{Kind: Bool, Shape: shape("N")}, Whole([]uint8{1, 1}, 2), "[2] [1 1]", ""},
		{Input{Kind: Index, Below: size.Const(3), From: 1, Shape: shape("N")},
			Whole([]int32{1, 3}, 2), "[2] [0 2]", ""},
		{Input{Kind: Interval, Lo: End{Value: 0}, Hi: End{Value: inf}}, Scalar(1e300),
			"[] [1e+300]", ""},
		{Input{Kind: Simplex, Own: 1, Shape: shape(2)}, Dense([]float64{0.5, 0.5000001}, 2),
			fmt.Sprint([]int{2}, " ", []float64{a * by, b * by}),
			"v: 1 of 1 renormalised, being off by less than 1e-6"},
		{Input{Kind: Sphere, Own: 1, Shape: shape("N", 2)}, Dense([]float64{0.6, 0.8, 1, 0}, 2, 2),
			"[2 2] [0.6 0.8 1 0]", ""},
		{Input{Kind: PositiveOrdered, Own: 1, Shape: shape("N")}, Dense([]float64{1, 2}, 2),
			"[2] [1 2]", ""},
		{Input{Kind: SumToZero, Own: 1, Shape: shape("N")}, Dense([]float64{1e6, -1e6}, 2),
			"[2] [1e+06 -1e+06]", ""},
		{Input{Kind: Stiefel, Own: 2, Shape: shape(3, 2)}, Dense([]float64{1, 0, 0, 0, 0, 1}, 3, 2),
			"[3 2] [1 0 0 0 0 1]", ""},
		{Input{Kind: CorrChol, Own: 2, Shape: shape(2, 2)}, Dense([]float64{1, 0, 0.6, 0.8}, 2, 2),
			"[2 2] [1 0 0.6 0.8]", ""},
		{Input{Kind: CovChol, Own: 2, Shape: shape(2, 2)}, Dense([]float64{3, 0, -2, 5}, 2, 2),
			"[2 2] [3 0 -2 5]", ""},
		// Axes flatten and unfold where the sizes are known.
		{Input{Kind: Real, Shape: shape("N", 4)}, Dense([]float64{1, 2, 3, 4}, 1, 2, 2),
			"[1 4] [1 2 3 4]", ""},
		{Input{Kind: Real, Shape: shape("N", 1, 2, 2)}, Dense([]float64{1, 2, 3, 4}, 1, 4),
			"[1 1 2 2] [1 2 3 4]", ""},
		{Input{Kind: Real, Shape: shape("N", 1, 2, 2)}, Dense([]float64{1, 2, 3, 4}, 1, 2, 2),
			"[1 1 2 2] [1 2 3 4]", ""},
		{Input{Kind: Real, Shape: shape("N")}, Dense([]float64{1, 2}, 2, 1), "[2] [1 2]", ""},
		{Input{Kind: Real}, Dense([]float64{7}, 1), "[] [7]", ""},
		{Input{Kind: Real, Shape: shape("N", "N")}, Dense(nil, 0), "[0 0] []", ""},
		// Storage follows the declaration.
		{Input{Kind: Real, Sparse: true, Shape: shape("N", 3)},
			Dense([]float64{0, 2, 0, 0, 0, 1}, 2, 3), "[2 3] 2×3 [0 1 2] [1 2] [2 1]", ""},
		{Input{Kind: Count, Bag: true, Shape: shape("N", 3)},
			Dense([]float64{0, 1, 0, 0, 0, 1}, 2, 3), "[2 3] 2×3 [0 1 2] [1 2] []", ""},
		{Input{Kind: Real, Shape: shape("N", 3)},
			Sparse(&CSR{Rows: 2, Cols: 2, Indptr: []int{0, 1, 2}, Index: []int32{1, 0},
				Open: true}), "[2 3] [0 1 0 1 0 0]", ""},
		{Input{Kind: Bool, Shape: shape("N", 2), Sparse: true},
			Sparse(&CSR{Rows: 2, Cols: 2, Indptr: []int{0, 2, 4}, Index: []int32{0, 1, 0, 1},
				Value: []float64{-1, 1, 1, -1}}), "[2 2] 2×2 [0 2 4] [0 1 0 1] [0 1 1 0]", ""},
	} {
		before := show(c.v)
		s := one(c.in)
		dims := map[string]int{}
		if !strings.Contains(sizesText(c.in.Shape), "N") {
			dims["N"] = 1
		}
		b, notes := accept(t, s, map[string]*Value{"v": c.v}, dims, Options{})
		if got := show(b.Values["v"]); strings.ReplaceAll(got, " ", "") !=
			strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s: got %s, want %s", s.Inputs[0].Type(), got, c.want)
		}
		if got := strings.Join(notes, "\n"); got != c.notes {
			t.Errorf("%s: notes %q, want %q", s.Inputs[0].Type(), got, c.notes)
		}
		if show(c.v) != before {
			t.Errorf("%s: the caller's value changed", s.Inputs[0].Type())
		}
		again, notes := accept(t, s, b.Values, b.Dims, Options{})
		if show(again.Values["v"]) != show(b.Values["v"]) || notes != nil {
			t.Errorf("%s: not the same when validated again: %s", s.Inputs[0].Type(),
				show(again.Values["v"]))
		}
	}
}

func TestSizes(t *testing.T) {
	v := func(n ...int) *Value {
		k, _ := array.Product(n)
		return Dense(make([]float64, k), n...)
	}
	less := size.Dim("T").Sub(size.Const(1))
	twenty := 20
	for _, c := range []struct {
		name   string
		inputs []Input
		values map[string]*Value
		dims   map[string]int
		want   string // dims, or the first error
	}{
		{"one dim from T - 1", []Input{{Name: "a", Shape: shape(less)}},
			map[string]*Value{"a": v(4)}, nil, "map[K:20 T:5]"},
		{"T before T - 1", []Input{{Name: "a", Shape: shape(less)}, {Name: "b", Shape: shape("T")}},
			map[string]*Value{"a": v(4), "b": v(6)}, nil,
			"error[D0120]: a (axis 0) has size 4, but T - 1 is 5\n  note: T is 6 by b (axis 0)"},
		{"a product once a factor is known",
			[]Input{{Name: "a", Shape: shape(size.Dim("T").Mul(size.Dim("S")))},
				{Name: "b", Shape: shape("S")}}, map[string]*Value{"a": v(12), "b": v(3)}, nil,
			"map[K:20 S:3 T:4]"},
		{"data before a default", []Input{{Name: "a", Shape: shape("K")}},
			map[string]*Value{"a": v(7)}, map[string]int{"T": 1}, "map[K:7 T:1]"},
		{"an index does not raise a default",
			[]Input{{Name: "a", Kind: Index, Below: size.Dim("K")}},
			map[string]*Value{"a": Scalar(20)}, map[string]int{"T": 1},
			"error[D0130]: a is 20, but index[K] is a whole number from 0 to 19"},
		{"flattened once T is known",
			[]Input{{Name: "a", Shape: shape("T", "S")}, {Name: "b", Shape: shape("S")}},
			map[string]*Value{"a": v(2, 3, 5), "b": v(15)}, nil, "map[K:20 S:15 T:2]"},
		{"not flattened into an unknown size", []Input{{Name: "a", Shape: shape("T", "S")}},
			map[string]*Value{"a": v(2, 3, 5)}, nil,
			"error[D0121]: a has shape [2, 3, 5], but real[T, S] is declared"},
		{"sizes from a smaller array do not wrap", []Input{{Name: "a", Shape: shape("T", "T")}},
			map[string]*Value{"a": v(2, 3)}, nil,
			"error[D0120]: sizes disagree on T: 2 by a (axis 0), 3 by a (axis 1)"},
		{"storage against shape", []Input{{Name: "a", Shape: shape("T")}},
			map[string]*Value{"a": Dense(make([]float64, 3), 4)}, nil,
			"error[D0125]: a has 3 entries, but has shape [4]"},
		{"broken rows", []Input{{Name: "a", Sparse: true, Shape: shape("T", 3)}},
			map[string]*Value{"a": Sparse(&CSR{Rows: 1, Cols: 3, Indptr: []int{0, 2},
				Index: []int32{1, 1}})}, nil,
			"error[D0125]: a is a sparse matrix whose columns do not rise within its width at row 0"},
		{"broken offsets", []Input{{Name: "a", Sparse: true, Shape: shape("T", 3)}},
			map[string]*Value{"a": Sparse(&CSR{Rows: 2, Cols: 3, Indptr: []int{0, 5, 1},
				Index: []int32{1}})}, nil,
			"error[D0125]: a is a sparse matrix with row offsets that fall at row 0"},
		{"a value that is no input", []Input{{Name: "alpha", Shape: shape("T")}},
			map[string]*Value{"alpha": v(1), "alpa": v(1)}, nil,
			"error[D0113]: alpa is not an input of the model\n  note: did you mean alpha?"},
		{"a size that is no dim", []Input{{Name: "a", Shape: shape("T")}},
			map[string]*Value{"a": v(1)}, map[string]int{"t": 1},
			"error[D0113]: t is not a dim of the model\n  note: did you mean T?"},
		{"a size below 0", nil, nil, map[string]int{"T": -1},
			"error[D0124]: the size of T is -1 by the size given for it, but a size is at least 0"},
	} {
		s := &Schema{Dims: []Dim{{Name: "T"}, {Name: "K", Default: &twenty}}, Inputs: c.inputs}
		if strings.Contains(fmt.Sprint(c.inputs), "[S]") {
			s.Dims = append(s.Dims, Dim{Name: "S"})
		}
		b, _, errs := Validate(s, c.values, c.dims, Options{})
		got := ""
		if errs != nil {
			got = errs[0].Error()
		} else {
			got = fmt.Sprint(b.Dims)
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestInference: sizes that only an index shows are inferred with a note.
func TestInference(t *testing.T) {
	s := &Schema{Dims: []Dim{{Name: "N"}, {Name: "J"}}, Inputs: []Input{
		{Name: "county", Kind: Index, Below: size.Dim("J"), From: 1, Shape: shape("N")},
		{Name: "other", Kind: Index, Below: size.Dim("J"), Shape: shape("N")}}}
	values := map[string]*Value{"county": Whole([]int{1, 4, 2}, 3),
		"other": Whole([]int{0, 5, 0}, 3)}
	b, notes := accept(t, s, values, nil, Options{})
	if b.Dims["J"] != 6 || len(notes) != 1 ||
		notes[0] != "J = 6, from the largest index of other; --set J=… says otherwise" {
		t.Errorf("J = %d, %q", b.Dims["J"], notes)
	}
	b, notes = accept(t, s, values, map[string]int{"J": 9}, Options{})
	if b.Dims["J"] != 9 || notes != nil {
		t.Errorf("J = %d, %q", b.Dims["J"], notes)
	}
}

// TestEnds: an interval's ends may be other inputs, in any order, or be left
// to a default, and are checked once that is there.
func TestEnds(t *testing.T) {
	s := &Schema{Inputs: []Input{
		{Name: "v", Kind: Interval, Lo: End{Name: "lo"}, Hi: End{Name: "hi"}, Shape: shape(2)},
		{Name: "lo", Kind: Real}, {Name: "hi", Kind: Real, Default: true}}}
	values := map[string]*Value{"v": Dense([]float64{1, 5}, 2), "lo": Scalar(0)}
	b, _ := accept(t, s, values, nil, Options{})
	b.Values["hi"] = Scalar(3)
	_, _, errs := Validate(s, b.Values, b.Dims, Options{})
	if len(errs) != 1 || errs[0].Error() !=
		"error[D0130]: v[1] is 5, but interval(lo, hi) is a number from 0 to 3" {
		t.Errorf("%v", errs)
	}
	b.Values["lo"], b.Values["hi"] = Scalar(9), Scalar(1)
	if _, _, errs = Validate(s, b.Values, b.Dims, Options{}); len(errs) != 1 ||
		errs[0].Code != "D0134" {
		t.Errorf("%v", errs)
	}
}

func TestAbsent(t *testing.T) {
	s := regression()
	b, _ := accept(t, s, map[string]*Value{"x": Dense([]float64{1, 2}, 2, 1)}, nil,
		Options{Absent: []string{"y"}})
	if want := map[string]int{"N": 2, "P": 1}; !reflect.DeepEqual(b.Dims, want) ||
		b.Values["y"] != nil || b.Values["scale"] != nil {
		t.Errorf("%v %v", b.Dims, b.Values)
	}
}

// TestKinds walks the table: each kind has its row, and each row a name.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := Real; k <= Hyperbolic; k++ {
		row := kinds[k]
		if row.name == "" || row.expect == "" || row.ok == nil || seen[row.name] {
			t.Errorf("kind %d: %+v", k, row.name)
		}
		seen[row.name] = true
	}
	if len(kinds) != int(Hyperbolic)+1 {
		t.Error("a row without a kind")
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, want string }{{"alpa", "alpha"}, {"Alpha", "alpha"},
		{"x", ""}, {"gama", "gamma"}, {"zzzz", ""}, {"", ""}} {
		if got := spelling.Nearest(c.name, []string{"alpha", "beta", "gamma"}); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	s := one(Input{Kind: Real, Shape: shape("N", 10)})
	v := Dense(make([]float64, 1_000_000), 100_000, 10)
	b.SetBytes(8_000_000)
	for b.Loop() {
		if _, _, errs := Validate(s, map[string]*Value{"v": v}, nil, Options{}); errs != nil {
			b.Fatal(errs[0])
		}
	}
}

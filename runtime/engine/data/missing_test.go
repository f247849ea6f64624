package data

import (
	"math"
	"strings"
	"testing"
)

// A missing entry needs a model: without one it is a mistake that says so, and
// a finished run has values for those of its own rows alone.
func TestMissing(t *testing.T) {
	hole := Dense([]float64{1, math.NaN(), math.NaN()}, 3)
	for _, c := range []struct {
		in    Input
		fixed map[string]int
		dim   int
		want  string
	}{
		{Input{Optional: true, Unknown: true}, nil, 2, ""},
		{Input{Optional: true}, nil, 0,
			"v[1] is missing (NaN), and the model has no statement v ~ …"},
		{Input{}, nil, 0, "v[1] is missing (NaN), but real has no missing values"},
		{Input{Optional: true, Unknown: true}, map[string]int{"v.missing": 5}, 0,
			"2 entries of v are missing: the run has values"},
	} {
		c.in.Kind, c.in.Shape = Real, shape("N")
		b, _, errs := Validate(one(c.in), map[string]*Value{"v": hole}, nil,
			Options{Fixed: c.fixed})
		if c.want == "" {
			if errs != nil || b.Dims["v.missing"] != c.dim {
				t.Errorf("%v: %v, want the dim %d", errs, b, c.dim)
			}
			continue
		}
		if len(errs) == 0 || !strings.Contains(errs[0].Message, c.want) {
			t.Errorf("errors %v, want %q", errs, c.want)
		}
	}
	in := Input{Kind: Real, Optional: true, Unknown: true, Shape: shape("N")}
	b, _, errs := Validate(one(in), map[string]*Value{"v": Dense([]float64{1, 2}, 2)}, nil,
		Options{Fixed: map[string]int{"v.missing": 5}})
	if errs != nil || b.Dims["v.missing"] != 5 {
		t.Errorf("complete rows for a run: %v", errs)
	}
}

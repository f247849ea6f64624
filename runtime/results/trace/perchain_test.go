package trace

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// TestPerChain: arrays with a part for each chain read back, before all chains
// have written too, through a store that was opened anew, exported and resized.
func TestPerChain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, []Variable{
		{Group: "posterior_moments", Name: "count", DType: Int64, Static: true, PerChain: true},
		{Group: "posterior_moments", Name: "w.mean", Dims: []string{"P"}, Shape: []int{3},
			Static: true, PerChain: true},
		{Group: "sample_stats", Name: "lp"},
	}, 2, 5, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.WritePerChain("posterior_moments", "w.mean", 1, []float64{4, 5, 6}))
	check(s.WritePerChain("posterior_moments", "count", 0, []float64{7}))
	check(s.WritePerChain("posterior_moments", "count", 1, []float64{8}))
	if s.WritePerChain("sample_stats", "lp", 0, []float64{1}) == nil ||
		s.WritePerChain("posterior_moments", "w.mean", 2, []float64{1, 2, 3}) == nil ||
		s.WriteStatic("posterior_moments", "w.mean", []float64{1, 2, 3}) == nil {
		t.Error("what is not by chain is written by chain")
	}
	for c := range 2 {
		a, err := s.Appender(c, 0)
		check(err)
		a.PutScalar(0, 1)
		check(a.Next())
		check(a.Close())
	}
	check(s.Close())
	check(Export(s, "zarr", Info{}, filepath.Join(t.TempDir(), "copy")))
	if s, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	v, ok := s.Lookup("posterior_moments", "w.mean")
	if !ok || !v.PerChain || !v.Static || !slices.Equal(v.Dims, []string{"P"}) ||
		!slices.Equal(v.Shape, []int{3}) || s.Chains() != 2 || s.Draws() != 1 {
		t.Errorf("%+v of %d chains", v, s.Chains())
	}
	a, err := s.Read("posterior_moments", "w.mean")
	check(err)
	if a.Chains != 2 || !slices.Equal(a.At(1, 0), []float64{4, 5, 6}) ||
		!math.IsNaN(a.At(0, 0)[1]) {
		t.Errorf("%+v", a)
	}
	part, err := s.ReadElements("posterior_moments", "w.mean", 1, 3)
	check(err)
	if !slices.Equal(part.At(1, 0), []float64{5, 6}) {
		t.Errorf("%+v", part)
	}
	counts, err := s.Read("posterior_moments", "count")
	check(err)
	if !slices.Equal(counts.Data, []float64{7, 8}) {
		t.Errorf("%+v", counts)
	}
}

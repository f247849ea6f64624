package trace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of a store in which one chain has no draws, readers of the chosen ones see those
// of the others, by their numbers, in every form of export.
func TestChosenChains(t *testing.T) {
	s := create(t, 3, 10, 4)
	if err := s.Add([]Variable{{Group: "sample_stats", Name: "mass", Shape: []int{2}, Static: true,
		PerChain: true}, {Group: "constants", Name: "k", Shape: []int{2}, Static: true}}); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteStatic("constants", "k", []float64{3, 4}); err != nil {
		t.Fatal(err)
	}
	for c, n := range []int{0, 10, 9} {
		a := appender(t, s, c, 0)
		put(t, s, a, c, n)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.WritePerChain("sample_stats", "mass", c, []float64{float64(c), 7}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Draws() != 9 {
		t.Errorf("the axis draw is cut to %d, want 9", s.Draws())
	}
	s, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range [][]int{{3}, {-1}, {1, 1}} {
		if s.Choose(wrong) == nil {
			t.Errorf("chains %v of 3 were chosen", wrong)
		}
	}
	if err := s.Choose([]int{1, 2}); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "copy.zarr")
	if err := Export(s, "zarr", Info{}, out); err != nil {
		t.Fatal(err)
	}
	written, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if damage := written.Verify(); len(damage.Problems) > 0 {
		t.Error(damage.Problems)
	}
	for _, x := range []*Store{s, written} {
		if n, err := x.Common(); n != 9 || err != nil || x.Chains() != 2 {
			t.Fatalf("%d chains of %d draws, %v", x.Chains(), n, err)
		}
		for i, v := range x.Variables() {
			a, err := x.Read(v.Group, v.Name)
			if err != nil {
				t.Fatal(err)
			}
			for k := range a.Chains {
				for d := range a.Draws {
					for e, got := range a.At(k, d) {
						want := value(i, k+1, d, e)
						switch v.Name {
						case "mass":
							want = []float64{float64(k + 1), 7}[e]
						case "k":
							want = []float64{3, 4}[e]
						}
						if got != want {
							t.Fatalf("%s of chain %d, draw %d: %g, want %g", v.Name, k, d, got, want)
						}
					}
				}
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(out, "posterior", "chain", "0"))
	if numbers := make([]float64, 2); err == nil {
		Int64.decode(numbers, b)
		if !slices.Equal(numbers, []float64{1, 2}) {
			t.Errorf("the coordinate chain is %v", numbers)
		}
	} else {
		t.Error(err)
	}
	base := filepath.Join(t.TempDir(), "x")
	for _, format := range []string{"csv", "stan-csv"} {
		if err := Export(s, format,
			Info{WarmupSeconds: []float64{1, 2, 3}, SamplingSeconds: []float64{1, 2, 3}},
			base); err != nil {
			t.Fatal(err)
		}
	}
	b, err = os.ReadFile(base)
	if text := string(b); err != nil || strings.Count(text, "\n1,") != 9 ||
		strings.Count(text, "\n2,") != 9 || strings.Contains(text, "\n0,") {
		t.Errorf("csv: %v\n%s", err, text)
	}
	b, err = os.ReadFile(base + "_3.csv")
	if text := string(b); err != nil || !strings.Contains(text, "# id = 3\n") ||
		!strings.Contains(text, " 3 seconds (Warm-up)") {
		t.Errorf("stan-csv: %v\n%s", err, text)
	}
	if got := Outputs(s, "stan-csv", base); !slices.Equal(got,
		[]string{base + "_2.csv", base + "_3.csv"}) {
		t.Errorf("stan-csv writes %v", got)
	}
}

package parquet

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestExport: draws that are exported are read back with their bits and the order
// of their columns, in several row groups.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	const chains, draws = 2, 700
	s, err := trace.Create(filepath.Join(dir, "draws.zarr"),
		[]trace.Variable{{Group: "posterior", Name: "w", Shape: []int{2, 6}},
			{Group: "posterior", Name: "mu"}, {Group: "sample_stats", Name: "lp"}}, chains, draws,
		100, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := func(column, chain, draw int) float64 {
		if column == 3 && draw == 5 {
			return math.Inf(-1)
		}
		return float64(column) + float64(chain)/3 + 100*float64(draw)
	}
	for c := range chains {
		a, err := s.Appender(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		for d := range draws {
			w := make([]float64, 12)
			for i := range w {
				w[i] = want(i, c, d)
			}
			if err := a.Append([][]float64{w, {want(12, c, d)}, {0}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "draws.parquet")
	if err := trace.Export(s, "parquet", trace.Info{}, out); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var all []int
	for i, c := range f.Columns() {
		names, all = append(names, c.Name), append(all, i)
	}
	if f.Rows() != chains*draws ||
		!slices.Equal(names, []string{"chain", "draw", "w[0,0]", "w[0,1]", "w[0,2]", "w[0,3]",
			"w[0,4]", "w[0,5]", "w[1,0]", "w[1,1]", "w[1,2]", "w[1,3]", "w[1,4]", "w[1,5]", "mu"}) {
		t.Fatalf("%d rows of %v", f.Rows(), names)
	}
	n := 0
	err = f.Read(all, nil, func(x [][]float64) error {
		for i := range x[0] {
			c, d := n/draws, n%draws
			if x[0][i] != float64(c) || x[1][i] != float64(d) {
				t.Fatalf("row %d is draw %v of chain %v", n, x[1][i], x[0][i])
			}
			for k := range 13 {
				if math.Float64bits(x[k+2][i]) != math.Float64bits(want(k, c, d)) {
					t.Fatalf("%s of draw %d of chain %d is %v, want %v", names[k+2], d, c,
						x[k+2][i], want(k, c, d))
				}
			}
			n++
		}
		return nil
	})
	if err != nil || n != chains*draws {
		t.Fatal(n, err)
	}
}

package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/a9a"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// A dataset is a9a, or simulated rows of its shape: binary features, stored by
// row and densely, and a label a row.
type dataset struct {
	name   string
	sparse *data.CSR
	dense  [][]float64 // rows of flat
	flat   []float64
	label  []bool
	y      []float64 // labels as 0 and 1
}

var load = sync.OnceValue(func() *dataset {
	return newDataset(a9a.Load(filepath.Join("..", "..", "shared")))
})

func newDataset(name string, x *data.CSR, label []bool) *dataset {
	d := &dataset{name: name, sparse: x, label: label, flat: x.Dense(x.Cols),
		y: make([]float64, x.Rows)}
	for i := range x.Rows {
		d.dense = append(d.dense, d.flat[i*x.Cols:(i+1)*x.Cols])
		if label[i] {
			d.y[i] = 1
		}
	}
	return d
}

// own is the same data in memory of its own, for a side of a comparison: 32 MB
// that one side has read are still in the cache for the next.
func (d *dataset) own() *dataset {
	x := *d.sparse
	x.Indptr, x.Index = slices.Clone(x.Indptr), slices.Clone(x.Index)
	return newDataset(d.name, &x, slices.Clone(d.label))
}

// TestMain says once which data a run of benchmarks is about, in the form of a
// configuration line that benchstat knows.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		fmt.Println("data:", load().name)
	}
	os.Exit(m.Run())
}

// Simulated rows have the shape of a9a, whichever of the two a run is about.
func TestSimulatedShape(t *testing.T) {
	x, y := a9a.Simulate()
	if x.Rows != 32561 || x.Cols != 123 || len(y) != x.Rows || len(x.Indptr) != x.Rows+1 {
		t.Errorf("%d rows of %d columns, %d labels", x.Rows, x.Cols, len(y))
	}
	if share := float64(len(x.Index)) / float64(x.Rows*x.Cols); share < 0.105 || share > 0.12 {
		t.Errorf("%.3f of all entries are 1", share)
	}
	for i := range x.Rows {
		if row := x.Index[x.Indptr[i]:x.Indptr[i+1]]; !slices.IsSorted(row) ||
			int(row[len(row)-1]) >= x.Cols {
			t.Fatalf("row %d has columns %v", i, row)
		}
	}
	if real := load(); real.name == "a9a" &&
		(real.sparse.Rows != x.Rows || real.sparse.Cols != x.Cols) {
		t.Errorf("a9a is %d × %d", real.sparse.Rows, real.sparse.Cols)
	}
}

package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
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
	name, x, label := "a9a", (*data.CSR)(nil), []bool(nil)
	if x, label = a9a(); x == nil {
		name = "simulated"
		x, label = simulate()
	}
	return newDataset(name, x, label)
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

// a9a reads the real data where there is a directory with it: $SGPPL_SHARED, or the directory
// shared next to the repository.
func a9a() (*data.CSR, []bool) {
	dir := os.Getenv("SGPPL_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	t, errs := format.ReadFile(filepath.Join(dir, "data", "a9a", "a9a.gz"))
	if len(errs) > 0 {
		return nil, nil
	}
	features, errs := t.Field("features")
	label, more := t.Field("label")
	if len(errs)+len(more) > 0 {
		return nil, nil
	}
	x := *features.CSR
	x.Open = false
	y := make([]bool, len(label.F64))
	for i, v := range label.F64 {
		y[i] = v > 0
	}
	return &x, y
}

// Sizes of the groups of columns of simulated rows, of which each row has one:
// 32,561 rows of 14 ones in 123 columns, as a9a's are 13.9.
var groups = []int{5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41}

func simulate() (*data.CSR, []bool) {
	const rows = 32561
	x := &data.CSR{Rows: rows, Indptr: make([]int, 1, rows+1)}
	for _, n := range groups {
		x.Cols += n
	}
	w := make([]float64, x.Cols)
	rng.New(2, 0, rng.Synthetic).Normals(0, w)
	src := rng.New(1, 0, rng.Synthetic).At(0)
	y := make([]bool, rows)
	for i := range y {
		a, first := -1.0, 0
		for _, n := range groups {
			// The first columns of a group are the frequent ones.
			c := first + int(src.Float64()*src.Float64()*float64(n))
			x.Index = append(x.Index, int32(c))
			a += w[c] / 2
			first += n
		}
		x.Indptr = append(x.Indptr, len(x.Index))
		y[i] = src.Float64() < special.Sigmoid(a)
	}
	return x, y
}

// Simulated rows have the shape of a9a, whichever of the two a run is about.
func TestSimulatedShape(t *testing.T) {
	x, y := simulate()
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

// Package a9a has the rows of the set a9a, or simulated rows of its shape, for what is timed.
package a9a

import (
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Load returns the rows of a9a where they are at hand, else simulated ones, with the name of what
// it returns: "a9a" or "simulated". Shared is the directory of the reference material, where
// the environment variable SGPPL_SHARED names no other.
func Load(shared string) (name string, x *data.CSR, label []bool) {
	if x, label = read(shared); x != nil {
		return "a9a", x, label
	}
	x, label = Simulate()
	return "simulated", x, label
}

// read returns nil where the file is not at hand.
func read(shared string) (*data.CSR, []bool) {
	if dir := os.Getenv("SGPPL_SHARED"); dir != "" {
		shared = dir
	}
	t, errs := format.ReadFile(filepath.Join(shared, "data", "a9a", "a9a.gz"))
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

// groups are the numbers of columns of the groups of simulated rows. A row has a 1 in one column
// of each: 32,561 rows of 14 ones in 123 columns, where a9a's rows have 13.9 ones.
var groups = []int{5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41}

// Simulate returns rows of the shape of a9a, with labels of a logistic regression.
func Simulate() (*data.CSR, []bool) {
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

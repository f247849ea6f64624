package bench

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Pixels that were read as bytes stay bytes where they are stored sparsely, and
// give the bits of those stored as numbers: in minibatches and in full passes, in
// both precisions, in the VM as in generated code, and without allocation.
func TestPixelsOfBytes(t *testing.T) {
	const rows = 1500
	im := loadImages().first(rows)
	names, networks := imageNetworksOf(t, im)
	level := new([256]float64)
	for i := range level {
		level[i] = float64(i) / 255
	}
	code := make([]uint8, 0, 784*rows)
	labels := make([]float64, rows)
	for i, row := range im.x {
		for _, v := range row {
			code = append(code, uint8(255*v+0.5))
		}
		labels[i] = float64(im.y[i])
	}
	for i, row := range im.x {
		for j := range row {
			if level[code[784*i+j]] != row[j] {
				t.Skip("the pictures are none of bytes")
			}
		}
	}
	for i, single := range []bool{true, false} {
		c := compile(t, pixelsModel)
		if single {
			if err := c.ToSingle(); err != nil {
				t.Fatal(err)
			}
		}
		x := &data.Value{Shape: []int{rows, 28, 28}, Bytes: &array.Bytes{Code: code, Level: level}}
		bound, _, errs := data.Validate(&c.Spec.Schema,
			map[string]*data.Value{"x": x, "y": data.Dense(labels, rows)}, nil, data.Options{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if bound.Values["x"].CSR.Bytes == nil {
			t.Error("bytes are numbers once they are sparse")
		}
		vm, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := networks[2*i]
		at := smallState(m.Dim())
		want, got := make([]float64, m.Dim()), make([]float64, m.Dim())
		compare := func(what string, e, f target.Evaluator, rows []int) {
			e.Gradient(at, rows, 600, 1, want)
			f.Gradient(at, rows, 600, 1, got)
			if !slices.Equal(want, got) {
				t.Errorf("%s, single %v: bytes and numbers have other bits, network %s", what,
					single, names[2*i])
			}
		}
		e, f := m.NewEvaluator(10), vm.NewEvaluator(10)
		compare("full pass", e, f, nil)
		compare("minibatch", e, f, []int{3, 1, 4, 1, 5, 9, 2, 6, 5, 3})
		compare("smaller", e, f, []int{rows - 1, 0})
		batch := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		k := 0
		if n := testing.AllocsPerRun(5, func() {
			for i := range batch {
				batch[i] = (batch[i] + 17*k) % rows
			}
			k++
			f.Gradient(at, batch, 1, 1, got)
		}); n != 0 {
			t.Errorf("single %v: %g allocations a gradient", single, n)
		}
	}
}

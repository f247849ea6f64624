package bench

import (
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// images are pictures of 28×28 of ten classes, as numbers from 0 to 1: the
// first 10,000 of MNIST where they are at hand, as a9a is, else made-up ones
// with as many black pixels.
type images struct {
	name  string
	x     [][]float64
	y     []int
	black float64 // the share of pixels that are 0
}

const manyImages = 10000

var loadImages = sync.OnceValue(func() *images {
	m := mnist()
	if m == nil {
		m = madeUp()
	}
	zero := 0
	for _, row := range m.x {
		for _, v := range row {
			if v == 0 {
				zero++
			}
		}
	}
	m.black = float64(zero) / float64(784*len(m.x))
	return m
})

// first are so many of them.
func (m *images) first(n int) *images { return &images{name: m.name, x: m.x[:n], y: m.y[:n]} }

// sparse are the pixels by row, without those that are black.
func (m *images) sparse() *data.CSR { return data.FromRows(m.x, 784) }

func mnist() *images {
	dir := os.Getenv("SGPPL_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	read := func(name, field string) *array.Bytes {
		t, errs := format.ReadFile(filepath.Join(dir, "data", "mnist", name))
		if len(errs) > 0 {
			return nil
		}
		v, errs := t.Field(field)
		if len(errs) > 0 {
			return nil
		}
		return v.Bytes
	}
	pixels, labels := read("train-images-idx3-ubyte.gz", "unit"),
		read("train-labels-idx1-ubyte.gz", "")
	if pixels == nil || labels == nil {
		return nil
	}
	m := &images{name: "mnist"}
	for i := range manyImages {
		row := make([]float64, 784)
		pixels.Widen(row, pixels.Code[784*i:][:784])
		m.x, m.y = append(m.x, row), append(m.y, int(labels.Code[i]))
	}
	return m
}

// madeUp are rows of strokes: runs of pixels, as 81 % of MNIST's are black and
// those that are not stand together.
func madeUp() *images {
	s := rng.New(1, 0, rng.Test)
	m := &images{name: "made up", y: make([]int, manyImages)}
	u := make([]float64, 3*28)
	for i := range manyImages {
		row := make([]float64, 784)
		s.Uniforms(uint64(i), u)
		for r := 3; r < 26; r++ { // one or two runs a line
			begin, end := 4+int(14*u[3*r]), 3+int(8*u[3*r+1])
			for c := begin; c < min(begin+end, 25); c++ {
				row[28*r+c] = math.Floor(64+191*u[3*r+2]) / 255
			}
		}
		m.x, m.y[i] = append(m.x, row), i%10
	}
	return m
}

package approximate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// An adam has the averages of Adam.
type adam struct {
	first, second []float64
	mean, square  float64 // powers of the two rates
}

// move goes up the gradient.
func (m *adam) move(x, grad []float64, step float64) {
	m.mean, m.square = float64(m.mean*adamMean), float64(m.square*adamSquare)
	a, b := 1-m.mean, 1-m.square
	for i, g := range grad {
		m.first[i] = float64(adamMean*m.first[i]) + float64((1-adamMean)*g)
		m.second[i] = float64(adamSquare*m.second[i]) + float64(float64((1-adamSquare)*g)*g)
		x[i] += step * (m.first[i] / a) / (math.Sqrt(m.second[i]/b) + adamFloor)
	}
}

// A history has the iterates of a level, in blocks of which the means are kept.
type history struct {
	n      int
	blocks [][]float64 // means of blocks of blockSize iterates
	sum    []float64   // of the block that is being filled
}

// blockSize is how many iterates a block has.
const blockSize = 20

func (h *history) add(x []float64) {
	if h.n%blockSize == 0 {
		h.sum = make([]float64, len(x))
	}
	kernel.Axpy(1/float64(blockSize), x, h.sum)
	if h.n++; h.n%blockSize == 0 {
		h.blocks = append(h.blocks, h.sum)
	}
}

// settled returns the mean of the later half of the iterates, and whether that half is stationary
// and its mean known to the error: by the R-hat and the errors of the means of blocks.
func (h *history) settled(
	tolerance float64, features func(params []float64) []float64,
) ([]float64, bool) {
	late := h.blocks[len(h.blocks)/2:]
	if len(late) == 0 {
		return h.sum, false
	}
	d, n := len(late[0]), float64(len(late))
	mean := make([]float64, d)
	for _, b := range late {
		kernel.Axpy(1/n, b, mean)
	}
	if len(late) < 5 {
		return mean, false
	}
	var w diagnose.Workspace
	series, known := make([]float64, len(late)), make([][]float64, len(late))
	for k, b := range late {
		known[k] = features(b)
	}
	for i := range known[0] {
		least, most := math.Inf(1), math.Inf(-1)
		for k, b := range known {
			series[k] = b[i]
			least, most = min(least, b[i]), max(most, b[i])
		}
		if most-least < tolerance { // whatever it does, it is known
			continue
		}
		chain := [][]float64{series}
		if !(w.RhatBasic(chain) < stationary) || !(w.MCSEMean(chain) < tolerance) {
			return mean, false
		}
	}
	return mean, true
}

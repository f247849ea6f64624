package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// projections is how many random directions stand for all where there are more
// coordinates than exactSizes.
const projections, exactSizes = 8, 64

// A measure computes what the sizes of rows come from: the sum over probes of
// ‖Lᵀ(∇ℓ_i(θ̂ + L z) − ∇ℓ_i(θ̂))‖², a row's part in the noise of a minibatch. Its size
// is the root of that.
type measure struct {
	probes [][]float64 // z
	rests  [][]float64 // the gradients of the prior at them, by z
	signs  [][]float64 // L applied to random signs, over √projections; nil where lengths are exact
}

// newMeasure prepares the probes.
func newMeasure(e *control.Estimator, probes [][]float64, stream rng.Stream) *measure {
	n := len(e.X)
	m := &measure{probes: probes}
	for _, z := range probes {
		e.White.Point(z, e.X)
		rest := make([]float64, n)
		e.Eval.Difference(e.X, e.Anchor.X, nothing, nil, 1, rest)
		m.rests = append(m.rests, rest)
	}
	if n <= exactSizes {
		return m
	}
	for k := range projections {
		s := make([]float64, n)
		src := stream.At(uint64(k))
		for i := range s {
			s[i] = 1 / math.Sqrt(projections)
			if src.Uint64()>>63 == 0 {
				s[i] = -s[i]
			}
		}
		e.White.Apply(s, s)
		m.signs = append(m.signs, s)
	}
	return m
}

var nothing = make([]int, 0, 1) // rows that are none, not all

// add adds the squares, over all probes, of the rows from … to.
func (m *measure) add(e *control.Estimator, from, to int, squares []float32) {
	n := len(e.X)
	sum := make([]float64, to-from)
	row, weight := []int{0}, []float64{1}
	pulled := make([]float64, n)
	for k, z := range m.probes {
		e.White.Point(z, e.X)
		for i := range sum {
			row[0] = from + i
			e.Eval.Difference(e.X, e.Anchor.X, row, weight, 1, e.Grad)
			for j, r := range m.rests[k] {
				e.Grad[j] -= r
			}
			if m.signs == nil {
				e.White.Pull(e.Grad, pulled)
				sum[i] += dot(pulled, pulled)
				continue
			}
			for _, s := range m.signs {
				x := dot(s, e.Grad)
				sum[i] += float64(x * x)
			}
		}
	}
	for i, s := range sum {
		squares[from+i] += float32(s)
	}
	e.Count += 2 * int64(len(m.probes)*(to-from))
}

// signProbes are states z whose entries are ±1: of normal ones, some coordinates
// would happen to be near 0 for all rows that they matter to.
func signProbes(n, count int, stream rng.Stream) [][]float64 {
	out := make([][]float64, count)
	for k := range out {
		out[k] = make([]float64, n)
		src := stream.At(uint64(k))
		for i := range out[k] {
			out[k][i] = 1
			if src.Uint64()>>63 == 0 {
				out[k][i] = -1
			}
		}
	}
	return out
}

package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// projections is the number of random directions that are used if there are more coordinates than
// exactSizes.
const projections, exactSizes = 8, 64

// A measure computes the squared sizes of rows: the sum over probes of ‖Lᵀ(∇ℓ_i(θ̂ + L z) −
// ∇ℓ_i(θ̂))‖², the row's contribution to the noise of a minibatch.
type measure struct {
	probes [][]float64 // the states z
	rests  [][]float64 // the gradients of the prior there, with respect to z
	// L times random signs, divided by √projections; nil if lengths are computed exactly
	signs [][]float64
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

var nothing = make([]int, 0, 1) // empty but not nil: no rows, instead of all

// add adds the squared sizes of the rows from … to, over all probes.
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

// signProbes returns states z with entries ±1. With normal entries, a coordinate would sometimes be
// near 0 at all probes, and rows that depend on it would be missed.
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

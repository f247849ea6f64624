package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// In a state with curved blocks, a metric applies to the flat coordinates. Chains move in z, x = L
// z, with L the identity on curved blocks, which keep the metric of their space. One step size
// suits all blocks where z has the same spread on flat and on curved ones, so L of flat blocks is
// divided by the spread of the curved ones.

// Flat reports whether all blocks are on R^n.
func Flat(factors []flow.Factor) bool {
	for i := range factors {
		if !factors[i].Flat {
			return false
		}
	}
	return true
}

// Curved reports, for each coordinate of a state, whether it is on a curved space; nil where none
// is.
func Curved(factors []flow.Factor) []bool {
	if Flat(factors) {
		return nil
	}
	var out []bool
	for i := range factors {
		f := &factors[i]
		for len(out) < f.Offset+f.Len {
			out = append(out, false)
		}
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			out[k] = !f.Flat
		}
	}
	return out
}

// CurvedSpread returns the standard deviation of curved blocks in a tangent direction, averaged
// over all of them.
func CurvedSpread(factors []flow.Factor, m *Covariance) float64 {
	sum, directions, stride := 0.0, 0.0, 1
	if m.Dense {
		stride = len(m.Mean) + 1
	}
	for i := range factors {
		f := &factors[i]
		if f.Flat {
			continue
		}
		directions += float64(f.Dim())
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			sum += m.M2[k*stride] / (m.N - 1)
		}
	}
	if s := math.Sqrt(sum / directions); s > 0 && special.Finite(s) {
		return s
	}
	return 1
}

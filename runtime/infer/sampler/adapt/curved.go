package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Of a state with curved blocks a metric is that of its flat coordinates: chains
// move in z, x = L z, with L the identity on the curved ones, which keep the
// metric of their space. A step then serves both where z has the same spread on
// flat and on curved blocks: L of a flat block is divided by the curved ones'.

// Flat reports whether all blocks are on R^n.
func Flat(factors []flow.Factor) bool {
	for i := range factors {
		if !factors[i].Flat {
			return false
		}
	}
	return true
}

// Curved says which coordinates of a state are on curved spaces; nil where none is.
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

// CurvedSpread is the deviation of curved blocks in a tangent direction, over all of them.
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

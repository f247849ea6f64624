package predictive

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Mean is the log of the mean of densities over draws, for many densities at
// once.
type Mean struct {
	n        int64
	top, sum []float64 // the largest logarithm, and Σ exp(l − top)
}

// NewMean starts without draws, for n densities.
func NewMean(n int) *Mean {
	m := &Mean{top: make([]float64, n), sum: make([]float64, n)}
	for i := range m.top {
		m.top[i] = math.Inf(-1)
	}
	return m
}

// Add takes the log densities at a draw.
func (m *Mean) Add(l []float64) {
	m.n++
	for i, x := range l {
		switch {
		case x <= m.top[i]:
			if !math.IsInf(x, -1) {
				m.sum[i] += special.Exp(x - m.top[i])
			}
		default: // NaN too, which stays
			m.sum[i] = float64(m.sum[i]*special.Exp(m.top[i]-x)) + 1
			m.top[i] = x
		}
	}
}

// Draws is their number.
func (m *Mean) Draws() int64 { return m.n }

// Log is the log of the i-th mean.
func (m *Mean) Log(i int) float64 {
	return m.top[i] + special.Log(m.sum[i]/float64(m.n))
}

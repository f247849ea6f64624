package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Covariance accumulates the mean and the covariance of states by Welford's recursion.
type Covariance struct {
	Dense bool
	N     float64
	Mean  []float64
	// sums of products of deviations: one per coordinate, or the lower triangle by rows if Dense
	M2 []float64
}

// NewCovariance returns an accumulator for states of n coordinates.
func NewCovariance(n int, dense bool) Covariance {
	c := Covariance{Dense: dense, Mean: make([]float64, n), M2: make([]float64, n)}
	if dense {
		c.M2 = make([]float64, n*n)
	}
	return c
}

// Reset forgets all states.
func (c *Covariance) Reset() {
	c.N = 0
	clear(c.Mean)
	clear(c.M2)
}

// Walk reads or writes the moments, for a checkpoint.
func (c *Covariance) Walk(d *loop.Codec) {
	d.Float(&c.N)
	d.Floats(c.Mean)
	d.Floats(c.M2)
}

// Add adds the state x. scratch is a buffer as long as x.
func (c *Covariance) Add(x, scratch []float64) {
	c.N++
	n := len(x)
	for i, a := range x {
		d := a - c.Mean[i]
		scratch[i] = d
		c.Mean[i] += d / c.N
	}
	if !c.Dense {
		for i, a := range x {
			c.M2[i] += float64(scratch[i] * (a - c.Mean[i]))
		}
		return
	}
	for i, a := range x {
		after := a - c.Mean[i]
		row := c.M2[i*n : i*n+i+1]
		for j := range row {
			row[j] += float64(after * scratch[j])
		}
	}
}

// An estimate from n states is shrunk towards a small multiple of the diagonal of the previous
// metric: it is n/(n+5) of the estimate plus 5/(n+5) of 1e-3 times that diagonal. The first time,
// when the metric is the identity, that is Stan's; later it follows the units of the coordinates,
// so that a deviation of 1e-3 is found as well as one of 1.
const (
	shrinkage = 5
	smallest  = 1e-3
)

// Estimate makes M⁻¹ the shrunk covariance. The metric does not change where the result is not
// finite or, by rounding, not positive definite.
func (m *Metric) Estimate(c *Covariance) {
	if c.N < 2 {
		return
	}
	keep := c.N / ((c.N + shrinkage) * (c.N - 1))
	floor := smallest * shrinkage / (c.N + shrinkage)
	if m.L != nil {
		m.estimateDense(c, keep, floor)
		return
	}
	for i, v := range c.M2 {
		if s := math.Sqrt(float64(keep*v) +
			float64(floor*float64(m.SD[i]*m.SD[i]))); special.Finite(s) {
			m.SD[i] = s
		}
	}
}

// estimateDense computes the Cholesky factor row by row, in the memory of c.
func (m *Metric) estimateDense(c *Covariance, keep, floor float64) {
	n, a := m.N, c.M2
	for i := range n {
		before := 0.0
		for j, l := range m.L[i*n : i*n+i+1] {
			before += float64(l * l)
			a[i*n+j] *= keep
		}
		a[i*n+i] += float64(floor * before)
	}
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= float64(a[i*n+k] * a[j*n+k])
			}
			if i > j {
				a[i*n+j] = sum / a[j*n+j]
				continue
			}
			if !(sum > 0 && special.Finite(sum)) {
				return
			}
			a[i*n+i] = math.Sqrt(sum)
		}
	}
	copy(m.L, a)
}

package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A covariance gathers the moments of x by Welford's recursion.
type covariance struct {
	dense bool
	n     float64
	mean  []float64
	m2    []float64 // sums of products of deviations: by coordinate, or the lower triangle by rows
}

func newCovariance(n int, dense bool) covariance {
	c := covariance{dense: dense, mean: make([]float64, n), m2: make([]float64, n)}
	if dense {
		c.m2 = make([]float64, n*n)
	}
	return c
}

func (c *covariance) reset() {
	c.n = 0
	clear(c.mean)
	clear(c.m2)
}

func (c *covariance) walk(d *loop.Codec) {
	d.Float(&c.n)
	d.Floats(c.mean)
	d.Floats(c.m2)
}

// add takes x; scratch has its length.
func (c *covariance) add(x, scratch []float64) {
	c.n++
	n := len(x)
	for i, a := range x {
		d := a - c.mean[i]
		scratch[i] = d
		c.mean[i] += d / c.n
	}
	if !c.dense {
		for i, a := range x {
			c.m2[i] += float64(scratch[i] * (a - c.mean[i]))
		}
		return
	}
	for i, a := range x {
		after := a - c.mean[i]
		row := c.m2[i*n : i*n+i+1]
		for j := range row {
			row[j] += float64(after * scratch[j])
		}
	}
}

// Shrinkage of an estimate from n states towards a small part of the metric's
// diagonal before it: n/(n+5) of it and 5/(n+5) of 1e-3. The first time, when
// the metric is the identity, that is Stan's; later it follows the units of the
// coordinates, so that a deviation of 1e-3 is found as well as one of 1.
const (
	shrinkage = 5
	smallest  = 1e-3
)

// estimate makes M⁻¹ the shrunk covariance. Where that is not finite or, by
// rounding, not positive, the metric stays as it was.
func (m *metric) estimate(c *covariance) {
	if c.n < 2 {
		return
	}
	keep := c.n / ((c.n + shrinkage) * (c.n - 1))
	floor := smallest * shrinkage / (c.n + shrinkage)
	if m.l != nil {
		m.estimateDense(c, keep, floor)
		return
	}
	for i, v := range c.m2 {
		if s := math.Sqrt(float64(keep*v) + float64(floor*float64(m.sd[i]*m.sd[i]))); special.Finite(s) {
			m.sd[i] = s
		}
	}
}

// estimateDense is the Cholesky factor, row by row, over c's own numbers.
func (m *metric) estimateDense(c *covariance, keep, floor float64) {
	n, a := m.n, c.m2
	for i := range n {
		before := 0.0
		for j, l := range m.l[i*n : i*n+i+1] {
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
	copy(m.l, a)
}

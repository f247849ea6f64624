package whitening

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// covarianceOf returns the covariance of states about their mean, d × d by rows.
func covarianceOf(states [][]float64, mean []float64) []float64 {
	d, n := len(mean), float64(len(states))
	cov, dev := make([]float64, d*d), make([]float64, d)
	for _, z := range states {
		for i, x := range z {
			dev[i] = x - mean[i]
		}
		for i, x := range dev {
			for j := range i + 1 {
				cov[i*d+j] += float64(x*dev[j]) / (n - 1)
			}
		}
	}
	for i := range d {
		for j := range i {
			cov[j*d+i] = cov[i*d+j]
		}
	}
	return cov
}

// AdaptDense scales a triangular L by the covariance of states if its information exceeds its
// noise, or if wanted is true. It reports whether it did.
func (w *Map) AdaptDense(states [][]float64, mean []float64, effective float64, wanted bool) bool {
	d := len(mean)
	cov := covarianceOf(states, mean)
	if !wanted && !outlies(cov, d, effective) {
		return false
	}
	a := effective / (effective + float64(d) + 5)
	for i := range cov {
		cov[i] *= a
	}
	for i := range d {
		cov[i*d+i] += 1 - a
	}
	c, ok := Factor(cov, d)
	if ok {
		w.Compose(c)
	}
	return ok
}

// outlies reports whether an eigenvalue of a covariance, estimated from this many effective states,
// is further from 1 than chance explains.
func outlies(cov []float64, d int, effective float64) bool {
	least, most := extremes(cov, d)
	edge := math.Sqrt(float64(d) / effective)
	return most > 1.3*(1+edge)*(1+edge) || edge < 1 && least < (1-edge)*(1-edge)/1.3
}

// AdaptDiagonal is AdaptDense for a diagonal L, by variances alone. Each variance is an average
// over the effective states, whatever d is, so few states are enough.
func (w *Map) AdaptDiagonal(
	states [][]float64, mean []float64, effective float64, wanted bool,
) bool {
	d, n := len(mean), float64(len(states))
	variance := make([]float64, d)
	for _, z := range states {
		for i, x := range z {
			dev := x - mean[i]
			variance[i] += float64(dev*dev) / (n - 1)
		}
	}
	// The largest deviation from 1 of d variances, in units of their errors, that chance explains.
	edge := 1.3 * math.Sqrt(2/effective) * math.Sqrt(2*special.Log(float64(d)+1))
	for _, v := range variance {
		wanted = wanted || math.Abs(v-1) > edge
	}
	if !wanted {
		return false
	}
	a := effective / (effective + 5)
	for i, v := range variance {
		w.Diag[i] *= math.Sqrt(float64(a*v) + (1 - a))
	}
	return true
}

// extremes returns the smallest and the largest eigenvalue of a symmetric matrix.
func extremes(a []float64, d int) (least, most float64) {
	out := make([]float64, (d+2)*d)
	kernel.EigenSym(out, a, 1, d)
	return out[0], out[d-1]
}

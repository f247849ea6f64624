// Package exchange has the parts of replica exchange between a posterior and a reference law: the
// law, targets between the two, the ladder of temperatures, and the evidence along it.
//
// A replica at the inverse temperature β has the law q^(1−β) p^β, with the density p of the
// posterior and a reference law q from which independent draws are taken. Neighbours in the ladder
// swap their states by a Metropolis test, in even and odd pairs by turns: non-reversible parallel
// tempering (Syed, Bouchard-Côté, Deligiannidis and Doucet 2022, "Non-reversible parallel
// tempering: a scalable highly parallel MCMC scheme").
package exchange

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

const (
	leastWidth = 2 // standard deviation of a coordinate under the reference law
	startWidth = 2 // standard deviations under the reference law, in those of starting points
)

// A Reference is the law at β = 0: normal in the coordinates of R^n, uniform on compact spaces.
type Reference struct {
	spaces   []manifold.Factor
	mean, sd []float64 // 0 on curved spaces
	log      float64   // logarithm of the normal law's constant
}

// NewReference returns the standard normal law, and the uniform law on curved spaces, of a state of
// so many coordinates.
func NewReference(spaces []manifold.Factor, dim int) *Reference {
	return &Reference{spaces: spaces, mean: make([]float64, dim), sd: make([]float64, dim)}
}

// Fit sets the normal law by starting points: it has their means and twice their standard
// deviations, but at least 2.
func (r *Reference) Fit(points [][]float64) {
	r.each(func(i int) {
		mean, square := 0.0, 0.0
		for k, x := range points { // Welford's sums
			before := x[i] - mean
			mean += before / float64(k+1)
			square += float64(before * (x[i] - mean))
		}
		r.mean[i] = mean
		r.sd[i] = max(startWidth*math.Sqrt(square/float64(max(len(points)-1, 1))), leastWidth)
	})
	r.norm()
}

// norm sets the constant.
func (r *Reference) norm() {
	r.log = 0
	r.each(func(i int) { r.log -= special.Log(r.sd[i]) + halfLogTwoPi })
}

const halfLogTwoPi = 0.91893853320467274178032973640562

// each calls do for the coordinates of R^n.
func (r *Reference) each(do func(i int)) {
	for k := range r.spaces {
		f := &r.spaces[k]
		if !f.Flat {
			continue
		}
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			do(i)
		}
	}
}

// Normed reports whether the density is that of a probability law: on curved spaces it is 1.
func (r *Reference) Normed() bool {
	for k := range r.spaces {
		if !r.spaces[k].Flat {
			return false
		}
	}
	return true
}

// Draw writes a draw.
func (r *Reference) Draw(src *rng.Source, x []float64) {
	for k := range r.spaces {
		f := &r.spaces[k]
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			if !f.Flat {
				f.Space.RandomPoint(src, 0, x[at:at+m])
				continue
			}
			for i := at; i < at+m; i++ {
				x[i] = r.mean[i] + float64(r.sd[i]*src.Normal())
			}
		}
	}
}

// Log returns the log density.
func (r *Reference) Log(x []float64) float64 {
	sum := r.log
	for k := range r.spaces {
		f := &r.spaces[k]
		if !f.Flat {
			continue
		}
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			u := (x[i] - r.mean[i]) / r.sd[i]
			sum -= float64(float64(u*u) / 2)
		}
	}
	return sum
}

// pull adds a multiple of the gradient of the log density to grad.
func (r *Reference) pull(by float64, x, grad []float64) {
	for k := range r.spaces {
		f := &r.spaces[k]
		if !f.Flat {
			continue
		}
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			grad[i] -= by * (x[i] - r.mean[i]) / float64(r.sd[i]*r.sd[i])
		}
	}
}

// Walk reads or writes the law, for a checkpoint.
func (r *Reference) Walk(d *loop.Codec) {
	d.Floats(r.mean)
	d.Floats(r.sd)
	d.Float(&r.log)
}

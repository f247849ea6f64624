package tall

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Noise is the variance of a minibatch's gradient with respect to z, over minibatches at a fixed
// state. It grows with the distance from the anchor, which is at z = 0:
//
//	V(z) = s Matrix + Radial z zᵀ,          s = ‖z‖²/Square, or
//	V(z)_jj = (1 − Own) s Diag_j + Own Diag_j z_j² d/Square
//
// the latter for more coordinates than denseNoise. With Square 0 it is Matrix, or Diag, everywhere.
type Noise struct {
	Matrix []float64 // d × d by rows; nil if only the diagonal is known
	Diag   []float64 // the diagonal
	Square float64   // the ‖z‖² at which it was measured
	Radial float64   // additional variance in the direction of z, per ‖z‖²
	Own    float64   // the share of a coordinate's noise that grows with that coordinate alone
}

// scaled returns the noise multiplied by a number.
func (v *Noise) scaled(by float64) *Noise {
	out := *v
	out.Matrix, out.Diag = append([]float64(nil), v.Matrix...), append([]float64(nil), v.Diag...)
	for i := range out.Matrix {
		out.Matrix[i] *= by
	}
	for i := range out.Diag {
		out.Diag[i] *= by
	}
	out.Radial *= by
	return &out
}

// A kick is the random part of a step of size h: v ← c v + F ξ, where F Fᵀ is the variance that the
// friction requires minus the variance that the noise of the gradient adds,
//
//	F Fᵀ = (1 − c²) I − (1 + c)² h² V(z) / 4,  c = e^{−D h}.
//
// The noise enters a step once, as (1 + c)(h/2) times the gradient's error, and z is
// where the gradient was taken; so the chain has the law of one without noise where the
// errors are Gaussian with variance V(z) (Matthews and Weare 2018, for the principle).
type kick struct {
	h, c    float64
	noise   *Noise
	room    float64   // 1 − c², the variance that the friction requires
	by      float64   // (1 + c)² h²/4
	values  []float64 // eigenvalues of the noise's matrix
	vectors []float64 // its eigenvectors, by columns; nil where it is diagonal
	a, u    []float64 // buffers
}

// leastRoom is the share of the random kick that remains at states where the noise would exceed it:
// far out in the tails, where a chain is only for a few steps.
const leastRoom = 0.02

// newKick makes the kick of a step. It fails if, at a typical distance from the anchor, the noise
// exceeds the variance that the friction requires.
func newKick(h, friction float64, v *Noise) (*kick, error) {
	c := special.Exp(-friction * h)
	n := len(v.Diag)
	k := &kick{h: h, c: c, noise: v, room: 1 - float64(c*c), by: (1 + c) * (1 + c) * h * h / 4,
		values: v.Diag, a: make([]float64, n), u: make([]float64, n)}
	if v.Matrix != nil {
		out := make([]float64, (n+2)*n)
		kernel.EigenSym(out, v.Matrix, 1, n)
		k.values, k.vectors = out[:n], out[n:(n+1)*n]
	}
	for _, x := range k.values {
		if !(k.room-float64(k.by*x) > 0) {
			return nil, &Refusal{fmt.Sprintf("the noise of the minibatches is more than a "+
				"friction of %g can hide at a step of %g", friction, h)}
		}
	}
	return k, nil
}

// turn sets v ← c v + F ξ, with the noise at z.
func (k *kick) turn(v, xi, z []float64) {
	s, least := 1.0, leastRoom*k.room
	n := k.noise
	d := float64(len(v))
	if n.Square > 0 {
		s = dot(z, z) / n.Square
	}
	if k.vectors == nil {
		for i, x := range k.values {
			grow := s
			if n.Square > 0 {
				grow = float64((1-n.Own)*s) + n.Own*d*z[i]*z[i]/n.Square
			}
			left := max(k.room-float64(k.by*grow*x), least)
			v[i] = float64(k.c*v[i]) + float64(math.Sqrt(left)*xi[i])
		}
		return
	}
	for i, x := range k.values {
		k.a[i] = math.Sqrt(max(k.room-float64(k.by*s*x), least))
	}
	if n.Radial > 0 && n.Square > 0 {
		k.alongZ(xi, z)
	}
	for i, x := range xi {
		k.u[i] = float64(k.a[i] * x)
	}
	m := len(v)
	for i := range v {
		v[i] = float64(k.c*v[i]) + dot(k.vectors[i*m:(i+1)*m], k.u)
	}
}

// alongZ reduces ξ along the direction of z, since the noise is larger there by Radial ‖z‖². With A
// the kick's variance without that term, and u = A^{−1/2} z,
//
//	A − b z zᵀ = A^{1/2} (I − (1 − √(1 − b‖u‖²)) u uᵀ/‖u‖²)² A^{1/2}.
//
// Vectors are in the coordinates of the eigenvectors.
func (k *kick) alongZ(xi, z []float64) {
	m := len(z)
	clear(k.u)
	for i, x := range z {
		for j, q := range k.vectors[i*m : (i+1)*m] {
			k.u[j] += float64(q * x)
		}
	}
	for i := range k.u {
		k.u[i] /= k.a[i]
	}
	square := dot(k.u, k.u)
	if !(square > 0) {
		return
	}
	theta := 1 - math.Sqrt(max(1-float64(k.by*k.noise.Radial*square), leastRoom))
	by := theta * dot(k.u, xi) / square
	for i, u := range k.u {
		xi[i] -= float64(by * u)
	}
}

// forChain returns a copy of the kick with separate buffers, since chains run concurrently.
func (k *kick) forChain() *kick {
	out := *k
	out.a, out.u = make([]float64, len(k.a)), make([]float64, len(k.u))
	return &out
}

package tall

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/loop"
)

// A Noise is the variance of the gradient of a minibatch by z, over minibatches at
// one state.
type Noise struct {
	Matrix []float64 // d × d by rows; nil where only the diagonal is known
	Diag   []float64 // its diagonal
}

// scaled returns the noise times a number.
func (v *Noise) scaled(by float64) *Noise {
	out := &Noise{append([]float64(nil), v.Matrix...), append([]float64(nil), v.Diag...)}
	for i := range out.Matrix {
		out.Matrix[i] *= by
	}
	for i := range out.Diag {
		out.Diag[i] *= by
	}
	return out
}

// A kick is the random part of a step of size h: v ← c v + F ξ, where F Fᵀ is
// the variance that friction asks for less the variance that the noise of the
// gradient adds,
//
//	F Fᵀ = (1 − c²) I − (1 + c)² h² V / 4,  c = e^{−D h}.
//
// The noise enters a step once, as (1 + c)(h/2) times the gradient's error, so the
// chain has the law of one without noise where the errors are Gaussian with
// variance V (Matthews and Weare 2018, for the principle).
type kick struct {
	h, c   float64
	factor []float64 // F, a lower triangle by rows; nil where diagonal
	diag   []float64 // the diagonal F
}

// newKick makes the kick of a step. It fails where the noise is more than the
// friction can hide.
func newKick(h, friction float64, v *Noise) (*kick, error) {
	k := &kick{h: h, c: math.Exp(-friction * h)}
	n := len(v.Diag)
	room := 1 - k.c*k.c
	by := (1 + k.c) * (1 + k.c) * h * h / 4
	none := func() error {
		return fmt.Errorf("the noise of the minibatches is more than a friction of %g can hide at a step of %g", friction, h)
	}
	if v.Matrix == nil {
		k.diag = make([]float64, n)
		for i, x := range v.Diag {
			left := room - by*x
			if !(left > 0) {
				return nil, none()
			}
			k.diag[i] = math.Sqrt(left)
		}
		return k, nil
	}
	a := make([]float64, n*n)
	for i, x := range v.Matrix {
		a[i] = -by * x
	}
	for i := range n {
		a[i*n+i] += room
	}
	var ok bool
	if k.factor, ok = factor(a, n); !ok {
		return nil, none()
	}
	return k, nil
}

// turn writes v ← c v + F ξ.
func (k *kick) turn(v, xi []float64) {
	if k.factor == nil {
		for i, f := range k.diag {
			v[i] = float64(k.c*v[i]) + float64(f*xi[i])
		}
		return
	}
	n := len(v)
	for i := range v {
		sum := float64(k.c * v[i])
		for j, f := range k.factor[i*n : i*n+i+1] {
			sum += float64(f * xi[j])
		}
		v[i] = sum
	}
}

// A walker is a point with its velocity in whitened coordinates.
type walker struct {
	z, v, g []float64
}

func newWalker(n int) *walker {
	return &walker{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// step takes a step: half a drift, half a push by the gradient, the kick, the
// other half of the push by the same gradient, half a drift. At its end z has the
// exact variance on a Gaussian, for every stable step.
func (w *walker) step(k *kick, e *estimator, b *Batch, xi []float64) {
	half := k.h / 2
	for i, v := range w.v {
		w.z[i] += float64(half * v)
	}
	e.of(w.z, b, w.g)
	for i, g := range w.g {
		w.v[i] += float64(half * g)
	}
	k.turn(w.v, xi)
	for i, g := range w.g {
		v := w.v[i] + float64(half*g)
		w.v[i] = v
		w.z[i] += float64(half * v)
	}
}

func (w *walker) walk(d *loop.Codec) {
	d.Floats(w.z)
	d.Floats(w.v)
}

// finite says whether the state is a number.
func (w *walker) finite() bool {
	sum := 0.0
	for i, z := range w.z {
		sum += z - z + (w.v[i] - w.v[i])
	}
	return sum == 0
}

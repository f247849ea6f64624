package tall

import (
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
)

// A walker is a point with its velocity in whitened coordinates.
type walker struct {
	z, v, g []float64
}

func newWalker(n int) *walker {
	return &walker{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// step takes a step: half a drift, half a push by the gradient, the kick, the
// other half of the push by the same gradient, half a drift. At its end z has the
// exact variance on a Gaussian, for every stable step. It changes xi.
func (w *walker) step(k *kick, e *control.Estimator, b *control.Batch, xi []float64) {
	half := k.h / 2
	for i, v := range w.v {
		w.z[i] += float64(half * v)
	}
	e.Of(w.z, b, w.g)
	for i, g := range w.g {
		w.v[i] += float64(half * g)
	}
	k.turn(w.v, xi, w.z)
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

// finite reports whether the state is a number.
func (w *walker) finite() bool {
	sum := 0.0
	for i, z := range w.z {
		sum += z - z + (w.v[i] - w.v[i])
	}
	return sum == 0
}

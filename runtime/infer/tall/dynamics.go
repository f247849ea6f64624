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

// step takes a step: half a drift, half a kick by the gradient, the random kick, the other half of
// the kick by the same gradient, half a drift. On a Gaussian z has the exact variance at its end,
// for every stable step. It overwrites xi.
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

// finite reports whether all numbers of the state are finite.
func (w *walker) finite() bool {
	sum := 0.0
	for i, z := range w.z {
		sum += z - z + (w.v[i] - w.v[i])
	}
	return sum == 0
}

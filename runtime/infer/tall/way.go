package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A way is a path from one state to another. It is straight on R^n; on curved spaces it turns
// evenly, and on a sphere it is the arc of a great circle.
type way struct {
	x, y, out []float64
	charts    *chart.Evaluator // about y; nil on R^n
	from, u   []float64        // coordinates of x, and of a state on the path
}

// newWay returns the path from x to y; false if there is none, as between the two components of an
// orthogonal group.
func newWay(t target.Target, x, y []float64) (*way, bool) {
	w := &way{x: x, y: y, out: make([]float64, len(x))}
	if !chart.Curved(t) {
		return w, true
	}
	of := chart.About(t, y)
	w.charts = of.On(nil)
	w.from, w.u = make([]float64, of.Dim()), make([]float64, of.Dim())
	if w.charts.Coordinates(x, w.from) {
		return w, true
	}
	// For a point opposite to its end, or with columns of the other sign, all directions are equally
	// good. From a slightly moved point the path is about as long.
	const aside = 0.03
	beside := append([]float64(nil), x...)
	src := rng.New(1, 0, purposeStart).At(0)
	for i := range w.charts.Of.Factors {
		f := &w.charts.Of.Factors[i]
		m := f.Space.Ambient()
		for at := f.Offset; !f.Flat && at < f.Offset+f.Len; at += m {
			v := make([]float64, m)
			f.Space.RandomTangent(&src, beside[at:at+m], v)
			normalise(v)
			f.Space.Flow(beside[at:at+m], v, aside)
		}
	}
	return w, w.charts.Coordinates(beside, w.from)
}

// at returns the state at a share of the path, 0 at x and 1 at y. The next call overwrites it.
func (w *way) at(part float64) []float64 {
	if w.charts == nil {
		for i := range w.out {
			w.out[i] = w.x[i] + float64(part*(w.y[i]-w.x[i]))
		}
		return w.out
	}
	at := 0
	for i := range w.charts.Of.Factors {
		f := &w.charts.Of.Factors[i]
		if f.Flat {
			for j := range f.Len {
				from := w.from[at+j]
				w.u[at+j] = from + float64(part*(w.y[f.Offset+j]-from))
			}
			at += f.Len
			continue
		}
		d := f.Space.Dim()
		for range f.Points {
			from := w.from[at : at+d]
			by := 1 - part
			if r := math.Sqrt(dot(from, from)); r > 0 { // a turn by 2 atan r
				by = special.Tan((1-part)*special.Atan(r)) / r
			}
			for j, x := range from {
				w.u[at+j] = by * x
			}
			at += d
		}
	}
	w.charts.Move(w.u)
	return w.charts.Point
}

package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Rows with kinks, as of a double exponential law or of a hinge loss, have a second derivative that
// is 0 except at single points, which finite differences of gradients over short distances miss.
// Yet the sum of many rows is curved over longer distances, of the width of the posterior of the
// rows in the sum.

// kinkedStep is the distance between the gradients of a finite difference on m of n such rows, in
// standard deviations of the posterior of all rows: one standard deviation of the posterior of m
// rows.
func kinkedStep(n, m int) float64 { return math.Sqrt(max(float64(n)/float64(m), 1)) }

const (
	kinkRows  = 1000 // rows in which kinks are looked for
	kinkLooks = 8    // coordinates in which kinks are looked for
	kinkTurns = 24   // most iterations of the search for the scale of a coordinate
	// kinkShare is a ratio of curvatures over a short and a usual distance; below it there are kinks.
	kinkShare = 0.2
	kinkNear  = 1e-4 // the short distance, in units of the usual one
	// kinkProbes is the number of states at which the sizes of rows with kinks are measured. Such a
	// row has a size only at states beyond its kink, and gets a large weight if that was missed.
	kinkProbes = 48
)

// firstProbes returns the states at which sizes of rows are measured first.
func (w *workshop) firstProbes(d int) [][]float64 {
	out := signProbes(d, 4, w.stream(purposeProbe))
	if w.kinked {
		normals := w.stream(purposeProbe)
		for i := range kinkProbes {
			z := make([]float64, d)
			normals.Normals(uint64(i), z)
			out = append(out, further(z, i))
		}
	}
	return out
}

// probesOf returns the states of a walk at which sizes of rows are measured.
func (w *workshop) probesOf(kept visited) [][]float64 {
	if w.kinked {
		out := kept.spread(kinkProbes)
		for i, z := range out {
			out[i] = further(z, i)
		}
		return out
	}
	return kept.spread(4)
}

// further moves every other state to twice its distance from the centre. A chain that reaches rows
// whose sizes were missed has much noise there, and goes further out.
func further(z []float64, i int) []float64 {
	if i%2 == 0 {
		return z
	}
	out := make([]float64, len(z))
	for j, x := range z {
		out[j] = 2 * x
	}
	return out
}

// kinks reports whether the rows of b have kinks at z = 0. The coordinates may have any scale.
func (h *hessian) kinks() bool {
	d := len(h.at)
	was := h.by
	defer func() { h.by = was }()
	for k := range min(kinkLooks, d) {
		j := k * d / min(kinkLooks, d)
		h.by = smoothStep
		near := h.bendOf(j)
		h.by = smoothStep / 2
		if half := h.bendOf(j); near > 0 && math.Abs(half-near) < 0.05*near {
			continue // smooth
		}
		scale, bend := h.scaleOf(j)
		if !(scale > 0) {
			continue
		}
		h.by = kinkNear * scale
		if h.bendOf(j) < kinkShare*bend {
			return true
		}
	}
	return false
}

// bendOf returns minus the second derivative with respect to coordinate j, over the present
// distance.
func (h *hessian) bendOf(j int) float64 {
	d := len(h.at)
	z, u, out := make([]float64, d), make([]float64, d), make([]float64, d)
	u[j] = 1
	h.along(z, u, out)
	return out[j]
}

// scaleOf returns the distance over which the gradient of the log density changes by as much as
// that of the rows of b does over one standard deviation of the posterior of these rows, and the
// change there. It returns 0 if no such distance exists.
func (h *hessian) scaleOf(j int) (scale, bend float64) {
	want := kinkedStep(h.e.All, len(h.b.Rows))
	h.by = smoothStep
	for range kinkTurns {
		bend = h.bendOf(j)
		switch drop := h.by * h.by * bend / (want * want); {
		case !special.Finite(bend):
			return 0, 0
		case drop > 4:
			h.by /= 4
		case !(drop > 0.25):
			h.by *= 4
		default:
			return h.by, bend
		}
	}
	return 0, 0
}

// adaptToKinks scales the coordinates, one by one, so that the second derivative at the mean is
// near −1 over the distances at which the sum of rows with kinks is curved.
func adaptToKinks(w *whitening.Map, e *control.Estimator, b *control.Batch) {
	h := newHessian(e, b)
	scales := make([]float64, len(w.Mean))
	for j := range scales {
		scales[j] = 1
		if s, bend := h.scaleOf(j); s > 0 {
			scales[j] = 1 / math.Sqrt(bend)
		}
	}
	if w.Chol == nil {
		for j, s := range scales {
			w.Diag[j] *= s
		}
		return
	}
	d := len(scales)
	c := make([]float64, d*d)
	for j, s := range scales {
		c[j*d+j] = s
	}
	w.Compose(c)
}

package tall

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

// A charted target has the coordinates of charts about a middle in the place of points of
// curved spaces. All charts leave out is a null set, and their Jacobians are in the
// density, so its law is that of the posterior.
type charted struct {
	target.Target
	middle  []float64 // a state of Target
	factors []manifold.Factor
	dim     int
}

// chart returns the target, one with curved blocks, in charts about a state.
func chart(t target.Target, middle []float64) *charted {
	factors, _ := manifold.Product(t.Blocks(), t.Dim()) // without an error: see Curved
	out := &charted{Target: t, middle: slices.Clone(middle), factors: factors}
	for i := range factors {
		out.dim += factors[i].Dim()
	}
	return out
}

// Curved says whether a block of the target lives on a curved space.
func Curved(t target.Target) bool {
	f, err := manifold.Product(t.Blocks(), t.Dim())
	return err == nil && slices.ContainsFunc(f, func(f manifold.Factor) bool { return !f.Flat })
}

// dimOf is how many unknowns the state of a target has, which on curved spaces are fewer
// than its numbers.
func dimOf(t target.Target) int {
	if !Curved(t) {
		return t.Dim()
	}
	return chart(t, make([]float64, t.Dim())).dim
}

// stateLen is the length of the state of a target without charts.
func stateLen(t target.Target) int {
	if c, ok := t.(*charted); ok {
		return c.Target.Dim()
	}
	return t.Dim()
}

// outside is an evaluator without charts, and the state at x, which the next use of e
// overwrites.
func outside(e target.Evaluator, x []float64) (target.Evaluator, []float64) {
	if c, ok := e.(*chartedEvaluator); ok {
		c.move(x)
		return c.Evaluator, c.point
	}
	return e, x
}

func (t *charted) Dim() int { return t.dim }

// Blocks has those of Target, with the lengths that they have here.
func (t *charted) Blocks() []target.Block {
	blocks := slices.Clone(t.Target.Blocks())
	at, next := 0, 0
	for i := range blocks {
		b := &blocks[i]
		n := 0
		if next < len(t.factors) && t.factors[next].Offset == b.Offset && b.Len > 0 {
			n = t.factors[next].Dim()
			if !t.factors[next].Flat {
				b.Geometry = target.Geometry{Kind: "euclidean", Points: 1, Dim: n}
			}
			next++
		}
		b.Offset, b.Len = at, n
		at += n
	}
	return blocks
}

// Streams implements target.Stream, for holds.
func (t *charted) Streams() (block, window int, is bool) { return target.StreamOf(t.Target) }

// Part implements target.Parted.
func (t *charted) Part(rows []int) (target.Target, error) {
	of, err := pick.Part(t.Target, rows)
	if err != nil {
		return nil, err
	}
	return chart(of, t.middle), nil
}

func (t *charted) NewEvaluator(capacity int) target.Evaluator {
	return t.on(t.Target.NewEvaluator(capacity))
}

// on makes an evaluator of one of Target.
func (t *charted) on(e target.Evaluator) *chartedEvaluator {
	out := &chartedEvaluator{of: t, Evaluator: e, point: make([]float64, t.Target.Dim()),
		grad: make([]float64, t.Target.Dim())}
	if d, ok := target.DifferenceOf(e); ok {
		out.differences = d
	}
	for i := range t.factors {
		f := &t.factors[i]
		var charts []*manifold.Cayley
		for at := f.Offset; !f.Flat && at < f.Offset+f.Len; at += f.Space.Ambient() {
			c := manifold.ChartOf(f.Space)
			c.Center(t.middle[at : at+f.Space.Ambient()])
			charts = append(charts, c)
		}
		out.charts = append(out.charts, charts)
	}
	return out
}

// A chartedEvaluator is an evaluator of a charted target.
type chartedEvaluator struct {
	target.Evaluator
	of          *charted
	differences target.DifferenceEvaluator
	charts      [][]*manifold.Cayley // by factor and point; none of flat ones
	point, grad []float64            // of Target
	at, anchor  []float64            // coordinates of an anchor, and its point in Target
}

// move writes the state of Target at coordinates u into point, and returns the log
// Jacobian of the charts.
func (e *chartedEvaluator) move(u []float64) (logJacobian float64) {
	at := 0
	for i := range e.of.factors {
		f := &e.of.factors[i]
		if f.Flat {
			at += copy(e.point[f.Offset:f.Offset+f.Len], u[at:at+f.Len])
			continue
		}
		d, m := f.Space.Dim(), f.Space.Ambient()
		for k, c := range e.charts[i] {
			c.Point(u[at:at+d], e.point[f.Offset+k*m:f.Offset+(k+1)*m])
			logJacobian += c.LogJacobian()
			at += d
		}
	}
	return logJacobian
}

// pull writes the gradient by coordinates of a function whose gradient by the state of
// Target is g, at the state of the last move, and so many times that of the Jacobian.
func (e *chartedEvaluator) pull(g []float64, jacobian float64, out []float64) {
	at := 0
	for i := range e.of.factors {
		f := &e.of.factors[i]
		if f.Flat {
			at += copy(out[at:at+f.Len], g[f.Offset:f.Offset+f.Len])
			continue
		}
		d, m := f.Space.Dim(), f.Space.Ambient()
		for k, c := range e.charts[i] {
			c.Pull(g[f.Offset+k*m:f.Offset+(k+1)*m], jacobian, out[at:at+d])
			at += d
		}
	}
}

// coordinates writes those of a state of Target; false where a point of it is what its
// chart leaves out.
func (e *chartedEvaluator) coordinates(x, u []float64) bool {
	at, ok := 0, true
	for i := range e.of.factors {
		f := &e.of.factors[i]
		if f.Flat {
			at += copy(u[at:at+f.Len], x[f.Offset:f.Offset+f.Len])
			continue
		}
		d, m := f.Space.Dim(), f.Space.Ambient()
		for k, c := range e.charts[i] {
			ok = c.Coordinates(x[f.Offset+k*m:f.Offset+(k+1)*m], u[at:at+d]) && ok
			at += d
		}
	}
	return ok
}

// farthest is the largest norm of the coordinates of a curved point, and its block: 1 a
// quarter turn from the middle, on a sphere.
func (e *chartedEvaluator) farthest(u []float64) (norm float64, block string) {
	at := 0
	for i := range e.of.factors {
		f := &e.of.factors[i]
		if f.Flat {
			at += f.Len
			continue
		}
		d := f.Space.Dim()
		for range e.charts[i] {
			if r := dot(u[at:at+d], u[at:at+d]); !(r <= norm) {
				norm, block = r, f.Name
			}
			at += d
		}
	}
	return math.Sqrt(norm), block
}

// Hold implements target.RowHolder.
func (e *chartedEvaluator) Hold(rows []int) error {
	return e.Evaluator.(target.RowHolder).Hold(rows)
}

// rowsAt is the gradient of rows, times scale, by the state of Target at u.
func (e *chartedEvaluator) rowsAt(u []float64, rows []int, scale float64) []float64 {
	sum := make([]float64, len(e.point))
	e.move(u)
	e.Evaluator.Gradient(e.point, rows, scale, 1, sum)
	e.Evaluator.Gradient(e.point, nothing, 1, 1, e.grad)
	for i, x := range e.grad {
		sum[i] -= x
	}
	return sum
}

func (e *chartedEvaluator) LogDensityGradient(
	u []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	j := e.move(u)
	f := e.Evaluator.LogDensityGradient(e.point, rows, scale, jacobian, e.grad)
	e.pull(e.grad, jacobian, grad)
	return f + float64(jacobian*j)
}

func (e *chartedEvaluator) Gradient(
	u []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.move(u)
	e.Evaluator.Gradient(e.point, rows, scale, jacobian, e.grad)
	e.pull(e.grad, jacobian, grad)
}

func (e *chartedEvaluator) LogDensity(u []float64, rows []int, scale, jacobian float64) float64 {
	j := e.move(u)
	return e.Evaluator.LogDensity(e.point, rows, scale, jacobian) + float64(jacobian*j)
}

func (e *chartedEvaluator) Constrain(u, out []float64) {
	e.move(u)
	e.Evaluator.Constrain(e.point, out)
}

func (e *chartedEvaluator) LogLik(u []float64, rows []int, out []float64) {
	e.move(u)
	e.Evaluator.LogLik(e.point, rows, out)
}

func (e *chartedEvaluator) HasDifference() bool { return e.differences != nil }

// Difference is that of Target, pulled back at u: the difference of the gradients of rows is one of
// vectors of the space around, whose sum over all rows rowsAt pulls back at u too. Pulled
// back each at its own point they would differ by the bend of the chart besides.
func (e *chartedEvaluator) Difference(
	u, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	if !slices.Equal(anchor, e.at) {
		e.move(anchor)
		e.at, e.anchor = append(e.at[:0], anchor...), append(e.anchor[:0], e.point...)
	}
	e.move(u)
	e.differences.Difference(e.point, e.anchor, rows, weights, jacobian, e.grad)
	e.pull(e.grad, jacobian, grad)
}

// addRows adds part of the pulled back gradient of all rows at the anchor, which is one of
// Target, to grad, at the state of the last call of another method.
func (e *chartedEvaluator) addRows(rows []float64, part float64, grad []float64) {
	e.pull(rows, 0, e.grad[:len(grad)])
	for i, g := range e.grad[:len(grad)] {
		grad[i] += float64(part * g)
	}
}

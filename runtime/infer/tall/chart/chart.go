// Package chart gives targets on curved spaces coordinates in R^n, by charts about a given state.
package chart

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

var none = make([]int, 0, 1) // empty but not nil: no rows, instead of all

// A Target is a target on curved spaces in coordinates of charts about a middle. The charts leave
// out only a null set, and the density includes their Jacobians, so its law is that of the
// posterior.
type Target struct {
	target.Target
	middle  []float64 // a state of the target without charts
	Factors []manifold.Factor
	dim     int
}

// About returns a target with curved blocks in charts about a state.
func About(t target.Target, middle []float64) *Target {
	factors, _ := manifold.Product(t.Blocks(), t.Dim()) // cannot fail: see Curved
	out := &Target{Target: t, middle: slices.Clone(middle), Factors: factors}
	for i := range factors {
		out.dim += factors[i].Dim()
	}
	return out
}

// Curved reports whether a block of the target lives on a curved space.
func Curved(t target.Target) bool {
	f, err := manifold.Product(t.Blocks(), t.Dim())
	return err == nil && slices.ContainsFunc(f, func(f manifold.Factor) bool { return !f.Flat })
}

// Without returns the kind of a curved space in the target for which there are no charts; "" if
// there is none.
func Without(t target.Target) string {
	f, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return ""
	}
	for i := range f {
		if !f[i].Flat && manifold.ChartOf(f[i].Space) == nil {
			return f[i].Space.Kind()
		}
	}
	return ""
}

// Dim returns the number of unknowns of a target; on curved spaces it is smaller than the length of
// the state.
func Dim(t target.Target) int {
	if !Curved(t) {
		return t.Dim()
	}
	return About(t, make([]float64, t.Dim())).dim
}

// StateLen returns the length of the state of a target without its charts.
func StateLen(t target.Target) int {
	if c, ok := t.(*Target); ok {
		return c.Target.Dim()
	}
	return t.Dim()
}

// Outside returns an evaluator without charts, and the state at x; the next use of e overwrites it.
func Outside(e target.Evaluator, x []float64) (target.Evaluator, []float64) {
	if c, ok := e.(*Evaluator); ok {
		c.Move(x)
		return c.Evaluator, c.Point
	}
	return e, x
}

func (t *Target) Dim() int { return t.dim }

// Blocks returns the blocks of the target with their lengths in charts.
func (t *Target) Blocks() []target.Block {
	blocks := slices.Clone(t.Target.Blocks())
	at, next := 0, 0
	for i := range blocks {
		b := &blocks[i]
		n := 0
		if next < len(t.Factors) && t.Factors[next].Offset == b.Offset && b.Len > 0 {
			n = t.Factors[next].Dim()
			if !t.Factors[next].Flat {
				b.Geometry = target.Geometry{Kind: "euclidean", Points: 1, Dim: n}
			}
			next++
		}
		b.Offset, b.Len = at, n
		at += n
	}
	return blocks
}

// Streams implements target.Stream, which Hold needs.
func (t *Target) Streams() (block, window int, is bool) { return target.StreamOf(t.Target) }

// Part implements target.Parted.
func (t *Target) Part(rows []int) (target.Target, error) {
	of, err := pick.Part(t.Target, rows)
	if err != nil {
		return nil, err
	}
	return About(of, t.middle), nil
}

func (t *Target) NewEvaluator(capacity int) target.Evaluator {
	return t.On(t.Target.NewEvaluator(capacity))
}

// On returns an evaluator in charts, from one of the target without charts.
func (t *Target) On(e target.Evaluator) *Evaluator {
	out := &Evaluator{Of: t, Evaluator: e, Point: make([]float64, t.Target.Dim()),
		Grad: make([]float64, t.Target.Dim())}
	if d, ok := target.DifferenceOf(e); ok {
		out.Differences = d
	}
	for i := range t.Factors {
		f := &t.Factors[i]
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

// An Evaluator evaluates a Target.
type Evaluator struct {
	target.Evaluator
	Of          *Target
	Differences target.DifferenceEvaluator
	charts      [][]*manifold.Cayley // by factor and point; empty for flat factors
	Point, Grad []float64            // state and gradient without charts
	at, anchor  []float64            // coordinates of an anchor, and its state without charts
}

// Move writes the state at coordinates u into Point, and returns the log Jacobian of the charts.
func (e *Evaluator) Move(u []float64) (logJacobian float64) {
	at := 0
	for i := range e.Of.Factors {
		f := &e.Of.Factors[i]
		if f.Flat {
			at += copy(e.Point[f.Offset:f.Offset+f.Len], u[at:at+f.Len])
			continue
		}
		d, m := f.Space.Dim(), f.Space.Ambient()
		for k, c := range e.charts[i] {
			c.Point(u[at:at+d], e.Point[f.Offset+k*m:f.Offset+(k+1)*m])
			logJacobian += c.LogJacobian()
			at += d
		}
	}
	return logJacobian
}

// Pull writes the gradient with respect to coordinates of a function whose gradient with respect to
// the state is g, at the state of the last Move, plus jacobian times the gradient of the log
// Jacobian.
func (e *Evaluator) Pull(g []float64, jacobian float64, out []float64) {
	at := 0
	for i := range e.Of.Factors {
		f := &e.Of.Factors[i]
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

// Coordinates writes the coordinates of a state; false if a chart leaves out a point of it.
func (e *Evaluator) Coordinates(x, u []float64) bool {
	at, ok := 0, true
	for i := range e.Of.Factors {
		f := &e.Of.Factors[i]
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

// Farthest returns the largest norm of the coordinates of a curved point, and its block. On a
// sphere the norm is 1 at a quarter turn from the middle.
func (e *Evaluator) Farthest(u []float64) (norm float64, block string) {
	at := 0
	for i := range e.Of.Factors {
		f := &e.Of.Factors[i]
		if f.Flat {
			at += f.Len
			continue
		}
		d := f.Space.Dim()
		for range e.charts[i] {
			r := 0.0
			for _, x := range u[at : at+d] {
				r += float64(x * x)
			}
			if !(r <= norm) {
				norm, block = r, f.Name
			}
			at += d
		}
	}
	return math.Sqrt(norm), block
}

// Hold implements target.RowHolder.
func (e *Evaluator) Hold(rows []int) error {
	return e.Evaluator.(target.RowHolder).Hold(rows)
}

// RowsAt returns the gradient of rows, times scale, with respect to the state without charts, at
// coordinates u.
func (e *Evaluator) RowsAt(u []float64, rows []int, scale float64) []float64 {
	sum := make([]float64, len(e.Point))
	e.Move(u)
	e.Evaluator.Gradient(e.Point, rows, scale, 1, sum)
	e.Evaluator.Gradient(e.Point, none, 1, 1, e.Grad)
	for i, x := range e.Grad {
		sum[i] -= x
	}
	return sum
}

func (e *Evaluator) LogDensityGradient(
	u []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	j := e.Move(u)
	f := e.Evaluator.LogDensityGradient(e.Point, rows, scale, jacobian, e.Grad)
	e.Pull(e.Grad, jacobian, grad)
	return f + float64(jacobian*j)
}

func (e *Evaluator) Gradient(
	u []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.Move(u)
	e.Evaluator.Gradient(e.Point, rows, scale, jacobian, e.Grad)
	e.Pull(e.Grad, jacobian, grad)
}

func (e *Evaluator) LogDensity(u []float64, rows []int, scale, jacobian float64) float64 {
	j := e.Move(u)
	return e.Evaluator.LogDensity(e.Point, rows, scale, jacobian) + float64(jacobian*j)
}

func (e *Evaluator) Constrain(u, out []float64) {
	e.Move(u)
	e.Evaluator.Constrain(e.Point, out)
}

func (e *Evaluator) LogLik(u []float64, rows []int, out []float64) {
	e.Move(u)
	e.Evaluator.LogLik(e.Point, rows, out)
}

func (e *Evaluator) HasDifference() bool { return e.Differences != nil }

// Difference is the difference of gradients without charts, pulled back at u. The gradients are
// vectors of the surrounding space; their sum over all rows at the anchor is pulled back at u too,
// by AddRows. Pulling each back at its own point would add an error from the curvature of the
// chart.
func (e *Evaluator) Difference(
	u, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	if !slices.Equal(anchor, e.at) {
		e.Move(anchor)
		e.at, e.anchor = append(e.at[:0], anchor...), append(e.anchor[:0], e.Point...)
	}
	e.Move(u)
	e.Differences.Difference(e.Point, e.anchor, rows, weights, jacobian, e.Grad)
	e.Pull(e.Grad, jacobian, grad)
}

// AddRows adds a multiple of the gradient of all rows at the anchor, given without charts, to grad.
// It is pulled back at the state of the last call of another method.
func (e *Evaluator) AddRows(rows []float64, part float64, grad []float64) {
	e.Pull(rows, 0, e.Grad[:len(grad)])
	for i, g := range e.Grad[:len(grad)] {
		grad[i] += float64(part * g)
	}
}

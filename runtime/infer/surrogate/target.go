package surrogate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A Surrogate is the density as a target. Its states are z, with x = m + L z: coordinates in
// which the posterior is near N(0, I). It has no rows.
type Surrogate struct {
	target.Target // some rows at least in memory
	White         *whitening.Map
	Anchor        []float64
	All           *Expansion // of all rows at the anchor
	Some          []int      // R, as rows of Target
	Weights       []float64
	Parts         int        // of a combination, whose density is N(0, I) of z; 0 of a surrogate
	order         []float64  // K: the second derivative without that of R, d × d
	some          *Expansion // of R, with weights
	there         []float64  // ℓ_r at the anchor
}

// New returns the surrogate with the rows R of a target that has them in memory. Values of these
// rows at the anchor are computed here.
func New(
	t target.Target, white *whitening.Map, a []float64, all *Expansion, sds []float64,
	rows []int, weights []float64,
) *Surrogate {
	s := &Surrogate{Target: t, White: white, Anchor: a, All: all, Some: rows, Weights: weights,
		order: append([]float64(nil), all.Hessian...), there: make([]float64, len(rows))}
	if len(rows) == 0 {
		s.Some = nothing
		return s
	}
	d := len(a)
	e, _ := target.DifferenceOf(t.NewEvaluator(len(rows)))
	e.LogLik(a, rows, s.there)
	s.some = &Expansion{Rows: len(rows), Gradient: make([]float64, d),
		Hessian: make([]float64, d*d)}
	s.some.Gradient = s.weightedGradient(t)
	x, up, down, up0, down0 := make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d), make([]float64, d)
	for j := range d {
		h := float64(differenceStep * sds[j])
		copy(x, a)
		x[j] = a[j] + h
		e.Difference(x, a, rows, weights, 0, up)
		e.Difference(x, a, nothing, nil, 0, up0)
		top := x[j]
		x[j] = a[j] - h
		e.Difference(x, a, rows, weights, 0, down)
		e.Difference(x, a, nothing, nil, 0, down0)
		for i := range d {
			v := float64(((up[i] - up0[i]) - (down[i] - down0[i])) / (top - x[j]) / 2)
			s.some.Hessian[i*d+j] += v
			s.some.Hessian[j*d+i] += v
		}
	}
	for i, x := range s.some.Hessian {
		s.order[i] -= x
	}
	return s
}

// weightedGradient is Σ w_r ∇ℓ_r at the anchor.
func (s *Surrogate) weightedGradient(t target.Target) []float64 {
	d := len(s.Anchor)
	e := t.NewEvaluator(1)
	out, rest, g, row := make([]float64, d), make([]float64, d), make([]float64, d), []int{0}
	e.Gradient(s.Anchor, nothing, 1, 1, rest)
	for k, r := range s.Some {
		row[0] = r
		e.Gradient(s.Anchor, row, 1, 1, g)
		for i := range out {
			out[i] += float64(s.Weights[k] * (g[i] - rest[i]))
		}
	}
	return out
}

// Like is a target with the blocks that a surrogate of t will have, to hold settings against.
func Like(t target.Target) target.Target { return &Surrogate{Target: t} }

// Rows implements target.Target.
func (s *Surrogate) Rows() int { return 0 }

// RowAxis implements target.Target.
func (s *Surrogate) RowAxis() string { return "" }

// Blocks implements target.Target.
func (s *Surrogate) Blocks() []target.Block {
	var out []target.Block
	for _, b := range s.Target.Blocks() {
		b.Geometry = target.Geometry{Kind: manifold.Table[0].Kind, Points: 1, Dim: b.Len}
		out = append(out, b)
	}
	return out
}

// NewEvaluator implements target.Target.
func (s *Surrogate) NewEvaluator(int) target.Evaluator {
	d := len(s.Anchor)
	e, _ := target.DifferenceOf(s.Target.NewEvaluator(max(len(s.Some), 1)))
	return &evaluator{DifferenceEvaluator: e, s: s, x: make([]float64, d),
		delta: make([]float64, d), bent: make([]float64, d), grad: make([]float64, d),
		lik: make([]float64, len(s.Some))}
}

type evaluator struct {
	target.DifferenceEvaluator
	s                    *Surrogate
	x, delta, bent, grad []float64
	lik                  []float64
}

// density is log π̂ at e.x, and leaves x − a and K (x − a).
func (e *evaluator) density(jacobian float64) float64 {
	s, d := e.s, len(e.x)
	for i, a := range s.Anchor {
		e.delta[i] = e.x[i] - a
	}
	for i := range d {
		e.bent[i] = dot(s.order[i*d:(i+1)*d], e.delta)
	}
	f := s.All.Value + dot(s.All.Gradient, e.delta) + float64(dot(e.delta, e.bent)/2)
	if len(s.Some) > 0 {
		e.DifferenceEvaluator.LogLik(e.x, s.Some, e.lik)
		sum := 0.0
		for k, l := range e.lik {
			sum += float64(s.Weights[k] * (l - s.there[k]))
		}
		f += sum - dot(s.some.Gradient, e.delta)
	}
	return f + e.DifferenceEvaluator.LogDensity(e.x, nothing, 1, jacobian)
}

// LogDensity implements target.Evaluator.
func (e *evaluator) LogDensity(z []float64, _ []int, _, jacobian float64) float64 {
	e.s.White.Point(z, e.x)
	if e.s.Parts > 0 {
		return -dot(z, z) / 2
	}
	return e.density(jacobian) - e.wall(z, nil)
}

// wallAt is how much further from the anchor than √d the wall is.
const wallAt = 8

// wall is what the log density loses far from the anchor, and takes its gradient from grad,
// unless that is nil. Without it rows that bend more than all rows do, by chance, would have
// the density grow without end where they no longer bend.
func (e *evaluator) wall(z, grad []float64) float64 {
	if len(e.s.Some) == 0 {
		return 0
	}
	radius := math.Sqrt(float64(len(z))) + wallAt
	r2 := float64(radius * radius)
	over := dot(z, z) - r2
	if over <= 0 {
		return 0
	}
	if grad != nil {
		for i, v := range z {
			grad[i] -= float64(2 * over / r2 * v)
		}
	}
	return float64(over * over / (2 * r2))
}

// LogDensityGradient implements target.Evaluator.
func (e *evaluator) LogDensityGradient(
	z []float64, _ []int, _, jacobian float64, grad []float64,
) float64 {
	s := e.s
	s.White.Point(z, e.x)
	if s.Parts > 0 {
		for i, v := range z {
			grad[i] = -v
		}
		return -dot(z, z) / 2
	}
	f := e.density(jacobian)
	e.Difference(e.x, s.Anchor, s.Some, s.Weights, jacobian, e.grad)
	for i, g := range s.All.Gradient {
		e.grad[i] += g + e.bent[i]
	}
	s.White.Pull(e.grad, grad)
	return f - e.wall(z, grad)
}

// Gradient implements target.Evaluator.
func (e *evaluator) Gradient(z []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(z, rows, scale, jacobian, grad)
}

// Constrain implements target.Evaluator.
func (e *evaluator) Constrain(z, out []float64) {
	e.s.White.Point(z, e.x)
	e.DifferenceEvaluator.Constrain(e.x, out)
}

// Unconstrain implements target.Evaluator.
func (e *evaluator) Unconstrain(out, z []float64) error {
	if err := e.DifferenceEvaluator.Unconstrain(out, e.x); err != nil {
		return err
	}
	e.s.White.Solve(e.x, z)
	return nil
}

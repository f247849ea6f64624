package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

// directionHealth combines the observations of all chains along the same directions. First it
// selects the directions that are tangent to the space. Then it changes to coordinates in which x
// has variance 1 and no correlations. There the configurational temperature along a unit vector u
// is the variance of u·x divided by that of the posterior.
type directionHealth struct {
	t      float64
	metric []float64 // the mean of Λ in mirrored blocks, 1 elsewhere
	basis  [][]float64
	lower  matrix.Square // the Cholesky factor of the covariance of x
	inside matrix.Square // E[Λ] without the contribution of curvature; 1 on R^n
	parts  [][]observed
	h      float64        // step size of the splitting; 0 for other schemes
	config *matrix.Square // the mean configurational temperature, whitened
}

// An observed is one batch of observations in the basis: its weight, and the means of
// the whitened residuals of positions and of the residuals of velocities.
type observed struct{ positions, velocities matrix.Square }

// newDirectionHealth combines chains; it returns nil if there is nothing to judge.
func newDirectionHealth(chains []*Chain) *directionHealth {
	d := &directionHealth{t: chains[0].cfg.Temperature}
	if p := &chains[0].parts[0]; p.cfg.Scheme == "split" {
		d.h = chains[0].lastSize(p)
	}
	q := &chains[0].health.directions
	n, weight := q.n, 0.0
	for _, c := range chains {
		weight += c.health.directions.weight
	}
	if n == 0 || weight == 0 {
		return nil
	}
	mean, tangent, xx := make([]float64, n), matrix.New(n), matrix.New(n)
	for _, c := range chains {
		q := &c.health.directions
		for i := range n {
			mean[i] += (q.sumX[i] + float64(q.weight*q.center[i])) / weight
		}
		for i, x := range q.sumL.A {
			tangent.A[i] += x / weight
		}
	}
	for _, c := range chains {
		q := &c.health.directions
		for i := range n {
			for j := range n {
				a, b := mean[i]-q.center[i], mean[j]-q.center[j]
				sum := q.sumXX.At(i, j) - float64(q.sumX[i]*b) - float64(a*q.sumX[j])
				xx.A[i*n+j] += (sum + float64(q.weight*float64(a*b))) / weight
			}
		}
	}
	d.findBasis(tangent, q.curved || q.leading != nil)
	d.lower = d.reduce(xx)
	d.lower.Symmetrise()
	d.metric = make([]float64, n)
	for i := range d.metric {
		d.metric[i] = 1
	}
	for _, k := range q.mirrored {
		d.metric[k] = max(tangent.At(k, k), math.SmallestNonzeroFloat64)
		tangent.Set(k, k, 1)
	}
	d.inside = d.reduce(tangent)
	if q.curved && q.leading == nil {
		bent := matrix.New(n)
		for i, l := range laplacian(chains[0]) {
			bent.Set(i, i, l)
		}
		product(d.lower, d.reduce(bent),
			func(i, j int, x float64) { d.inside.A[i*d.inside.N+j] -= x })
	}
	if len(d.basis) == 0 || !d.lower.Cholesky() {
		return nil
	}
	d.inside = d.whiten(d.inside)
	for _, c := range chains {
		q := &c.health.directions
		var part []observed
		for i := range q.filled {
			part = append(part, d.observed(q, &q.all[i], mean))
		}
		d.parts = append(d.parts, part)
	}
	return d
}

// observed returns a batch with residuals taken about the mean of x.
func (d *directionHealth) observed(q *directions, t *tally, mean []float64) observed {
	x, v := matrix.New(q.n), matrix.New(q.n)
	for b := range q.n {
		off := mean[b] - q.center[b]
		for a := range q.n {
			x.Set(b, a, (t.xg.At(b, a)-float64(off*t.g[a]))/t.weight/d.metric[a])
			v.Set(b, a, t.vv.At(b, a)/t.weight)
		}
	}
	return observed{d.whiten(d.reduce(x)), d.reduce(v)}
}

// laplacian returns λ for each observed coordinate, 0 on R^n.
func laplacian(c *Chain) []float64 {
	var out []float64
	for _, k := range c.health.directions.factors {
		f := &c.state.Factors[k]
		for i := range f.Len {
			l := 0.0
			if !f.Flat {
				at := f.Offset + i/f.Space.Ambient()*f.Space.Ambient()
				l = float64(f.Space.Dim()) / flow.SumSquares(c.state.X[at:at+f.Space.Ambient()])
			}
			out = append(out, l)
		}
	}
	return out
}

// product calls f with every entry of the matrix product a b.
func product(a, b matrix.Square, f func(i, j int, x float64)) {
	for i := range a.N {
		for j := range a.N {
			sum := 0.0
			for k := range a.N {
				sum += float64(a.At(i, k) * b.At(k, j))
			}
			f(i, j, sum)
		}
	}
}

// findBasis selects the directions that are mostly tangent to the space. On a sphere
// these are orthogonal to the mean of a point, unless the point is spread over the
// whole sphere.
func (d *directionHealth) findBasis(tangent matrix.Square, search bool) {
	n := tangent.N
	values, vectors := matrix.New(n), matrix.New(n)
	copy(values.A, tangent.A)
	if search {
		values.Symmetrise()
		values.Eigen(vectors)
	}
	for k := range n {
		if !search {
			vectors.Set(k, k, 1)
		} else if values.At(k, k) < 0.5 {
			continue
		}
		d.basis = append(d.basis, vectors.Column(k))
	}
}

// reduce expresses a matrix over the observed directions in the basis.
func (d *directionHealth) reduce(m matrix.Square) matrix.Square {
	k := len(d.basis)
	out, half := matrix.New(k), make([]float64, m.N)
	for i, u := range d.basis {
		clear(half)
		for a, x := range u {
			if x == 0 {
				continue
			}
			for b := range half {
				half[b] += float64(x * m.At(a, b))
			}
		}
		for j, v := range d.basis {
			sum := 0.0
			for b, y := range v {
				sum += float64(half[b] * y)
			}
			out.Set(i, j, sum)
		}
	}
	return out
}

// whiten turns E[x gᵀ] in the basis into the symmetric part of E[(L⁻¹x)(Lᵀg)ᵀ].
func (d *directionHealth) whiten(m matrix.Square) matrix.Square {
	n := m.N
	column := make([]float64, n)
	out, half := matrix.New(n), matrix.New(n)
	for j := range n {
		for i := range n {
			column[i] = m.At(i, j)
		}
		d.lower.LowerSolve(column)
		for i := range n {
			half.Set(i, j, column[i])
		}
	}
	product(half, d.lower, out.Set)
	out.Symmetrise()
	return out
}

// A statistic is a temperature that depends on the direction: the residuals of batches,
// and the function that turns a residual along a direction into a temperature.
type statistic struct {
	of func(*observed) matrix.Square
	at func(d *directionHealth, u []float64) func(residual float64) float64
}

// worst finds the direction of the highest or lowest temperature on one half of the observations
// and measures the temperature along it on the other half, and vice versa. So the search itself
// causes no false alarms. The halves are the chains of odd and of even number; of a single chain,
// the first and the second half of its time. It returns the series of the temperature along these
// directions, by chain.
func (d *directionHealth) worst(highest bool, s statistic) []*health.Series {
	var found [2][]float64
	for side := range 2 {
		sum, count := matrix.New(len(d.basis)), 0
		d.each(func(_, half int, o *observed) {
			if half == side {
				for i, x := range s.of(o).A {
					sum.A[i] += x
				}
				count++
			}
		})
		if count == 0 {
			return nil
		}
		found[1-side] = extreme(sum, highest)
	}
	return d.along(s, func(half int) []float64 { return found[half] })
}

// extreme returns the eigenvector of the largest or the smallest eigenvalue of m. It
// overwrites m.
func extreme(m matrix.Square, largest bool) []float64 {
	vectors, k := matrix.New(m.N), 0
	m.Symmetrise()
	m.Eigen(vectors)
	for i := range m.N {
		if a, b := m.At(i, i), m.At(k, k); largest && a > b || !largest && a < b {
			k = i
		}
	}
	return vectors.Column(k)
}

// each calls f for every batch with its half.
func (d *directionHealth) each(f func(chain, half int, o *observed)) {
	for k, part := range d.parts {
		for i := range part {
			half := k % 2
			if len(d.parts) == 1 {
				half = 2 * i / len(part)
			}
			f(k, half, &part[i])
		}
	}
}

// leastInside is a lower bound on the share of a temperature that the identity shows. If
// a point is spread over a whole curved space, its temperature changes the draws little,
// and errors count by their effect on the draws.
const leastInside = 0.25

// ofPositions returns the configurational temperature: the variance along a direction
// divided by that of the target.
var ofPositions = statistic{
	func(o *observed) matrix.Square { return o.positions },
	func(d *directionHealth, u []float64) func(float64) float64 {
		part := max(d.inside.Form(u), leastInside)
		return func(residual float64) float64 { return d.t + residual/part }
	},
}

// ofVelocities returns the kinetic temperature along u, E(u·v)².
var ofVelocities = statistic{
	func(o *observed) matrix.Square { return o.velocities },
	func(d *directionHealth, u []float64) func(float64) float64 {
		part := 1 - d.stiffness(u)
		return func(residual float64) float64 { return (d.t + residual) * part }
	},
}

// stiffness is h²λ/4, with λ the curvature of the potential along u: at the end of
// a step of the splitting E(u·v)² is T/(1 − h²λ/4) where draws are exact.
func (d *directionHealth) stiffness(u []float64) float64 {
	if d.h == 0 {
		return 0
	}
	if d.config == nil {
		sum, n := matrix.New(len(d.basis)), 0.0
		d.each(func(_, _ int, o *observed) {
			n++
			for i, x := range o.positions.A {
				sum.A[i] += x
			}
		})
		for i, x := range d.inside.A {
			sum.A[i] = sum.A[i]/max(n, 1) + float64(d.t*x)
		}
		d.config = &sum
	}
	w := slices.Clone(u)
	d.lower.LowerSolve(w)
	return min(max(float64(float64(d.h*d.h)/4*d.config.Form(w)), 0), 0.9)
}

// typicalError returns the Monte Carlo error of a statistic along directions that were
// not searched for: those of the basis, and those halfway between neighbours.
func typicalError(groups []*directionHealth, s statistic) float64 {
	sum, n := 0.0, 0.0
	for k := range len(groups[0].basis) {
		for _, pair := range []bool{false, true} {
			if pair && k+1 == len(groups[0].basis) {
				continue
			}
			var all []*health.Series
			for _, d := range groups {
				u := make([]float64, len(d.basis))
				if k >= len(u) || pair && k+1 >= len(u) {
					continue
				}
				u[k] = 1
				if pair {
					u[k], u[k+1] = math.Sqrt2/2, math.Sqrt2/2
				}
				all = append(all, d.along(s, func(int) []float64 { return u })...)
			}
			_, e := health.Merge(all)
			sum += float64(e * e)
			n++
		}
	}
	return math.Sqrt(sum / n)
}

// along returns the series of a statistic, by chain, along the direction of the chain's
// half.
func (d *directionHealth) along(s statistic, direction func(half int) []float64) []*health.Series {
	var value [2]func(float64) float64
	for half := range value {
		value[half] = s.at(d, direction(half))
	}
	all := make([]*health.Series, len(d.parts))
	for i := range all {
		all[i] = &health.Series{}
	}
	d.each(func(chain, half int, o *observed) {
		all[chain].Add(value[half](s.of(o).Form(direction(half))))
	})
	return slices.DeleteFunc(all, func(s *health.Series) bool { return s.N == 0 })
}

// worseOf returns the temperature along the direction with the larger deviation, in
// units of the larger of its error and the deviation that matters.
func worseOf(groups []*directionHealth, s statistic) (value, mcse float64) {
	value, mcse = math.NaN(), math.Inf(1)
	worst := -1.0
	for _, highest := range []bool{false, true} {
		var all []*health.Series
		batches := 0.0
		for _, d := range groups {
			all = append(all, d.worst(highest, s)...)
		}
		for _, s := range all {
			batches += float64(s.N)
		}
		if batches == 0 {
			continue
		}
		m, e := health.Merge(all)
		// Squares have a long tail: if they are low by chance, so is the error that
		// is estimated from them.
		e = max(e, typicalError(groups, s))
		// The results of the two halves are correlated, so they count as one. And
		// errors from few batches are often too small: with the factor, four of them
		// are exceeded as rarely as with many batches.
		e *= math.Sqrt2 * (1 + 6/max(batches-1, 1))
		t := groups[0].t
		miss := math.Abs(m-t) / max(e, health.Tolerance*t/4)
		if miss > worst {
			worst, value, mcse = miss, m, e
		}
	}
	return value, mcse
}

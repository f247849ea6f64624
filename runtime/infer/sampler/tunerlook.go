package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// scales sets the scale of each coordinate of the part: the square root of the metric in which its
// sampler moves.
func (p *tunedPart) scales(c *Chain, t *tuner) {
	for _, i := range p.blocks {
		f := &c.state.Factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			switch p.kind {
			case mirroredDrift:
				t.scale[k] = math.Sqrt(math.Abs(t.safe[k]))
			case preconditioned:
				of := c.parts[0].state
				q := c.state.Square[k]
				if !c.parts[0].state.Primed {
					m := t.grad[k] / of.Rows
					q = float64(m * m)
				}
				t.scale[k] = 1 / math.Sqrt(of.Lambda+math.Sqrt(q))
			default:
				t.scale[k] = 1
			}
		}
	}
}

// project projects a vector of a part to the tangent space at x.
func (t *tuner) project(p *tunedPart, x, u []float64) {
	for _, i := range p.blocks {
		f := &t.factors[i]
		if f.Flat {
			continue
		}
		m := f.Space.Ambient()
		for k := f.Offset; k < f.Offset+f.Len; k += m {
			f.Space.Project(x[k:k+m], u[k:k+m])
		}
	}
}

// norm2 returns the sum of squares over a part.
func (t *tuner) norm2(p *tunedPart, u []float64) float64 {
	sum := 0.0
	for _, i := range p.blocks {
		f := &t.factors[i]
		sum += flow.SumSquares(u[f.Offset : f.Offset+f.Len])
	}
	return sum
}

// times multiplies the entries of a part of u by a number.
func (t *tuner) times(p *tunedPart, u []float64, by float64) {
	for _, i := range p.blocks {
		f := &t.factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			u[k] *= by
		}
	}
}

// along writes into t.at the point at a distance from the state in the direction u of a
// part, along geodesics and in the metric of the sampler.
func (t *tuner) along(p *tunedPart, by float64) {
	copy(t.at, t.safe)
	for _, i := range p.blocks {
		f := &t.factors[i]
		if f.Flat {
			for k := f.Offset; k < f.Offset+f.Len; k++ {
				move := float64(by * float64(t.scale[k]*t.u[k]))
				if p.kind == mirroredDrift { // do not cross 0
					most := 0.5 * math.Abs(t.safe[k])
					move = max(-most, min(most, move))
				}
				t.at[k] += move
			}
			continue
		}
		m := f.Space.Ambient()
		copy(t.move[f.Offset:f.Offset+f.Len], t.u[f.Offset:f.Offset+f.Len])
		for k := f.Offset; k < f.Offset+f.Len; k += m {
			f.Space.Flow(t.at[k:k+m], t.move[k:k+m], by)
		}
	}
}

// leaveNearZero sets entries of u to zero whose coordinates are too near 0 to be moved by this much
// in the metric: steps are reflected there, and the differences of their large forces are rounding
// errors.
func (t *tuner) leaveNearZero(p *tunedPart, by float64) {
	if p.kind != mirroredDrift {
		return
	}
	for _, i := range p.blocks {
		f := &t.factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			if t.scale[k] < 2*by {
				t.u[k] = 0
			}
		}
	}
}

// force writes into grad the force on the part at t.at: the gradient of the minibatch, on curved
// spaces its tangent part, and for sgrld the drift divided by the metric.
func (t *tuner) force(c *Chain, p *tunedPart, grad []float64) {
	c.eval.Gradient(t.at, c.rows, c.scale, c.cfg.Temperature, grad)
	t.project(p, t.at, grad)
	if p.kind == mirroredDrift {
		for _, i := range p.blocks {
			f := &t.factors[i]
			for k := f.Offset; k < f.Offset+f.Len; k++ {
				if s := t.scale[k]; s > 0 {
					grad[k] *= t.at[k] / float64(s*s)
				}
			}
		}
	}
}

// curvature estimates the largest eigenvalue of the second derivative of the negative log density
// in the directions of a part, on the rows of the minibatch, by power iteration on differences of
// gradients. It starts from the direction of the last measurement.
func (t *tuner) curvature(c *Chain, p *tunedPart, turns int) float64 {
	l := 0.0
	by := 1e-3
	if p.curvature > 0 {
		by = min(0.1, 0.1/math.Sqrt(p.curvature))
	}
	for range turns {
		t.project(p, t.safe, t.u)
		t.leaveNearZero(p, by)
		norm := math.Sqrt(t.norm2(p, t.u))
		if !(norm > 0 && special.Finite(norm)) {
			c.stream(purposeTuner).Normals(uint64(t.looks)+1, t.u)
			continue
		}
		t.times(p, t.u, 1/norm)
		t.along(p, by)
		t.force(c, p, t.grad)
		t.along(p, -by)
		t.force(c, p, t.other)
		t.gradients += 2
		for _, i := range p.blocks {
			f := &t.factors[i]
			for k := f.Offset; k < f.Offset+f.Len; k++ {
				t.u[k] = t.scale[k] * (t.other[k] - t.grad[k]) / (2 * by)
			}
		}
		t.project(p, t.safe, t.u)
		t.leaveNearZero(p, by)
		if l = math.Sqrt(t.norm2(p, t.u)); l > 0 && special.Finite(l) {
			by = min(0.1, 0.1/math.Sqrt(l))
		}
	}
	return l
}

// observeNoise estimates the noise from the gradients of parts of the minibatch.
func (t *tuner) observeNoise(c *Chain) {
	if c.batches == nil || c.exact() {
		return
	}
	rows, groups, size := t.rowGroups(c)
	if size == 0 {
		return
	}
	n := float64(c.target.Rows())
	each := n / float64(size)
	for k := range groups / 2 {
		c.eval.Gradient(t.safe, rows[2*k*size:(2*k+1)*size], each, c.cfg.Temperature, t.noise[k])
		c.eval.Gradient(t.safe, rows[(2*k+1)*size:(2*k+2)*size], each, c.cfg.Temperature, t.other)
		for i, g := range t.other {
			t.noise[k][i] = float64(t.noise[k][i]-g) * t.scale[i]
		}
	}
	t.gradients++
	// The covariance of a difference is 2 V of a group.
	to := 0.5 * float64(size) / float64(len(c.rows))
	if batch.Order(c.cfg.BatchOrder) != batch.Replace {
		to *= max(0, 1-float64(len(c.rows))/n)
	}
	for j := range t.parts {
		t.averageNoise(c, &t.parts[j], groups/2, to)
	}
}

// rowGroups returns rows in groups of size rows each: parts of the minibatch or, for a small one,
// the minibatches after it. The size is 0 if there are too few rows.
func (t *tuner) rowGroups(c *Chain) (rows []int, groups, size int) {
	rows, groups = c.rows, noiseGroups
	if size = len(rows) / groups; size > 0 {
		return rows, groups, size
	}
	if c.pages != nil || c.cfg.Paged(c.target) {
		if groups = len(rows) &^ 1; groups == 0 {
			return rows, groups, 0
		}
		return rows, groups, 1
	}
	k, n := c.onBatch-c.growth.batch, len(c.rows)
	t.rows = t.rows[:0]
	for j := range groups {
		more, _ := c.batches.At(k + int64(j))
		t.rows = append(t.rows, more[:min(n, len(more))]...)
	}
	c.rows, c.scale = c.batch(k)
	return t.rows, groups, len(t.rows) / groups
}

// averageNoise adds the differences of pairs of groups to the averages of a part. The covariance of
// a difference times to is that of a minibatch's gradient.
func (t *tuner) averageNoise(c *Chain, p *tunedPart, pairs int, to float64) {
	trace, square, products := 0.0, 0.0, 0.0
	for _, i := range p.blocks {
		f := &t.factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			t.grad[k] = 0
		}
	}
	for k := range pairs {
		t.project(p, t.safe, t.noise[k])
		for _, i := range p.blocks {
			f := &t.factors[i]
			for l := f.Offset; l < f.Offset+f.Len; l++ {
				t.grad[l] += float64(t.noise[k][l] * t.noise[k][l])
			}
		}
		trace += t.norm2(p, t.noise[k])
		for l := range k {
			d := t.dot(p, t.noise[k], t.noise[l])
			square += float64(d * d)
			products++
		}
	}
	trace = float64(trace * (to / float64(pairs)))
	if !special.Finite(trace) || !special.Finite(square) {
		return
	}
	if products > 0 {
		square = float64(square * (to * to / products))
	}
	w, own := 1/float64(min(t.looks+1, tunerMemory)), float64(c.gradientSD*c.gradientSD)
	for _, i := range p.blocks {
		f := &t.factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			v := float64(t.grad[k]*to)/float64(pairs) + own
			t.variance[k] += float64(w * (v - t.variance[k]))
		}
	}
	trace += float64(own * p.dim)
	square += float64(own * own * p.dim)
	p.trace += float64(w * (trace - p.trace))
	p.square += float64(w * (square - p.square))
	p.least = p.trace / p.dim
	p.each(c, func(_ int, v float64) { p.least = min(p.least, v) })
}

// dot returns the inner product over a part.
func (t *tuner) dot(p *tunedPart, a, b []float64) float64 {
	sum := 0.0
	for _, i := range p.blocks {
		f := &t.factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			sum += float64(a[k] * b[k])
		}
	}
	return sum
}

package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/batch"
	"github.com/sgppl/sgppl/runtime/flow"
	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

// directions observes what means over blocks do not show: how draws, velocities
// and the gradient's noise differ by direction of the state. For any two
// directions a and b and any fixed c, integration by parts gives
//
//	E[(b·(x − c)) (a·Λ∇U + T λ a·x)] = T E[a·Λb],  E[(a·v)(b·v)] = T E[a·Λb],
//
// with −λ a·x the Laplacian of a·x (0 on R^n, see curvedHealth on curved spaces).
// Both hold whatever the noise and the order of minibatches are, if ∇U is taken
// at the place of the draws and by rows drawn for the purpose, which the state
// knows nothing of. Two halves of such a minibatch also tell the covariance of the
// gradient's noise.
//
// Where x stays positive and integration by parts has an end at 0 (mirrored blocks),
// Λ is diag(x), the inverse of the metric that its sampler goes by, and T takes the
// place of the Laplacian: E[(x_b − c_b) (x_a ∂_aU − T)] = T E[x_a] if a = b, else 0.
//
// Up to wholeState coordinates are watched as they are. Of more, a few leading
// directions of the noise are, which the warm-up finds (see leading). Gradients
// take rows from their own random stream, so that draws do not depend on them.
// Observations are ten steps apart and later more, in the mean of a long run
// thousands of steps: they cost less than a tenth of the time.
type directions struct {
	n        int
	index    []int     // the coordinates that are watched, one by one;
	leading  *leading  // or directions of many coordinates
	factors  []int     // the blocks that are watched
	curved   bool      // one of them is
	mirrored []int     // of index, those on which only absolute values count
	moving   bool      // they have velocities of one sampler
	source   rowSource // of gradients
	known    bool      // the gradient's noise is observed

	from, every int64
	now         int64 // the step at hand, from 0
	stream      rng.Stream
	rows        []int
	grad, other []float64 // gradients of the whole state
	point       []float64 // of one point of a curved block
	noiseScale  float64

	// Of the observation at hand, along the directions.
	x, g, v, noise []float64
	lambda         square
	direction      []float64 // of the state, where coordinates are not watched one by one

	count  int64   // observations
	weight float64 // of them
	center []float64
	sumX   []float64
	sumXX  square    // of x − center
	sumL   square    // of Λ
	sumN   [2]square // of the noise, of every other observation
	sumR   square    // of what an estimate takes out of the kick's noise, N² Cov
	trace  float64
	batches
}

// A rowSource says which rows gradients for health come from.
type rowSource int

const (
	ownRows  rowSource = iota // drawn for the purpose, at the place of the draws
	allRows                   // likewise
	stepRows                  // those of the step, at the place of its gradient
)

const (
	wholeState = 32   // coordinates that are watched one by one
	lookEvery  = 10   // steps between observations, at first
	lookDense  = 8192 // observations after which they are half as many, and again after twice as many steps
	mostTalles = 32   // batches of observations
)

// A batches has sums of residuals over consecutive parts of the run, for Monte
// Carlo errors of any direction.
type batches struct {
	length  float64 // weight of a batch
	filled  int
	all     []tally
	current tally
}

// A tally has the sums of one batch.
type tally struct {
	weight float64
	g      []float64 // of a·Λ∇U + T λ a·x
	xg     square    // of (b·(x − c)) (a·Λ∇U + T λ a·x) − T a·Λb, at (b, a)
	vv     square    // of (a·v)(b·v) − T a·Λb
}

func newTally(n int) tally { return tally{g: make([]float64, n), xg: newSquare(n), vv: newSquare(n)} }

func (t *tally) clear() {
	t.weight = 0
	clear(t.g)
	clear(t.xg.a)
	clear(t.vv.a)
}

func (t *tally) add(u *tally) {
	t.weight += u.weight
	for _, p := range [][2][]float64{{t.g, u.g}, {t.xg.a, u.xg.a}, {t.vv.a, u.vv.a}} {
		for i, x := range p[1] {
			p[0][i] += x
		}
	}
}

// sameLaw are the blocks that have the chain's temperature and gradients that are
// integrated by parts without ends, in a sampler without a Metropolis test.
func (c *Chain) sameLaw() (factors []int, coordinates int) {
	if c.row.Metropolis {
		return nil, 0
	}
	mirrors := c.fewFlat()
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		if c.part(k).cfg.Temperature == c.cfg.Temperature && f.Dim() > 0 && (mirrors || f.Space.Kind() != "mirrored") {
			factors = append(factors, k)
			coordinates += f.Len
		}
	}
	return factors, coordinates
}

// fewFlat says whether the state is on R^n and has few coordinates.
func (c *Chain) fewFlat() bool {
	for k := range c.state.Factors {
		if !c.state.Factors[k].Flat {
			return false
		}
	}
	return len(c.state.X) <= wholeState
}

func newDirections(c *Chain) directions {
	q := directions{from: c.cfg.Warmup, every: lookEvery}
	factors, coordinates := c.sameLaw()
	if coordinates == 0 {
		return q
	}
	s, n := c.state, len(c.state.X)
	q.factors, q.moving = factors, c.row.Velocity && !c.mixed()
	for _, k := range factors {
		if f := &s.Factors[k]; !f.Flat {
			q.curved = true
			q.point = make([]float64, max(len(q.point), f.Space.Ambient()))
		}
	}
	switch _, _, streams := target.StreamOf(c.target); {
	case c.locals != nil:
		q.source = stepRows
	case streams:
		q.source, q.known = stepRows, c.cfg.Batch > 1
	case c.batches == nil || c.exact():
		q.source = allRows
	default:
		q.source, q.known = ownRows, true
		q.stream = c.stream(purposeLook)
		q.rows = make([]int, c.cfg.Batch+c.cfg.Batch%2)
	}
	q.noiseScale = 1
	if b, rows := float64(c.cfg.Batch), float64(max(c.target.Rows(), 1)); q.known && c.cfg.BatchOrder != string(batch.Replace) {
		q.noiseScale = math.Sqrt(max(1-b/rows, 0))
	}
	if n >= manyCoordinates {
		q.every = healthStride(longRun+1, n)
	}
	if coordinates <= wholeState {
		q.n = coordinates
		for _, k := range factors {
			f := &s.Factors[k]
			for i := f.Offset; i < f.Offset+f.Len; i++ {
				if q.index = append(q.index, i); f.Space.Kind() == "mirrored" {
					q.mirrored = append(q.mirrored, len(q.index)-1)
				}
			}
		}
	} else if q.known && c.cfg.Warmup > 1 {
		q.leading = newLeading(c, n)
		q.n = q.leading.rank
		q.direction = make([]float64, n)
	}
	if q.n == 0 {
		return q
	}
	q.grad, q.other = make([]float64, n), make([]float64, n)
	for _, p := range []*[]float64{&q.x, &q.g, &q.v, &q.noise, &q.center, &q.sumX} {
		*p = make([]float64, q.n)
	}
	for _, p := range []*square{&q.lambda, &q.sumXX, &q.sumL, &q.sumN[0], &q.sumN[1], &q.sumR} {
		*p = newSquare(q.n)
	}
	for i := range q.n {
		q.lambda.set(i, i, 1)
	}
	q.all, q.current = make([]tally, mostTalles), newTally(q.n)
	for i := range q.all {
		q.all[i] = newTally(q.n)
	}
	return q
}

// spacing is how many steps observations about step t are apart.
func (q *directions) spacing(t int64) int64 {
	every := q.every
	for t-q.from >= every*lookDense {
		every *= 2
	}
	return every
}

// wants says whether step t, counted from 0, is observed.
func (q *directions) wants(t int64) bool {
	q.now = t
	if q.n == 0 {
		return false
	}
	if t < q.from {
		return q.leading != nil && q.leading.wants(t)
	}
	every := q.spacing(t)
	return (t-q.from)%every == every-1
}

// along writes the coordinates of a vector of the state along the directions.
func (q *directions) along(x, out []float64) {
	if q.leading != nil {
		for k := range out {
			out[k] = kernel.Dot(q.leading.direction(k), x)
		}
		return
	}
	for k, i := range q.index {
		out[k] = x[i]
	}
}

// tangent makes of a vector of the state its part along the watched blocks'
// tangent spaces.
func (q *directions) tangent(s *flow.State, u []float64) {
	if !q.curved {
		return
	}
	for _, k := range q.factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			f.Space.Project(s.X[at:at+m], u[at:at+m])
		}
	}
}

// projections writes Λ between the directions.
func (q *directions) projections(s *flow.State) {
	if !q.curved {
		return
	}
	if q.leading != nil {
		for k := range q.n {
			copy(q.direction, q.leading.direction(k))
			q.tangent(s, q.direction)
			for l := range q.n {
				q.lambda.set(k, l, kernel.Dot(q.direction, q.leading.direction(l)))
			}
		}
		return
	}
	at := 0 // of the block's first coordinate among those that are watched
	for _, k := range q.factors {
		f := &s.Factors[k]
		if !f.Flat {
			m := f.Space.Ambient()
			for p := 0; p < f.Len; p += m {
				for j := range m {
					u := q.point[:m]
					clear(u)
					u[j] = 1
					f.Space.Project(s.X[f.Offset+p:f.Offset+p+m], u)
					for i, x := range u {
						q.lambda.set(at+p+j, at+p+i, x)
					}
				}
			}
		}
		at += f.Len
	}
}

// gradientAtStep observes x and ∇Ũ where the step takes its gradient.
func (c *Chain) gradientAtStep() {
	s, q := c.state, &c.health.directions
	if q.source != stepRows {
		return
	}
	for i, f := range s.Force {
		q.grad[i] = -f
	}
	if b := len(c.rows); q.known && b > 1 {
		half := b / 2
		c.eval.Gradient(s.X, c.rows[:half], float64(c.growth.rows)/float64(half), c.cfg.Temperature, q.other)
		// Of the rows' own sum only: what else is in both goes out.
		scale := q.noiseScale * math.Sqrt(float64(half)/float64(b-half))
		for i := range q.other {
			q.other[i] = scale * (q.other[i] + q.grad[i])
		}
	}
	c.gradientSeen()
}

// look observes the state at the end of a step.
func (c *Chain) look() {
	s, q := c.state, &c.health.directions
	switch q.source {
	case allRows:
		c.eval.Gradient(s.X, nil, 1, c.cfg.Temperature, q.grad)
		for i := range q.grad {
			q.grad[i] = -q.grad[i]
		}
		c.gradientSeen()
	case ownRows:
		src, n := q.stream.At(uint64(q.now)), c.target.Rows()
		for i := range q.rows {
			q.rows[i] = src.IntN(n)
		}
		half := len(q.rows) / 2
		scale := float64(n) / float64(half)
		c.eval.Gradient(s.X, q.rows[:half], scale, c.cfg.Temperature, q.grad)
		c.eval.Gradient(s.X, q.rows[half:], scale, c.cfg.Temperature, q.other)
		noise := q.noiseScale / 2 * math.Sqrt(float64(len(q.rows))/float64(c.cfg.Batch))
		for i, a := range q.grad {
			b := q.other[i]
			q.grad[i] = -(a + b) / 2
			q.other[i] = noise * (a - b)
		}
		c.gradientSeen()
	}
	if q.now < q.from {
		q.leading.add(s, q)
		return
	}
	q.add(s, c.cfg.Temperature, float64(q.spacing(q.now)/q.every))
	if c.fisher.average != nil {
		q.takenOut(s, c.fisher.shape)
	}
}

// takenOut observes what an estimate takes out along the directions' tangent parts.
func (q *directions) takenOut(s *flow.State, shape noiseShape) {
	for k := range q.n {
		u := q.grad // which has been used
		q.tangentDirection(s, k, u)
		shape.times(u, q.other)
		q.tangent(s, q.other)
		q.along(q.other, q.noise)
		for l, x := range q.noise {
			q.sumR.a[k*q.n+l] += x
		}
	}
}

// tangentDirection writes the tangent part of the k-th direction.
func (q *directions) tangentDirection(s *flow.State, k int, u []float64) {
	if q.leading != nil {
		copy(u, q.leading.direction(k))
	} else {
		clear(u)
		u[q.index[k]] = 1
	}
	q.tangent(s, u)
}

// gradientSeen takes the directions' parts of x and of the gradient in grad, and of
// the noise in other.
func (c *Chain) gradientSeen() {
	s, q := c.state, &c.health.directions
	if q.known {
		q.tangent(s, q.other)
	}
	if q.now < q.from { // the warm-up tells of the noise alone
		return
	}
	if q.leading != nil {
		q.leading.finish(q)
	}
	for _, k := range q.mirrored {
		q.other[q.index[k]] *= math.Sqrt(math.Abs(s.X[q.index[k]]))
	}
	if q.known {
		q.along(q.other, q.noise)
		q.trace += q.total(s, q.other)
	}
	q.along(s.X, q.x)
	q.tangent(s, q.grad)
	if q.curved {
		for _, k := range q.factors {
			f := &s.Factors[k]
			if f.Flat {
				continue
			}
			m := f.Space.Ambient()
			for at := f.Offset; at < f.Offset+f.Len; at += m {
				laplace := c.cfg.Temperature * float64(f.Space.Dim()) / flow.SumSquares(s.X[at:at+m])
				for i := at; i < at+m; i++ {
					q.grad[i] += float64(laplace * s.X[i])
				}
			}
		}
	}
	q.along(q.grad, q.g)
	q.projections(s)
	for _, k := range q.mirrored {
		x := math.Abs(q.x[k])
		q.g[k] = float64(q.x[k]*q.g[k]) - c.cfg.Temperature
		q.x[k] = x
		q.lambda.set(k, k, x)
	}
}

// total is the squared length of a vector of the state in the watched blocks.
func (q *directions) total(s *flow.State, u []float64) float64 {
	sum := 0.0
	for _, k := range q.factors {
		f := &s.Factors[k]
		sum += flow.SumSquares(u[f.Offset : f.Offset+f.Len])
	}
	return sum
}

// add takes an observation of the given weight.
func (q *directions) add(s *flow.State, temperature, weight float64) {
	if q.count == 0 {
		copy(q.center, q.x)
		q.length = 1
	}
	q.count++
	q.weight += weight
	if q.moving {
		q.along(s.V, q.v)
	}
	t, noise := &q.current, q.sumN[q.count%2]
	t.weight += weight
	for b := range q.n {
		x := q.x[b] - q.center[b]
		wx := float64(weight * x)
		q.sumX[b] += wx
		t.g[b] += float64(weight * q.g[b])
		wv := float64(weight * q.v[b])
		for a := range q.n {
			k := b*q.n + a
			l := float64(float64(weight*temperature) * q.lambda.a[k])
			t.xg.a[k] += float64(wx*q.g[a]) - l
			t.vv.a[k] += float64(wv*q.v[a]) - l
			q.sumXX.a[k] += float64(wx * (q.x[a] - q.center[a]))
			q.sumL.a[k] += float64(weight * q.lambda.a[k])
			noise.a[k] += float64(q.noise[b] * q.noise[a])
		}
	}
	q.close()
}

// close ends the batch at hand where it is full, and joins neighbours where all
// are.
func (q *directions) close() {
	if q.current.weight < q.length {
		return
	}
	q.all[q.filled].clear()
	q.all[q.filled].add(&q.current)
	q.current.clear()
	if q.filled++; q.filled < mostTalles {
		return
	}
	for i := range mostTalles / 2 {
		a, b := &q.all[2*i], &q.all[2*i+1]
		if a.add(b); i > 0 {
			q.all[i], q.all[2*i] = q.all[2*i], q.all[i]
		}
	}
	q.filled /= 2
	q.length *= 2
}

// walk visits what has been observed, for a checkpoint.
func (q *directions) walk(d *loop.Codec) {
	if q.n == 0 {
		return
	}
	if q.leading != nil {
		q.leading.walk(d, q)
	}
	filled := int64(q.filled)
	d.Int(&q.count)
	d.Int(&filled)
	q.filled = int(min(max(filled, 0), mostTalles-1))
	for _, x := range []*float64{&q.weight, &q.trace, &q.length} {
		d.Float(x)
	}
	for _, x := range [][]float64{q.center, q.sumX, q.sumXX.a, q.sumL.a, q.sumN[0].a, q.sumN[1].a, q.sumR.a} {
		d.Floats(x)
	}
	q.current.walk(d)
	for i := range q.filled {
		q.all[i].walk(d)
	}
}

func (t *tally) walk(d *loop.Codec) {
	d.Float(&t.weight)
	d.Floats(t.g)
	d.Floats(t.xg.a)
	d.Floats(t.vv.a)
}

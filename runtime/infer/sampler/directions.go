package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/infer/sampler/noise"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// directions records, during a run, how draws, velocities and the gradient's noise
// differ between directions of the state; means over a block hide this. For any two
// directions a and b and any fixed c, integration by parts gives
//
//	E[(b·(x − c)) (a·Λ∇U + T λ a·x)] = T E[a·Λb],  E[(a·v)(b·v)] = T E[a·Λb],
//
// with −λ a·x the Laplacian of a·x (0 on R^n, see curvedHealth on curved spaces).
// Both hold for any noise and any order of minibatches, provided that ∇U is evaluated
// at the draws, on rows that are drawn separately and so are independent of the state.
// The difference between the two halves of such a minibatch estimates the covariance of
// the gradient's noise.
//
// In mirrored blocks x stays positive and integration by parts has a boundary at 0.
// There Λ is diag(x), the inverse of the metric that the sampler uses, and T replaces
// the term of the Laplacian: E[(x_b − c_b) (x_a ∂_aU − T)] = T E[x_a] if a = b, else 0.
//
// A state of at most wholeState coordinates is observed coordinate by coordinate. Of a larger one,
// a few leading directions of the noise are observed, which the warm-up finds (see leading). Rows
// for these gradients come from a random stream that nothing else uses, so draws do not depend on
// them. At first every tenth step is observed; the distance grows with the run, so observations
// cost less than a tenth of the time.
type directions struct {
	observedAlong
	observedWhen
	rowGradients
	observation
	observedSums
	batches
}

// observedAlong says along which directions the state is observed.
type observedAlong struct {
	n        int
	index    []int     // coordinates that are observed one by one
	leading  *leading  // otherwise, directions of many coordinates
	factors  []int     // the blocks that are observed
	curved   bool      // one of the blocks is curved
	mirrored []int     // entries of index whose sign has no meaning
	moving   bool      // the blocks have velocities, under one sampler
	point    []float64 // buffer for one point of a curved block
	// direction is a buffer for a vector of the state, used if coordinates are not observed one by
	// one and a block is curved.
	direction []float64
}

// observedWhen says at which steps directions are observed.
type observedWhen struct {
	from, every int64
	now         int64 // the current step, from 0
}

// rowGradients has the gradients that observations are computed from.
type rowGradients struct {
	source      rowSource
	known       bool // the gradient's noise is observed
	stream      rng.Stream
	src         rng.Source // for targets that draw rows themselves
	rows        []int
	grad, other []float64 // buffers for gradients of the whole state
	borrowed    bool      // they are arrays of the chain's state
	noiseScale  float64
}

// An observation has the current values along the observed directions.
type observation struct {
	x, g, v, noise []float64
	lambda         matrix.Square
}

// observedSums are sums over observations.
type observedSums struct {
	count  int64   // number of observations
	weight float64 // their total weight
	center []float64
	sumX   []float64
	sumXX  matrix.Square    // sums for x − center
	sumL   matrix.Square    // sums of Λ
	sumN   [2]matrix.Square // sums for the noise, of even and of odd observations
	// sumR is that of N² Cov, the covariance that --grad-noise fisher removes from the kick's noise.
	sumR  matrix.Square
	trace float64
}

// A rowSource says which rows gradients for health come from.
type rowSource int

const (
	ownRows  rowSource = iota // drawn for these gradients alone; evaluated at the draws
	allRows                   // all rows, evaluated at the draws
	stepRows                  // the rows of the step; evaluated where the step takes its gradient
)

const (
	wholeState = 32 // most coordinates that are observed one by one
	lookEvery  = 10 // steps between observations, at first
	// The distance doubles after this many observations, and again after twice as many steps.
	lookDense  = 8192
	mostTalles = 32 // number of batches of observations
)

// A batches holds sums of residuals over consecutive parts of the run, from which the
// Monte Carlo error along any direction is computed.
type batches struct {
	length  float64 // weight of a full batch
	filled  int
	all     []tally
	current tally
}

// A tally holds the sums of one batch.
type tally struct {
	weight float64
	g      []float64     // sum of a·Λ∇U + T λ a·x
	xg     matrix.Square // sum of (b·(x − c)) (a·Λ∇U + T λ a·x) − T a·Λb, at (b, a)
	vv     matrix.Square // sum of (a·v)(b·v) − T a·Λb
}

func newTally(n int) tally {
	return tally{g: make([]float64, n), xg: matrix.New(n), vv: matrix.New(n)}
}

func (t *tally) clear() {
	t.weight = 0
	clear(t.g)
	clear(t.xg.A)
	clear(t.vv.A)
}

func (t *tally) add(u *tally) {
	t.weight += u.weight
	for _, p := range [][2][]float64{{t.g, u.g}, {t.xg.A, u.xg.A}, {t.vv.A, u.vv.A}} {
		for i, x := range p[1] {
			p[0][i] += x
		}
	}
}

// sameLaw returns the blocks for which the identities above hold: those at the chain's
// temperature, without a boundary, under a sampler whose law depends on its step.
func (c *Chain) sameLaw() (factors []int, coordinates int) {
	if c.row.Exact() {
		return nil, 0
	}
	mirrors := c.fewFlat()
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		if c.part(k).cfg.Temperature == c.cfg.Temperature && f.Dim() > 0 &&
			(mirrors || f.Space.Kind() != "mirrored") {
			factors = append(factors, k)
			coordinates += f.Len
		}
	}
	return factors, coordinates
}

// fewFlat reports whether the state is on R^n and has few coordinates.
func (c *Chain) fewFlat() bool {
	for k := range c.state.Factors {
		if !c.state.Factors[k].Flat {
			return false
		}
	}
	return len(c.state.X) <= wholeState
}

func newDirections(c *Chain) directions {
	q := directions{observedWhen: observedWhen{from: c.cfg.Warmup, every: lookEvery}}
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
	case streams && c.batches != nil:
		q.source, q.known = stepRows, c.cfg.Batch > 1
	case c.batches == nil || c.exact():
		q.source = allRows
	default:
		q.source, q.known = ownRows, true
		q.stream = c.stream(purposeLook)
		q.rows = make([]int, c.cfg.Batch+c.cfg.Batch%2)
	}
	q.noiseScale = 1
	if b, rows := float64(c.cfg.Batch), float64(max(c.target.Rows(), 1)); q.known &&
		c.cfg.BatchOrder != string(batch.Replace) {
		q.noiseScale = math.Sqrt(max(1-b/rows, 0))
	}
	if n >= manyCoordinates {
		q.every = healthStride(longRun+1, n)
	}
	q.every = max(q.every, residentStride(&c.cfg, n))
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
		if q.curved {
			q.direction = make([]float64, n)
		}
	}
	if q.n == 0 {
		return q
	}
	q.borrowed = c.single != nil && q.source != stepRows && len(s.Xi) == n
	if q.borrowed {
		q.grad, q.other = s.Force, s.Xi
	} else {
		q.grad, q.other = make([]float64, n), make([]float64, n)
	}
	for _, p := range []*[]float64{&q.x, &q.g, &q.v, &q.noise, &q.center, &q.sumX} {
		*p = make([]float64, q.n)
	}
	for _, p := range []*matrix.Square{&q.lambda, &q.sumXX, &q.sumL, &q.sumN[0], &q.sumN[1],
		&q.sumR} {
		*p = matrix.New(q.n)
	}
	for i := range q.n {
		q.lambda.Set(i, i, 1)
	}
	q.all, q.current = make([]tally, mostTalles), newTally(q.n)
	for i := range q.all {
		q.all[i] = newTally(q.n)
	}
	return q
}

// spacing returns the number of steps between observations near step t.
func (q *directions) spacing(t int64) int64 {
	every := q.every
	for most := (t - q.from) / lookDense; every <= most; { // a product by lookDense could overflow
		every *= 2
	}
	return every
}

// wants reports whether step t, counted from 0, is observed, and records t.
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

// along writes the components of a vector of the state along the directions.
func (q *directions) along(x, out []float64) {
	if q.leading != nil {
		for k := range out {
			out[k] = q.leading.along(k, x)
		}
		return
	}
	for k, i := range q.index {
		out[k] = x[i]
	}
}

// tangent projects a vector of the state onto the tangent spaces of the observed
// blocks, in place.
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

// projections computes a·Λb for all pairs of observed directions a and b.
func (q *directions) projections(s *flow.State) {
	if !q.curved {
		return
	}
	if q.leading != nil {
		for k := range q.n {
			kernel.Widen(q.direction, q.leading.direction(k))
			q.tangent(s, q.direction)
			for l := range q.n {
				q.lambda.Set(k, l, q.leading.along(l, q.direction))
			}
		}
		return
	}
	at := 0 // index of the block's first coordinate among the observed ones
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
						q.lambda.Set(at+p+j, at+p+i, x)
					}
				}
			}
		}
		at += f.Len
	}
}

// gradientAtStep records x and ∇Ũ at the point where the step takes its gradient.
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
		c.eval.Gradient(s.X, c.rows[:half], float64(c.growth.rows)/float64(half), c.cfg.Temperature,
			q.other)
		// Only the sum over rows is used: the prior's part cancels.
		scale := q.noiseScale * math.Sqrt(float64(half)/float64(b-half))
		for i := range q.other {
			q.other[i] = scale * (q.other[i] + q.grad[i])
		}
	}
	c.gradientSeen()
}

// drawRows draws the rows for gradients that are computed for health alone.
func (q *directions) drawRows(c *Chain, n int) {
	if d, ok := c.target.(rowDrawer); ok {
		q.src = q.stream.At(uint64(q.now))
		d.DrawRows(&q.src, q.rows)
		return
	}
	src := q.stream.At(uint64(q.now))
	for i := range q.rows {
		q.rows[i] = src.IntN(n)
	}
}

// look observes the state at the end of a step. What it borrows of a state in single precision has
// its numbers again from there.
func (c *Chain) look() {
	c.lookAlong()
	if c.health.directions.borrowed {
		c.state.Single.Publish()
	}
}

func (c *Chain) lookAlong() {
	s, q := c.state, &c.health.directions
	switch q.source {
	case allRows:
		c.eval.Gradient(s.X, nil, 1, c.cfg.Temperature, q.grad)
		for i := range q.grad {
			q.grad[i] = -q.grad[i]
		}
		c.gradientSeen()
	case ownRows:
		n := c.target.Rows()
		q.drawRows(c, n)
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

// takenOut records the variance that --grad-noise fisher removes from the kick along the tangent
// parts of the directions.
func (q *directions) takenOut(s *flow.State, shape noise.Shape) {
	for k := range q.n {
		u := q.grad // the gradient has been used, so its memory is free
		q.tangentDirection(s, k, u)
		shape.Times(u, q.other)
		q.tangent(s, q.other)
		q.along(q.other, q.noise)
		for l, x := range q.noise {
			q.sumR.A[k*q.n+l] += x
		}
	}
}

// tangentDirection writes the projection of the k-th direction onto the tangent spaces.
func (q *directions) tangentDirection(s *flow.State, k int, u []float64) {
	if q.leading != nil {
		kernel.Widen(u, q.leading.direction(k))
	} else {
		clear(u)
		u[q.index[k]] = 1
	}
	q.tangent(s, u)
}

// gradientSeen records the components of x, of the gradient in grad and of the noise in
// other along the directions.
func (c *Chain) gradientSeen() {
	s, q := c.state, &c.health.directions
	if q.known {
		q.tangent(s, q.other)
	}
	if q.now < q.from { // in the warm-up, only the noise is recorded
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
		q.lambda.Set(k, k, x)
	}
}

// total returns the squared length of a vector of the state over the observed blocks.
func (q *directions) total(s *flow.State, u []float64) float64 {
	sum := 0.0
	for _, k := range q.factors {
		f := &s.Factors[k]
		sum += flow.SumSquares(u[f.Offset : f.Offset+f.Len])
	}
	return sum
}

// add adds the current observation with the given weight.
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
			l := float64(float64(weight*temperature) * q.lambda.A[k])
			t.xg.A[k] += float64(wx*q.g[a]) - l
			t.vv.A[k] += float64(wv*q.v[a]) - l
			q.sumXX.A[k] += float64(wx * (q.x[a] - q.center[a]))
			q.sumL.A[k] += float64(weight * q.lambda.A[k])
			noise.A[k] += float64(q.noise[b] * q.noise[a])
		}
	}
	q.close()
}

// close ends the current batch if it is full. If all batches are full, it joins pairs of
// neighbours.
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

// walk reads or writes the observations, for a checkpoint.
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
	// a damaged checkpoint may have any number here; its parity selects a sum
	q.count = max(q.count, 0)
	q.filled = int(min(max(filled, 0), mostTalles-1))
	for _, x := range []*float64{&q.weight, &q.trace, &q.length} {
		d.Float(x)
	}
	for _, x := range [][]float64{q.center, q.sumX, q.sumXX.A, q.sumL.A, q.sumN[0].A, q.sumN[1].A,
		q.sumR.A} {
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
	d.Floats(t.xg.A)
	d.Floats(t.vv.A)
}

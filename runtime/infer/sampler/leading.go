package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// leading finds, in the second half of the warm-up, the directions of a large state
// along which the gradient's noise exceeds most what the thermostats correct. It uses
// the algorithm of frequent directions (Ghashami, Liberty, Phillips and Woodruff 2016)
// on the observed noise, with memory for four to sixteen vectors of the state, in single
// precision. If each thermostat covers one coordinate or one point, noise is measured in units
// of the standard deviation of the noise that this thermostat covers.
type leading struct {
	rank            int
	from, to, every int64 // range of the observed steps, and the distance between them
	seen, settle    int64 // observations so far, and how many of the first only estimate the scales
	filled          int
	rows            [][]float32 // 2·rank vectors of the state
	scaled          bool        // noise has scales
	square          []float32   // mean squares by coordinate, while scales are used; otherwise nil
	// own is 2 D T/h, the variance of the injected noise, in units of the gradient's.
	own           float64
	done          bool // rows are orthonormal and no longer change
	gram, vectors matrix.Square
	column        []float64
	order         []int
	wide          [1024]float64 // buffer for a part of a row
}

const (
	noiseLooks  = 256 // observations of the noise in a warm-up
	noiseScales = 32  // how many of these only estimate the scales
)

func newLeading(c *Chain, n int) *leading {
	rank := 8
	switch {
	case n >= veryMany:
		rank = 2
	case n >= manyCoordinates:
		rank = 4
	}
	w := c.cfg.Warmup
	l := &leading{rank: rank, from: w / 2, to: w, every: max(1, (w-w/2)/noiseLooks)}
	l.settle = min(noiseScales, (w-w/2)/l.every/4)
	l.scaled = c.any(func(p *part) bool { return p.row.Thermostat() })
	l.setOwn(c)
	l.begin(n)
	l.gram, l.vectors = matrix.New(2*rank), matrix.New(2*rank)
	l.column, l.order = make([]float64, 2*rank), make([]int, 2*rank)
	return l
}

// begin makes the arrays of a warm-up that are not there.
func (l *leading) begin(n int) {
	if l.scaled && l.square == nil {
		l.square = make([]float32, n)
	}
	for len(l.rows) < 2*l.rank {
		l.rows = append(l.rows, make([]float32, n))
	}
}

// setOwn sets the noise of the kick.
func (l *leading) setOwn(c *Chain) {
	if p := &c.parts[0]; p.schedule.At(0) > 0 {
		l.own = 2 * p.cfg.Friction * c.cfg.Temperature / p.schedule.At(0)
	}
}

func (l *leading) wants(t int64) bool { return t >= l.from && t < l.to && (t-l.from)%l.every == 0 }

// direction returns the k-th direction, a unit vector. It is 0 if the warm-up was too short.
func (l *leading) direction(k int) []float32 { return l.rows[k] }

// along returns the inner product of the k-th direction and a vector of the state.
func (l *leading) along(k int, x []float64) float64 {
	row, sum := l.rows[k], 0.0
	for at := 0; at < len(row); at += len(l.wide) {
		end := min(at+len(l.wide), len(row))
		part := l.wide[:end-at]
		kernel.Widen(part, row[at:end])
		sum += kernel.Dot(part, x[at:end])
	}
	return sum
}

// add adds an observation of the noise.
func (l *leading) add(s *flow.State, q *directions) {
	l.seen++
	if l.square != nil && l.seen <= l.settle {
		for i, x := range q.other {
			l.square[i] += float32(float64(x*x) / float64(l.settle))
		}
		if l.seen == l.settle {
			l.share(s)
		}
		return
	}
	row := l.rows[l.filled]
	clear(row)
	for _, k := range q.factors {
		f := &s.Factors[k]
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			x := q.other[i]
			if l.square != nil {
				x /= math.Sqrt(l.own + float64(l.square[i]))
			}
			row[i] = float32(x)
		}
	}
	if l.filled++; l.filled == len(l.rows) {
		l.compress(true)
	}
}

// share replaces the squares of the coordinates under one thermostat by their mean.
func (l *leading) share(s *flow.State) {
	for k := range s.Factors {
		f := &s.Factors[k]
		n := 1
		switch f.Grain {
		case flow.Point:
			n = f.Space.Ambient()
		case flow.All, flow.Constant:
			n = f.Len
		}
		for at := f.Offset; at < f.Offset+f.Len; at += n {
			mean := 0.0
			for _, x := range l.square[at : at+n] {
				mean += float64(x) / float64(n)
			}
			for i := at; i < at+n; i++ {
				l.square[i] = max(float32(mean), math.SmallestNonzeroFloat32)
			}
		}
	}
}

// compress reduces the rows to their leading directions. It subtracts the square of the
// first direction that is dropped, so that no direction has more than was observed.
func (l *leading) compress(shrink bool) {
	n := l.filled
	gram, vectors := matrix.Square{N: n, A: l.gram.A[:n*n]},
		matrix.Square{N: n, A: l.vectors.A[:n*n]}
	for i := range n {
		for j := range i + 1 {
			x := kernel.Dot32(l.rows[i], l.rows[j])
			gram.Set(i, j, x)
			gram.Set(j, i, x)
		}
	}
	gram.Eigen(vectors)
	order := matrix.Sorted(gram, l.order[:n])
	keep := min(l.rank, n)
	less := 0.0
	if shrink && keep < n {
		less = gram.At(order[keep], order[keep])
	}
	for i := range keep {
		at := order[i]
		scale, size := 0.0, gram.At(at, at)
		if size > 1e-12*gram.At(order[0], order[0]) && size > 0 {
			if scale = math.Sqrt(max(1-less/size, 0)); !shrink {
				scale = 1 / math.Sqrt(size)
			}
		}
		for j := range n {
			vectors.Set(j, at, float64(scale*vectors.At(j, at)))
		}
	}
	matrix.Combine(l.rows[:n], vectors, order[:keep], l.column[:n])
	l.filled = keep
}

// finish fixes the directions: they do not change after the warm-up.
func (l *leading) finish(q *directions) {
	if l.done {
		return
	}
	l.done = true
	l.compress(false)
	for _, row := range l.rows[l.filled:] {
		clear(row)
	}
	l.settled(q)
}

// settled lets go what only a warm-up needs, and finds what projections onto directions that no
// longer change need.
func (l *leading) settled(q *directions) {
	l.rows, l.square = slices.Clone(l.rows[:l.rank]), nil
	l.project(q)
}

// project writes the inner products of the directions into a matrix; if all are orthonormal, it is
// the identity.
func (l *leading) project(q *directions) {
	for i := range l.rank {
		for j := range l.rank {
			q.lambda.Set(i, j, kernel.Dot32(l.rows[i], l.rows[j]))
		}
	}
}

// walk reads or writes the directions found in the warm-up, for a checkpoint.
func (l *leading) walk(d *loop.Codec, q *directions) {
	filled, done := int64(l.filled), int64(0)
	if l.done {
		done = 1
	}
	d.Int(&l.seen)
	d.Int(&filled)
	d.Int(&done)
	l.filled, l.done = int(min(max(filled, 0), int64(2*l.rank-1))), done == 1
	if !l.done {
		l.begin(len(l.rows[0]))
	}
	rows := l.rows[:l.filled]
	if l.done {
		rows = l.rows[:l.rank]
	} else {
		d.Singles(l.square)
	}
	for _, row := range rows {
		d.Singles(row)
	}
	if d.Reading() && l.done {
		l.settled(q)
	}
}

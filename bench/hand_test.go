package bench

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A hand is the yardstick: sampler and model in one loop, as a person writes
// them who knows the algorithm, the data and what is fast, with the runtime's
// random normals and exponentials. It looks at nothing besides: no statistics of
// health, no test for states that are not finite, no clock, no settings.
type hand struct {
	d           *dataset
	sparse      bool
	batch       int
	h, friction float64

	x, v, xi, decay, g, noise []float64
	residual                  []float64
	rows                      []int
	step                      int
	kick, shuffle             rng.Stream
}

func newHand(d *dataset, sparse bool, c settings) *hand {
	n := d.sparse.Cols + 1
	vector := func() []float64 { return make([]float64, n) }
	l := &hand{d: d, sparse: sparse, batch: c.batch, h: c.step, friction: c.friction,
		x: vector(), v: vector(), xi: vector(), decay: vector(), g: vector(), noise: vector(),
		residual: make([]float64, d.sparse.Rows), rows: make([]int, d.sparse.Rows),
		kick: rng.New(c.seed, 0, rng.Noise), shuffle: rng.New(c.seed, 0, rng.Batch)}
	src := rng.New(c.seed, 0, rng.Momentum).At(0)
	for i := range l.v {
		l.v[i] = src.Normal()
		l.xi[i] = c.friction
	}
	return l
}

// gradient writes −∇Ũ over a minibatch into g.
func (l *hand) gradient(rows []int) {
	n := len(l.x) - 1
	w, b, g := l.x[:n], l.x[n], l.g[:n]
	for i, a := range w {
		g[i] = -0.1 * a
	}
	// First the predictors of all rows: rows that are not in the cache then come
	// while others are added.
	scale, total := float64(l.d.sparse.Rows)/float64(len(rows)), 0.0
	e := l.residual[:len(rows)]
	for k, r := range rows {
		a := b
		if l.sparse {
			for _, c := range l.d.sparse.Index[l.d.sparse.Indptr[r]:l.d.sparse.Indptr[r+1]] {
				a += w[c]
			}
		} else {
			a += dot(l.d.dense[r], w)
		}
		e[k] = a
	}
	special.SigmoidSlice(e, e)
	for k, r := range rows {
		e := scale * (l.d.y[r] - e[k])
		total += e
		if l.sparse {
			for _, c := range l.d.sparse.Index[l.d.sparse.Indptr[r]:l.d.sparse.Indptr[r+1]] {
				g[c] += e
			}
		} else {
			x := l.d.dense[r]
			g := g[:len(x)]
			for i, a := range x {
				g[i] += e * a
			}
		}
	}
	l.g[n] = total - 0.1*b
}

// dot adds in four sums, because one would wait for itself.
func dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for i, v := range x {
		a += v * y[i]
	}
	return (a + b) + (c + d)
}

// next is the step's minibatch of a shuffled pass.
func (l *hand) next() []int {
	perPass := (len(l.rows) + l.batch - 1) / l.batch
	at := l.step % perPass
	if at == 0 {
		src := l.shuffle.At(uint64(l.step / perPass))
		src.Perm(l.rows)
	}
	return l.rows[at*len(l.rows)/perPass : (at+1)*len(l.rows)/perPass]
}

// sgld takes a step of Welling and Teh (2011).
func (l *hand) sgld() {
	l.gradient(l.next())
	l.kick.Normals(uint64(l.step), l.noise)
	x, g, u := l.x, l.g[:len(l.x)], l.noise[:len(l.x)]
	sd := math.Sqrt(2 * l.h)
	for i := range x {
		x[i] += l.h*g[i] + sd*u[i]
	}
	l.step++
}

// msgnht takes a step of Li et al. (2016), split, in two passes over the state.
func (l *hand) msgnht() {
	n, half := len(l.x), l.h/2
	x, v, xi, e := l.x, l.v[:n], l.xi[:n], l.decay[:n]
	for i := range x {
		p := v[i]
		x[i] += half * p
		z := xi[i] + (p*p-1)*half
		xi[i] = z
		e[i] = -half * z
	}
	special.ExpSlice(e, e)
	l.gradient(l.next())
	l.kick.Normals(uint64(l.step), l.noise)
	g, u := l.g[:n], l.noise[:n]
	sd := math.Sqrt(2 * l.friction * l.h)
	for i := range x {
		p := (v[i]*e[i] + l.h*g[i] + sd*u[i]) * e[i]
		v[i] = p
		x[i] += half * p
		xi[i] += (p*p - 1) * half
	}
	l.step++
}

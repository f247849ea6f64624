package bench

import (
	"math"
	"math/rand/v2"
)

// A first is the same samplers as a person writes them first, with nothing but
// the standard library: a loop a formula, a normal and an exponential at a time,
// rows drawn with replacement.
type first struct {
	d           *dataset
	sparse      bool
	batch       int
	h, friction float64
	x, v, xi, g []float64
	random      *rand.Rand
}

func newFirst(d *dataset, sparse bool, c settings) *first {
	n := d.sparse.Cols + 1
	f := &first{d: d, sparse: sparse, batch: c.batch, h: c.step, friction: c.friction,
		x: make([]float64, n), v: make([]float64, n), xi: make([]float64, n), g: make([]float64, n),
		random: rand.New(rand.NewPCG(c.seed, 0))}
	for i := range f.v {
		f.v[i] = f.random.NormFloat64()
		f.xi[i] = c.friction
	}
	return f
}

// add adds a row's gradient, times scale, to g.
func (f *first) add(r int, scale float64) {
	last := len(f.x) - 1
	a := f.x[last]
	if f.sparse {
		for j := f.d.sparse.Indptr[r]; j < f.d.sparse.Indptr[r+1]; j++ {
			a += f.x[f.d.sparse.Index[j]]
		}
	} else {
		for i, x := range f.d.dense[r] {
			a += x * f.x[i]
		}
	}
	e := scale * (f.d.y[r] - 1/(1+math.Exp(-a)))
	if f.sparse {
		for j := f.d.sparse.Indptr[r]; j < f.d.sparse.Indptr[r+1]; j++ {
			f.g[f.d.sparse.Index[j]] += e
		}
	} else {
		for i, x := range f.d.dense[r] {
			f.g[i] += e * x
		}
	}
	f.g[last] += e
}

func (f *first) prior() {
	for i, x := range f.x {
		f.g[i] = -x / 10
	}
}

// full is the gradient over every row.
func (f *first) full() {
	f.prior()
	for r := range f.d.y {
		f.add(r, 1)
	}
}

func (f *first) gradient() {
	f.prior()
	for range f.batch {
		f.add(f.random.IntN(f.d.sparse.Rows), float64(f.d.sparse.Rows)/float64(f.batch))
	}
}

func (f *first) sgld() {
	f.gradient()
	for i := range f.x {
		f.x[i] += f.h*f.g[i] + math.Sqrt(2*f.h)*f.random.NormFloat64()
	}
}

func (f *first) msgnht() {
	f.drift()
	f.thermostat()
	f.damp()
	f.gradient()
	for i := range f.v {
		f.v[i] += f.h*f.g[i] + math.Sqrt(2*f.friction*f.h)*f.random.NormFloat64()
	}
	f.damp()
	f.drift()
	f.thermostat()
}

func (f *first) drift() {
	for i := range f.x {
		f.x[i] += f.h / 2 * f.v[i]
	}
}

func (f *first) thermostat() {
	for i := range f.xi {
		f.xi[i] += f.h / 2 * (f.v[i]*f.v[i] - 1)
	}
}

func (f *first) damp() {
	for i := range f.v {
		f.v[i] *= math.Exp(-f.h / 2 * f.xi[i])
	}
}

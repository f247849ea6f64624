package approximate

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// The moves of particles: Hamiltonian trajectories with a metric by the covariance of the
// particles, and a step by the acceptance of the trajectories before (Buchholz, Chopin and Jacob
// 2021, "Adaptive tuning of Hamiltonian Monte Carlo within sequential Monte Carlo").
const (
	firstMove    = 0.7 // step, in standard deviations, by the fourth root of the dimension
	trajectory   = 1.5 // length, in standard deviations
	longestMove  = 32  // steps
	aimedAccept  = 0.8
	movesWanted  = 1.0 // sum of acceptances at a temperature
	movesAtEnd   = 2.0
	movesOn      = 8.0 // of finished particles
	mostSweeps   = 10
	mostSweepsOn = 40
	mostDenseSMC = 100
)

// A mover moves particles. It is for one goroutine.
type mover struct {
	*evaluator
	p, g, next, v, gz []float64
}

func newMover(in *space) *mover {
	m := &mover{evaluator: in.evaluator(1)}
	for _, p := range []*[]float64{&m.p, &m.g, &m.next, &m.v, &m.gz} {
		*p = make([]float64, in.dim())
	}
	return m
}

// density is log p and its gradient: −∞ where one of them is not finite.
func (m *mover) density(z, grad []float64) float64 {
	v := m.gradient(z, nil, 1, 1, grad)
	if math.IsInf(v, 1) {
		return math.Inf(-1)
	}
	return v
}

// A metric is a factor of the covariance of particles: a lower triangle, or a diagonal.
type metric struct {
	chol, sd []float64
}

// velocity writes C p.
func (m *metric) velocity(p, v []float64) {
	d := len(p)
	for i := range p {
		if m.chol == nil {
			v[i] = float64(m.sd[i] * p[i])
		} else {
			v[i] = kernel.Dot(m.chol[i*d:i*d+i+1], p[:i+1])
		}
	}
}

// force writes Cᵀ g.
func (m *metric) force(g, out []float64) {
	d := len(g)
	if m.chol == nil {
		for i, v := range g {
			out[i] = float64(m.sd[i] * v)
		}
		return
	}
	clear(out)
	for i, v := range g {
		kernel.Axpy(v, m.chol[i*d:i*d+i+1], out[:i+1])
	}
}

// metric is that of the weighted particles. With few of them the correlations are drawn to zero.
func (c *cloud) metric() *metric {
	d := c.d
	mean, m := make([]float64, d), &metric{sd: make([]float64, d)}
	for i, w := range c.weight {
		kernel.Axpy(w, c.z[i*d:(i+1)*d], mean)
	}
	dense := d <= mostDenseSMC && c.n >= 5*d
	var cov []float64
	if dense {
		cov = make([]float64, d*d)
	}
	x := make([]float64, d)
	for i, w := range c.weight {
		for j := range x {
			x[j] = c.z[i*d+j] - mean[j]
			m.sd[j] += float64(float64(w*x[j]) * x[j])
		}
		for j := range x {
			if dense {
				kernel.Axpy(float64(w*x[j]), x[:j+1], cov[j*d:j*d+j+1])
			}
		}
	}
	if dense {
		keep := float64(c.n) / float64(c.n+d)
		for j := range d {
			for k := range j {
				cov[j*d+k] *= keep
			}
		}
		chol := make([]float64, d*d)
		if kernel.Cholesky(chol, cov, 1, d); finite(chol) {
			m.chol = chol
		}
	}
	for j, v := range m.sd {
		m.sd[j] = math.Sqrt(v)
	}
	return m
}

// goOn moves the particles of the posterior on, by which their drift is seen.
func (c *cloud) goOn() error {
	c.before = slices.Clone(c.z)
	return c.moves(movesOn, mostSweepsOn)
}

// move moves all particles at a new temperature.
func (c *cloud) move() error {
	if c.t == 1 {
		return c.moves(movesAtEnd, mostSweeps)
	}
	return c.moves(movesWanted, mostSweeps)
}

// moves moves all particles, until enough moves were accepted.
func (c *cloud) moves(wanted float64, most int) error {
	by := c.metric()
	sum, sweeps := 0.0, 0
	rates := make([]float64, c.n)
	stream := rng.New(c.f.c.Seed, c.run, purposeMove)
	for ; sum < wanted && sweeps < most; sweeps++ {
		length := int(min(max(math.Ceil(trajectory/c.step), 1), longestMove))
		base := uint64(c.sweeps) * uint64(c.n)
		err := c.each(func(m *mover, i int) {
			rates[i] = 0
			if c.weight[i] > 0 {
				rates[i] = c.trajectory(m, by, i, length, stream.At(base+uint64(i)))
			}
		})
		if err != nil {
			return err
		}
		rate := kernel.Dot(rates, c.weight)
		c.step = min(c.step*special.Exp(rate-aimedAccept), trajectory)
		sum += rate
		c.sweeps++
	}
	c.accepted = min(c.accepted, sum/float64(sweeps))
	return nil
}

// trajectory moves a particle by some leapfrog steps and the test of Metropolis, and returns the
// probability with which the move was accepted.
func (c *cloud) trajectory(m *mover, by *metric, i, length int, src rng.Source) float64 {
	d := c.d
	z, g := c.z[i*d:(i+1)*d], c.grad[i*d:(i+1)*d]
	for k := range m.p {
		m.p[k] = src.Normal()
	}
	step := c.step * (0.6 + float64(0.6*src.Float64()))
	length = 1 + int(src.Float64()*float64(length))
	logp, logq := c.logp[i], c.logq[i]
	before := c.at(logp, logq) - float64(kernel.Dot(m.p, m.p)/2)
	copy(m.next, z)
	copy(m.g, g)
	for range length {
		c.kick(m, by, step/2)
		by.velocity(m.p, m.v)
		kernel.Axpy(step, m.v, m.next)
		if logp = m.density(m.next, m.g); math.IsInf(logp, -1) {
			return 0
		}
		c.kick(m, by, step/2)
	}
	logq = c.law.log
	for k, v := range m.next {
		u := (v - c.law.Mean[k]) / c.law.Scale[k]
		logq -= float64(float64(u*u) / 2)
	}
	gain := c.at(logp, logq) - float64(kernel.Dot(m.p, m.p)/2) - before
	if math.IsNaN(gain) {
		return 0
	}
	rate := special.Exp(min(gain, 0))
	if src.Float64() < rate {
		copy(z, m.next)
		copy(g, m.g)
		c.logp[i], c.logq[i] = logp, logq
	}
	return rate
}

// at is the log density at the temperature.
func (c *cloud) at(logp, logq float64) float64 {
	return float64(c.t*logp) + float64((1-c.t)*logq)
}

// kick changes the momentum by the gradient at the next point.
func (c *cloud) kick(m *mover, by *metric, step float64) {
	for k, v := range m.next {
		s := c.law.Scale[k]
		m.gz[k] = float64(c.t*m.g[k]) - float64((1-c.t)*(v-c.law.Mean[k]))/float64(s*s)
	}
	by.force(m.gz, m.v)
	kernel.Axpy(step, m.v, m.p)
}

package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A tunedPart is what a tuner knows of the blocks that share settings.
type tunedPart struct {
	on       bool // the step is found
	friction bool // and the friction
	kind     tunedKind
	blocks   []int // of the state
	dim      float64
	tunedRun
	measured

	step    float64
	damping float64 // the friction
	bound   float64 // which term of the rule bounds the step
}

// tunedRun is what a tuner knows of the run beforehand, and how the warm-up goes.
type tunedRun struct {
	steps  float64 // of the run
	inner  float64 // steps on one minibatch
	passes float64 // of the run over the rows; 0: no minibatches
	rows   float64
	ratio  float64 // the rows, over those of a minibatch
	pass   float64 // the steps of a pass without replacement; 0: minibatches are independent
	hot    bool    // the chain is in the part of the warm-up that hurries
	moving bool    // it had not come to rest by the end of that, and will not do so in the run
	draws  float64 // if so: the effective draws that the run would have at most
}

// measured is what the looks of a tuner have measured.
type measured struct {
	curvature float64 // the largest eigenvalue of −∇∇ log density, mean over the last looks
	most      float64 // the largest of them, of those before less
	trace     float64 // of V, the covariance of a minibatch's gradient
	square    float64 // the trace of V²
	least     float64 // the mean variance of the coordinates of one thermostat, where it is least
}

// A tunedKind says which rule the step of a sampler follows.
type tunedKind int

const (
	withVelocity tunedKind = iota
	overdamped             // the position moves by the force
	preconditioned
	mirroredDrift
)

func kindOf(r *table.Row) tunedKind {
	switch {
	case r.Velocity:
		return withVelocity
	case r.Preconditioner:
		return preconditioned
	case r.Space == table.Mirrored:
		return mirroredDrift
	}
	return overdamped
}

// The rule for step and friction. With a velocity the variance of x in a direction of
// curvature λ is (1 − h²λ/4) of what it should be, at the end of a split step; without
// one it is 1/(1 − hλ/2). Noise of variance V heats it by κ = V h/(2D), with D = 1 without
// a velocity; thermostats take up what is the same in all directions that one covers, and
// leave what differs.
//
// Minibatches of passes without replacement have noise that adds up to nothing over a
// pass. Under constant friction the part φ of it that is left in the velocity heats that
// much less, and the draws less still. A thermostat is raised by what is left in the velocity,
// which is more, and draws of what moves little in a pass are the narrower for it: see survives.
const (
	overdampedShare = 0.1  // hλ without a velocity
	hurriedDrift    = 0.5  // hλ of a run that hurries, without a velocity
	hurriedShare    = 1.0  // h²λ of a run that hurries
	hurriedTop      = 2.0  // and of the largest λ
	hurriedTime     = 10.0 // friction times the time of a run that hurries
	constantNoise   = 0.08 // φκ under constant friction, and without a velocity
	thermostatNoise = 0.15 // κ under thermostats
	narrowNoise     = 0.04 // and φκ there, with passes without replacement
	mostNoise       = 0.3  // κ, whatever φ
	leastDamping    = 0.1  // D/√λ
	largeNoise      = 1.0  // h²V/T, whatever κ is
	fewDraws        = 10   // effective draws that a chain is to have, before κ is small
)

// excess returns by how much the noise is larger than that of rows whose law is the
// model's: there the noise of a minibatch of n of N rows is N/n times the curvature.
func (p *tunedPart) excess() float64 {
	if p.ratio == 0 || !(p.curvature > 0) {
		return 1
	}
	return max(1, p.topNoise()/(p.ratio*p.curvature))
}

// leastShare returns the κ at which the run has fewDraws effective draws, +Inf where it
// has too few passes for them. Near a posterior of many rows the noise of a minibatch is
// about N/n times the curvature, so that an effective draw takes 1 + 1/κ passes; more
// passes if there is more noise than that.
func (p *tunedPart) leastShare() float64 {
	few := fewDraws * p.excess()
	switch {
	case p.hot || p.moving:
		return math.Inf(1)
	case p.passes == 0:
		return 0
	case p.passes <= few:
		return math.Inf(1)
	}
	return few / (p.passes - few)
}

// needed returns how many passes a run needs at least that hurries.
func (p *tunedPart) needed() float64 {
	few := fewDraws * p.excess()
	if p.moving {
		few = max(few, p.passes*fewDraws/p.draws)
	}
	return few
}

// hurries reports whether the run is too short to come to the posterior. Such a run is on
// its way, and is to come far: small steps and much friction would leave it where it
// begins. Its health says how hot it is.
func (p *tunedPart) hurries() bool { return math.IsInf(p.leastShare(), 1) }

// boundNames are the terms of the rule that may bound a step.
var boundNames = []string{"", "curvature", "noise", "friction", "grad_noise"}

// topNoise returns about the largest eigenvalue of V. The mean eigenvalue in which each
// weighs as much as its noise is below it by a factor, 1 if all are equal, and up to 2 if
// they are spread evenly over many magnitudes.
func (p *tunedPart) topNoise() float64 {
	if !(p.trace > 0) {
		return 0
	}
	even := p.trace / p.dim
	weighed := max(p.square/p.trace, even)
	return min(weighed*(2-even/weighed), p.trace)
}

// rule returns the largest step that keeps to the rule, and the friction for it, where κ
// may be share and the step and friction may cost as much as κ beyond its own rule does.
func (p *tunedPart) rule(c *settings.Config) (step, friction float64) {
	t, v, heats := c.Temperature, p.inner*p.topNoise(), p.inner*p.trace/(p.dim*p.hurriedHeat())
	own := p.noiseShare(c)
	share := max(own, p.leastShare())
	beyond := share / own // 1 in a long run, +Inf in one that hurries
	step = math.Inf(1)
	bound := p.bounds(&step)
	if p.kind != withVelocity {
		bound(1, min(overdampedShare*beyond, hurriedDrift)/p.curvature)
		bound(1, min(4*overdampedShare*beyond, 2*hurriedDrift)/p.most)
		if v > 0 {
			bound(2, min(2*share*t/v, 2*t/heats))
		}
		return step, c.Friction
	}
	damped := (1 - 1/beyond) * p.drag(c) / (4 * t)
	for _, b := range [][2]float64{
		{p.curvature, min(stiffShare*beyond, hurriedShare)},
		{p.most, min(largeShare*beyond, hurriedTop)},
	} {
		y := b[1] / b[0] // h² without friction
		n := y * damped
		bound(1, math.Sqrt(y*math.Sqrt(1+float64(n*n))))
	}
	row, _ := table.Lookup(c.Sampler)
	if p.friction {
		if v > 0 { // the friction that the noise asks for, at the most that a step can have
			bound(2, math.Sqrt(min(2*share*dampShare, largeNoise)*beyond*t/v))
		}
		friction = max(leastDamping*math.Sqrt(p.curvature)/beyond, v*step/(2*share*t),
			hurriedTime/(p.steps*step),
			special.Asinh(step*step*heats/(2*t))/step)
	} else {
		if friction = c.Friction; friction > 0 {
			bound(3, dampShare/friction)
		}
		switch {
		case !(v > 0):
		case friction > 0:
			bound(2, min(2*share*friction*t/v, math.Sqrt(largeNoise*beyond*t/v)))
			if !row.Thermostat() {
				bound(2, 2*friction*t/heats)
			}
		default:
			bound(2, math.Sqrt(noiseShare*beyond*t/v))
		}
	}
	if c.GradNoise > 0 { // by which the kick is reduced
		bound(4, 0.9*2*friction*t/c.GradNoise)
	}
	return step, friction
}

// bounds returns a function that makes a step smaller where a term of the rule asks for
// it, and remembers which does.
func (p *tunedPart) bounds(step *float64) func(by, h float64) {
	return func(by, h float64) {
		if h < *step {
			*step, p.bound = h, by
		}
	}
}

// drag returns the variance of the noise that raises the friction in all directions of a
// run that hurries: by thermostats, or by the rule for the friction.
//
// With a friction D the step A B O B A of an oscillator of curvature λ is stable if h²λ <
// 4 cosh(Dh/2). A thermostat that takes up noise of variance V comes to sinh(Dh) = h²V/2T,
// where cosh²(Dh/2) = (1 + (1 + (h²V/2T)²)^½)/2.
func (p *tunedPart) drag(c *settings.Config) float64 {
	switch row, _ := table.Lookup(c.Sampler); {
	case row.Thermostat():
		return p.least
	case !p.friction:
		return 0
	}
	return p.trace / (p.dim * p.hurriedHeat())
}

// hurriedHeat returns the mean κ over all directions that noise may have in a run that
// hurries: with 1 it adds as much to the energy as the posterior has by itself, half a nat
// a coordinate. It may add a tenth of a nat a row, where that is more.
func (p *tunedPart) hurriedHeat() float64 { return max(1, 0.2*p.rows/p.dim) }

// noiseShare returns how large κ may be. The noise that remains after a pass depends on step and
// friction; those of the last look are used.
func (p *tunedPart) noiseShare(c *settings.Config) float64 {
	row, _ := table.Lookup(c.Sampler)
	share := constantNoise
	if row.Thermostat() {
		share = thermostatNoise
	}
	if p.pass == 0 || p.step == 0 {
		return share
	}
	pass := p.pass * p.step
	switch {
	case p.kind != withVelocity:
		return min(mostNoise, constantNoise/max(1-real(triangle(complex(p.curvature*pass, 0))), 1e-3))
	case row.Thermostat():
		_, v := survives(1e-2*p.curvature, p.damping, pass)
		return min(thermostatNoise, narrowNoise/max(v, 1e-3))
	}
	_, v := survives(p.curvature, p.damping, pass)
	return min(mostNoise, constantNoise/max(v, 1e-3))
}

// observe adds the curvature of a look.
func (p *tunedPart) observe(l float64, looks int64) {
	if !(l > 0 && special.Finite(l)) {
		if looks > 0 {
			return
		}
		l = 1
	}
	w := 1 / float64(min(looks+1, tunerMemory))
	p.curvature += float64(w * (l - p.curvature))
	p.most = max(l, 0.9*p.most)
}

// shift adds to the thermostats of the part.
func (p *tunedPart) shift(c *Chain, by float64) {
	for n, i := range p.blocks {
		f := &c.state.Factors[i]
		if n > 0 && f.Grain == flow.All {
			break // it covers all blocks of the part
		}
		for k := f.XiAt; k < f.XiAt+f.XiLen; k++ {
			c.state.Xi[k] += by
		}
	}
}

// settle puts thermostats to where the noise of minibatches will have raised them:
// by themselves they rise and fall by no more than T in a unit of time, and a friction of
// many steps' time is far larger. In the beginning, when the chain is hot or cold,
// they start there anew; later they are moved by as much as the estimate of the noise is.
func (p *tunedPart) settle(c *Chain, of *part, anew bool) {
	if !of.row.Thermostat() {
		return
	}
	t := c.tuner
	h, left := of.cfg.Step, 1.0
	if p.pass > 0 {
		_, left = survives(1e-2*p.curvature, p.friction0(of), p.pass*h)
	}
	left *= p.inner / (2 * of.cfg.Temperature)
	drag := of.state.Friction
	put := func(k int, v float64) {
		to := special.Asinh(h*(drag+left*h*v))/h - drag
		if anew {
			c.state.Xi[k] = of.cfg.StartXi() + to
		} else {
			c.state.Xi[k] += to - t.taken[k]
		}
		t.taken[k] = to
	}
	p.each(c, put)
}

// each calls f with the place of every thermostat of the part, and the mean variance of
// the noise in the coordinates that it covers.
func (p *tunedPart) each(c *Chain, f func(k int, v float64)) {
	t := c.tuner
	for n, i := range p.blocks {
		b := &c.state.Factors[i]
		switch b.Grain {
		case flow.Coordinate:
			for k := range b.XiLen {
				f(b.XiAt+k, t.variance[b.Offset+k])
			}
		case flow.Point:
			m := b.Space.Ambient()
			for k := range b.XiLen {
				sum := 0.0
				for _, v := range t.variance[b.Offset+k*m : b.Offset+(k+1)*m] {
					sum += v
				}
				f(b.XiAt+k, sum/float64(b.Space.Dim()))
			}
		case flow.All:
			if n == 0 {
				f(b.XiAt, p.trace/p.dim)
			}
		}
	}
}

// friction0 is the friction without what thermostats have taken up.
func (p *tunedPart) friction0(of *part) float64 {
	if p.friction {
		return p.damping
	}
	return max(of.cfg.Friction, 1e-12)
}

// give hands the found settings to a part of the chain.
func (p *tunedPart) give(c *Chain, of *part) {
	of.cfg.Step = p.step
	if p.friction {
		of.cfg.Friction, of.state.Friction = p.damping, p.damping
	}
	if s, err := scheme.ParseSchedule(of.cfg.Schedule, p.step, of.cfg.Steps()); err == nil {
		of.schedule = s
	}
}

func (p *tunedPart) walk(d *loop.Codec) {
	flag(d, &p.hot)
	flag(d, &p.moving)
	for _, x := range []*float64{&p.draws, &p.curvature, &p.most, &p.trace, &p.square, &p.least,
		&p.step, &p.damping, &p.bound} {
		d.Float(x)
	}
}

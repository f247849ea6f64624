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

// A tunedPart has the measurements and the settings of the blocks that share settings.
type tunedPart struct {
	on       bool // the step is to be found
	friction bool // the friction is to be found
	kind     tunedKind
	blocks   []int // indices of its blocks in the state
	dim      float64
	tunedRun
	measured

	step    float64
	damping float64 // the friction
	bound   float64 // index in boundNames of the term that limits the step
}

// tunedRun has what a tuner knows of the length of the run and of the state of the warm-up.
type tunedRun struct {
	steps  float64 // number of steps of the run
	inner  float64 // steps on one minibatch
	passes float64 // passes of the run over the rows; 0 without minibatches
	rows   float64
	ratio  float64 // number of rows divided by that of a minibatch
	pass   float64 // steps of a pass without replacement; 0 if minibatches are independent
	hot    bool    // the chain is in the part of the warm-up with the largest steps
	moving bool    // it had not settled at the end of that part, and will not do so in the run
	draws  float64 // if moving: an upper bound on the effective draws of the run
}

// measured has the averages of a tuner's measurements.
type measured struct {
	curvature float64 // the largest eigenvalue of −∇∇ log density, averaged over recent measurements
	most      float64 // the largest of these values, with less weight for older ones
	trace     float64 // of V, the covariance of a minibatch's gradient
	square    float64 // the trace of V²
	// the mean variance over the coordinates of one thermostat, for the thermostat with the least
	least float64
}

// A tunedKind says which rule applies to the step of a sampler.
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
	overdampedShare = 0.1  // limit of hλ without a velocity
	hurriedDrift    = 0.5  // limit of hλ in a run that is too short, without a velocity
	hurriedShare    = 1.0  // limit of h²λ in a run that is too short
	hurriedTop      = 2.0  // limit of h²λ there for the largest λ
	hurriedTime     = 10.0 // friction times the time of such a run
	constantNoise   = 0.08 // limit of φκ under constant friction, and without a velocity
	thermostatNoise = 0.15 // limit of κ under thermostats
	narrowNoise     = 0.04 // limit of φκ there, with passes without replacement
	mostNoise       = 0.3  // limit of κ, for any φ
	leastDamping    = 0.1  // lower limit of D/√λ
	largeNoise      = 1.0  // limit of h²V/T, for any κ
	fewDraws        = 10   // effective draws that a chain must have before κ is made small
)

// excess returns the factor by which the noise exceeds that of rows from the model's own law, for
// which the noise of a minibatch of n of N rows is N/n times the curvature.
func (p *tunedPart) excess() float64 {
	if p.ratio == 0 || !(p.curvature > 0) {
		return 1
	}
	return max(1, p.topNoise()/(p.ratio*p.curvature))
}

// leastShare returns the κ at which the run has fewDraws effective draws; +Inf if it has too few
// passes for them. Near a posterior of many rows the noise of a minibatch is about N/n times the
// curvature, so that an effective draw takes 1 + 1/κ passes, and more if there is more noise.
func (p *tunedPart) leastShare() float64 {
	few := float64(fewDraws * p.excess())
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

// needed returns the least number of passes that a run needs to reach the posterior.
func (p *tunedPart) needed() float64 {
	few := float64(fewDraws * p.excess())
	if p.moving {
		few = max(few, p.passes*fewDraws/p.draws)
	}
	return few
}

// hurries reports whether the run is too short to reach the posterior. Such a run should move as
// far as it can: small steps and much friction would leave it near its start. Its health reports by
// how much its draws are too hot.
func (p *tunedPart) hurries() bool { return math.IsInf(p.leastShare(), 1) }

// boundNames has the names of the rule's terms that may limit a step.
var boundNames = []string{"", "curvature", "noise", "friction", "grad_noise"}

// topNoise approximates the largest eigenvalue of V by the mean eigenvalue, weighted by the
// eigenvalues. It is too low by a factor between 1, if all are equal, and 2, if they are spread
// evenly over many magnitudes.
func (p *tunedPart) topNoise() float64 {
	if !(p.trace > 0) {
		return 0
	}
	even := p.trace / p.dim
	weighed := max(p.square/p.trace, even)
	return min(weighed*(2-even/weighed), p.trace)
}

// rule returns the largest step that satisfies the rule, and the friction for it.
func (p *tunedPart) rule(c *settings.Config) (step, friction float64) {
	t, v, heats := c.Temperature, p.inner*p.topNoise(), p.inner*p.trace/(p.dim*p.hurriedHeat())
	own := p.noiseShare(c)
	share := max(own, p.leastShare())
	beyond := share / own // 1 in a long run, +Inf in one that is too short
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
		if v > 0 { // the friction for this noise, at the largest possible step
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
	if c.GradNoise > 0 { // the variance by which the kick is reduced
		bound(4, 0.9*2*friction*t/c.GradNoise)
	}
	return step, friction
}

// bounds returns a function that limits the step to h, and records which term of the rule, by, gave
// the limit.
func (p *tunedPart) bounds(step *float64) func(by, h float64) {
	return func(by, h float64) {
		if h < *step {
			*step, p.bound = h, by
		}
	}
}

// drag returns the variance of the noise that raises the friction in all directions in a run that
// is too short: by thermostats, or by the rule for the friction.
//
// With a friction D the step A B O B A of an oscillator of curvature λ is stable if h²λ < 4
// cosh(Dh/2). A thermostat that takes up noise of variance V comes to sinh(Dh) = h²V/2T, where
// cosh²(Dh/2) = (1 + (1 + (h²V/2T)²)^½)/2.
func (p *tunedPart) drag(c *settings.Config) float64 {
	switch row, _ := table.Lookup(c.Sampler); {
	case row.Thermostat():
		return p.least
	case !p.friction:
		return 0
	}
	return p.trace / (p.dim * p.hurriedHeat())
}

// hurriedHeat returns the mean κ over all directions that noise may have in a run that is too
// short. With 1, noise adds as much energy as the posterior has, half a nat per coordinate. It may
// add a tenth of a nat per row, if that is more.
func (p *tunedPart) hurriedHeat() float64 { return max(1, 0.2*p.rows/p.dim) }

// noiseShare returns the limit of κ. The noise that remains after a pass depends on step and
// friction; those of the last measurement are used.
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

// observe adds a measurement of the curvature to the averages.
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

// shift adds to the thermostat variables of the part.
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

// settle sets thermostat variables to the value that the noise of minibatches will raise them to.
// By themselves they change by at most T per unit of time, and the friction may be far from that.
// With anew they start there, since the chain may be hot or cold; otherwise they are moved by the
// change of the estimated noise.
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
		to := special.Asinh(h*(drag+float64(left*h*v)))/h - drag
		if anew {
			c.state.Xi[k] = of.cfg.StartXi() + to
		} else {
			c.state.Xi[k] += to - t.taken[k]
		}
		t.taken[k] = to
	}
	p.each(c, put)
}

// each calls f for every thermostat of the part, with its index and the mean variance of the noise
// in the coordinates that it covers.
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

// friction0 returns the friction without the amount that thermostats add for the noise.
func (p *tunedPart) friction0(of *part) float64 {
	if p.friction {
		return p.damping
	}
	return max(of.cfg.Friction, 1e-12)
}

// give sets the found settings in a part of the chain.
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

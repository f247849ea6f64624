package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/flow"
	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/scheme"
)

// A tunedPart is what a tuner knows of the blocks that share settings.
type tunedPart struct {
	on       bool // the step is found
	friction bool // and the friction
	kind     tunedKind
	blocks   []int // of the state
	dim      float64
	share    float64 // the least κ that the run has time for
	pass     float64 // the steps of a pass without replacement; 0: minibatches are independent

	curvature float64 // the largest eigenvalue of −∇∇ log density, mean over the last looks
	most      float64 // the largest of them, of those before less
	trace     float64 // of V, the covariance of a minibatch's gradient
	square    float64 // the trace of V²
	step      float64
	damping   float64 // the friction
	bound     float64 // which term of the rule bounds the step
}

// A tunedKind says which rule the step of a sampler follows.
type tunedKind int

const (
	withVelocity tunedKind = iota
	overdamped             // the position moves by the force
	preconditioned
	mirroredDrift
)

func kindOf(r *Row) tunedKind {
	switch {
	case r.Velocity:
		return withVelocity
	case r.Preconditioner:
		return preconditioned
	case r.Space == mirroredKind:
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
// much less, and the draws less still. A thermostat is raised by what is left in the velocity, which is more, and
// draws of what moves little in a pass are the narrower for it: see survives.
const (
	overdampedShare = 0.1  // hλ without a velocity
	constantNoise   = 0.08 // φκ under constant friction, and without a velocity
	thermostatNoise = 0.15 // κ under thermostats
	narrowNoise     = 0.04 // and φκ there, with passes without replacement
	mostNoise       = 0.3  // κ, whatever φ
	leastDamping    = 0.1  // D/√λ
	largeNoise      = 1.0  // h²V/T, whatever κ is
	fewDraws        = 10   // effective draws that a chain is to have, before κ is small
)

// A posterior of N rows has a curvature of about the noise of N minibatches of one row, so
// that an effective draw takes 1 + 1/κ passes over the rows. hastyShare returns the κ at
// which a run of so many passes has fewDraws of them. Runs of few passes are on their way
// to the posterior, and are to come far: small steps and much friction would leave them
// where they begin. The health of such a run says how hot it is.
func hastyShare(passes float64) float64 {
	if passes <= fewDraws {
		return math.Inf(1)
	}
	return fewDraws / (passes - fewDraws)
}

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

// rule returns the largest step that keeps to the rule, and the friction for it.
func (p *tunedPart) rule(c *Config) (step, friction float64) {
	t, v := c.Temperature, p.topNoise()
	share := max(p.noiseShare(c), p.share)
	step = math.Inf(1)
	bound := func(by float64, h float64) {
		if h < step {
			step, p.bound = h, by
		}
	}
	if p.kind != withVelocity {
		bound(1, overdampedShare/p.curvature)
		bound(1, 4*overdampedShare/p.most)
		if v > 0 {
			bound(2, 2*share*t/v)
		}
		return step, c.Friction
	}
	bound(1, math.Sqrt(stiffShare/p.curvature))
	bound(1, math.Sqrt(largeShare/p.most))
	if p.friction {
		if v > 0 { // the friction that the noise asks for, at the most that a step can have
			bound(2, math.Sqrt(min(2*share*dampShare, largeNoise)*t/v))
		}
		friction = max(leastDamping*math.Sqrt(p.curvature), v*step/(2*share*t))
	} else {
		if friction = c.Friction; friction > 0 {
			bound(3, dampShare/friction)
		}
		if v > 0 && friction > 0 {
			bound(2, min(2*share*friction*t/v, math.Sqrt(largeNoise*t/v)))
		} else if v > 0 {
			bound(2, math.Sqrt(noiseShare*t/v))
		}
	}
	if c.GradNoise > 0 {
		bound(4, 0.9*2*friction*t/c.GradNoise)
	}
	return step, friction
}

// noiseShare returns how large κ may be. What is left of the noise of a pass depends on
// step and friction, for which those of the last look stand.
func (p *tunedPart) noiseShare(c *Config) float64 {
	row, _ := Lookup(c.Sampler)
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
	if !(l > 0 && finite(l)) {
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
	h, left := of.cfg.Step/(2*of.cfg.Temperature), 1.0
	if p.pass > 0 {
		_, left = survives(1e-2*p.curvature, p.friction0(of), p.pass*of.cfg.Step)
	}
	h *= left
	put := func(k int, v float64) {
		to := float64(v * h)
		if anew {
			c.state.Xi[k] = of.cfg.startXi() + to
		} else {
			c.state.Xi[k] += to - t.taken[k]
		}
		t.taken[k] = to
	}
	for n, i := range p.blocks {
		f := &c.state.Factors[i]
		switch f.Grain {
		case flow.Coordinate:
			for k := range f.XiLen {
				put(f.XiAt+k, t.variance[f.Offset+k])
			}
		case flow.Point:
			m := f.Space.Ambient()
			for k := range f.XiLen {
				sum := 0.0
				for _, v := range t.variance[f.Offset+k*m : f.Offset+(k+1)*m] {
					sum += v
				}
				put(f.XiAt+k, sum/float64(f.Space.Dim()))
			}
		case flow.All:
			if n == 0 {
				put(f.XiAt, p.trace/p.dim)
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
	for _, x := range []*float64{&p.curvature, &p.most, &p.trace, &p.square, &p.step, &p.damping, &p.bound} {
		d.Float(x)
	}
}

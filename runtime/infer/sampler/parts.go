package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A part has the blocks of a chain that share the same settings: their state, a section of the
// arrays of the chain's state, and a program that moves it.
type part struct {
	cfg      settings.Config // settings of this part
	row      *table.Row
	schedule scheme.Schedule
	state    *flow.State
	program  *scheme.Program
}

// newParts divides the chain's state into parts, from resolved settings. A single part uses the
// state itself; several parts take a joint step.
func (c *Chain) newParts(factors []manifold.Factor) error {
	groups, of := c.cfg.Groups(factors)
	if len(groups) == 0 {
		groups = []settings.Group{{Config: c.cfg}}
	}
	diffusion, _, err := c.cfg.Synthetic()
	if err != nil {
		return err
	}
	c.of, c.parts = of, make([]part, len(groups))
	layout := make([]flow.Part, len(groups))
	for k := range groups {
		p := &c.parts[k]
		p.cfg = groups[k].Config
		p.row, _ = table.Lookup(p.cfg.Sampler)
		if p.schedule, err = scheme.ParseSchedule(p.cfg.Schedule, p.cfg.Step, p.cfg.Steps()); err != nil {
			return err
		}
		grain, _ := p.row.Grain(p.cfg.Thermostat)
		layout[k] = flow.Part{
			Params: flow.Params{
				Temperature: p.cfg.Temperature, Friction: p.cfg.Friction,
				GradNoise: p.cfg.GradNoise, Diffusion: diffusion,
				Decay: p.cfg.PreconditionerDecay, Lambda: p.cfg.PreconditionerLambda,
				Rows: float64(max(c.target.Rows(), 1)),
			},
			Options: flow.Options{Velocity: p.row.Velocity, Grain: grain,
				Preconditioner: p.row.Preconditioner, Synthetic: diffusion > 0},
		}
	}
	views := make([]*flow.State, 1)
	if len(groups) == 1 {
		c.state = flow.NewState(factors, c.target.Dim(), layout[0].Params, layout[0].Options)
		views[0] = c.state
	} else {
		c.state, views = flow.NewParts(factors, c.target.Dim(), of, layout)
	}
	c.state.Gradient = c.computeGradient
	programs := make([]*scheme.Program, len(groups))
	for k := range c.parts {
		p := &c.parts[k]
		word, _ := p.row.Scheme(p.cfg.Scheme)
		steps, err := scheme.Compile(word)
		if err != nil {
			return err
		}
		p.state, p.program = views[k], scheme.NewProgram(views[k], steps)
		programs[k] = p.program
	}
	c.row, c.program = c.parts[0].row, c.parts[0].program
	if len(groups) > 1 {
		c.joint, c.sizes = scheme.NewJoint(c.computeGradient, programs...),
			make([]float64, len(groups))
		for k := range c.parts {
			if c.parts[k].cfg.Temperature != c.cfg.Temperature {
				c.tempered = [2][]float64{make([]float64, len(c.state.X)),
					make([]float64, len(c.state.X))}
			}
		}
	}
	return nil
}

// mixed reports whether some blocks have different settings.
func (c *Chain) mixed() bool { return c.joint != nil }

// part returns the part of a factor of the state.
func (c *Chain) part(factor int) *part {
	if len(c.parts) == 1 {
		return &c.parts[0]
	}
	return &c.parts[c.of[factor]]
}

// partNamed returns the part of a block.
func (c *Chain) partNamed(block string) *part {
	for k := range c.state.Factors {
		if c.state.Factors[k].Name == block {
			return c.part(k)
		}
	}
	return &c.parts[0]
}

// any reports whether is holds for a part.
func (c *Chain) any(is func(p *part) bool) bool {
	for k := range c.parts {
		if is(&c.parts[k]) {
			return true
		}
	}
	return false
}

// together takes a joint step of all parts.
func (c *Chain) together() {
	for k := range c.parts {
		c.sizes[k] = c.parts[k].schedule.At(c.step)
	}
	c.joint.Run(c.sizes)
}

// temper corrects the force of blocks whose temperature differs from that of the first part: log|J|
// must have their own temperature as its weight. ∇f is affine in this weight, and its slope ∇log|J|
// is the difference of two gradients without rows.
func (c *Chain) temper() {
	none := []int(nil)
	if c.target.Rows() > 0 {
		none = c.nothing[:0]
	}
	with, without := c.tempered[0], c.tempered[1]
	c.eval.Gradient(c.state.X, none, 0, 1, with)
	c.eval.Gradient(c.state.X, none, 0, 0, without)
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		d := c.part(k).cfg.Temperature - c.cfg.Temperature
		if d == 0 {
			continue
		}
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			c.state.Force[i] += float64(d * (with[i] - without[i]))
		}
	}
}

// lastSize returns the step size of a part's last step.
func (c *Chain) lastSize(p *part) float64 {
	if !c.mixed() {
		return c.lastStepSize()
	}
	return p.schedule.At(max(c.step-1, 0))
}

// finite reports whether the state is finite.
func (c *Chain) finite() bool {
	if c.mixed() {
		return c.state.Finite()
	}
	return c.program.Finite()
}

// kinetic returns ‖v‖²/d of a block.
func kinetic(s *flow.State, f *flow.Factor) float64 {
	if f.Still {
		return math.NaN()
	}
	return flow.SumSquares(s.V[f.Offset:f.Offset+f.Len]) / float64(f.Dim())
}

// xiMean returns the mean thermostat variable of a block, or its friction.
func (c *Chain) xiMean(k int) float64 {
	s, f := c.state, &c.state.Factors[k]
	if f.Grain == flow.Constant {
		if c.mixed() && f.Still {
			return math.NaN()
		}
		return c.part(k).cfg.Friction
	}
	sum := 0.0
	for _, x := range s.Xi[f.XiAt : f.XiAt+f.XiLen] {
		sum += x
	}
	return sum / float64(f.XiLen)
}

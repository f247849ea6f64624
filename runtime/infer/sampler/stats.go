package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
)

// Stats describes the state of a draw. Slices have one entry per block of the state, in the order
// of Blocks, and are valid until the next draw.
type Stats struct {
	Step         int64     // steps taken
	Warmup       bool      // a state of the warm-up, handed out on request
	StepSize     float64   // h of the last step; with several samplers, that of the first block
	Temperature  float64   // T; with several samplers, that of the first block
	StepSizes    []float64 // h and T of each block
	Temperatures []float64
	Kinetic      []float64 // ‖v‖²/d, expected T; NaN without velocities
	Xi           []float64 // mean of the block's ξ, or D; NaN without friction
	GradNorm     float64   // ‖∇Ũ‖ of the last step's gradient, scaled to all rows
	// LP is the log density of the draw over all rows, with its Jacobian; NaN unless requested.
	LP         float64
	LPEst      float64 // its estimate from the step's minibatch; NaN unless requested
	BatchSize  int     // rows of the last step
	Acceptance float64 // probability of the last Metropolis test; NaN without one
	Diverging  bool    // the energy error of the last trajectory exceeded its limit
	// For nuts: doublings and leapfrog steps of the last trajectory, whether it reached the greatest
	// depth, and the energy of the draw.
	Depth, Leapfrogs int
	Deepest          bool
	Energy           float64
}

// Blocks returns the names of the blocks, in the order of Stats and Health.
func (c *Chain) Blocks() []string {
	out := make([]string, len(c.state.Factors))
	for i, f := range c.state.Factors {
		out[i] = f.Name
	}
	return out
}

// Stats returns the description of the current state. It is valid until the next call.
func (c *Chain) Stats() *Stats {
	s, st := c.state, &c.stats
	st.Step = c.step
	st.Warmup = c.step <= c.cfg.Warmup
	st.StepSize = c.lastStepSize()
	st.Temperature = c.cfg.Temperature
	for i := range s.Factors {
		f := &s.Factors[i]
		p := c.part(i)
		st.StepSizes[i], st.Temperatures[i] = c.lastSize(p), p.cfg.Temperature
		st.Kinetic[i] = kinetic(s, f)
		st.Xi[i] = c.xiMean(i)
		if c.row.Metropolis {
			st.Xi[i] = math.NaN()
		}
	}
	st.GradNorm = math.Sqrt(flow.SumSquares(s.Force))
	st.LP = math.NaN()
	if c.cfg.LogDensity {
		st.LP = c.eval.LogDensity(s.X, nil, 1, 1)
	}
	st.LPEst = math.NaN()
	if c.cfg.LogDensityEstimate {
		st.LPEst = c.lpEst()
	}
	st.BatchSize = c.batchSize()
	st.Acceptance = math.NaN()
	if c.row.Metropolis {
		st.Acceptance, st.Diverging = c.hmc.Last.Acceptance, c.hmc.Last.Diverging
		st.Leapfrogs = c.hmc.Leapfrogs()
	}
	if c.row.Tree {
		st.Depth, st.Deepest = c.hmc.Tree.Depth()
		st.Energy = c.hmc.Tree.Energy()
		for i := range st.Kinetic {
			st.Kinetic[i] = math.NaN() // single precision does not keep the velocity of the draw
		}
	}
	return st
}

// lpEst returns the minibatch's estimate of the log density, in the sense of LP.
func (c *Chain) lpEst() float64 {
	if c.hmc != nil && c.cfg.Temperature == 1 {
		if f, known := c.hmc.Density(); known {
			return f
		}
	}
	return c.eval.LogDensity(c.state.X, c.rows, c.scale, 1)
}

// batchSize returns the number of rows of the last step.
func (c *Chain) batchSize() int {
	if c.batches != nil {
		return len(c.rows)
	}
	if c.rowPilot != nil && c.step <= c.rowPilot.steps {
		return c.rowPilot.rows
	}
	return c.target.Rows()
}

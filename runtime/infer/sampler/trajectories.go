package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/hmc"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// newTrajectories sets up a chain whose sampler has a Metropolis test.
func (c *Chain) newTrajectories() (err error) {
	c.hmc = hmc.New(hmc.System{
		State: c.state, Program: c.program, Eval: c.eval, Config: c.cfg, Chain: c.number,
		Streams: hmc.Streams{
			Momentum: c.stream(rng.Momentum), Accept: c.stream(rng.Accept),
			Direction: c.stream(rng.Direction), Adapt: c.stream(rng.Adapt),
			Jitter: c.stream(purposeJitter),
		},
	})
	if c.cfg.Adapts() {
		if c.rowPilot, err = newRowPilot(c); err != nil {
			return err
		}
		begin := int64(0)
		if c.rowPilot != nil {
			begin = c.rowPilot.steps
		}
		c.hmc.Adaptation = hmc.NewAdaptation(c.hmc, begin, c.passRows())
		if m := c.hmc.Adaptation.Mapped; m != nil {
			c.mapped, c.eval = m, m
		}
	}
	if c.row.Tree {
		c.hmc.Tree = hmc.NewTree(c.hmc)
	}
	return nil
}

// adaptation returns the adaptation of a sampler with a Metropolis test; nil if the step is given,
// or the sampler has no such test.
func (c *Chain) adaptation() *hmc.Adaptation {
	if c.hmc == nil {
		return nil
	}
	return c.hmc.Adaptation
}

// stepSize returns h of the next step.
func (c *Chain) stepSize() float64 {
	if a := c.adaptation(); a != nil {
		next, _ := a.Size()
		return next
	}
	return c.parts[0].schedule.At(c.step)
}

// lastStepSize returns h of the last step.
func (c *Chain) lastStepSize() float64 {
	if a := c.adaptation(); a != nil {
		if _, last := a.Size(); last > 0 {
			return last
		}
	}
	if c.pilot != nil && c.pilot.chain != nil {
		return c.pilot.chain.lastStepSize()
	}
	return c.parts[0].schedule.At(max(c.step-1, 0))
}

// iterate takes one step of a sampler with a Metropolis test.
func (c *Chain) iterate() error {
	finite, err := c.hmc.Prime(c.step)
	if !finite {
		c.step++
		return c.diverged(c.stepSize())
	}
	if err != nil {
		return err
	}
	err = c.hmc.Iterate(c.step, c.stepSize())
	if c.observe {
		c.health.accept.Add(c.hmc.Last.Acceptance)
		c.health.gradient(c)
	}
	return err
}

// appendAcceptance appends the row of the mean probability of acceptance. If trajectories are
// hardly ever accepted, the step is too large.
func appendAcceptance(out []health.Row, chains []*Chain) []health.Row {
	var all []*health.Series
	for _, c := range chains {
		if s := &c.health.accept; c.row.Metropolis && s.N > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return out
	}
	mean, mcse := health.Merge(all)
	row := health.Row{Block: "all", Statistic: "acceptance_rate", Value: mean, Expected: math.NaN(),
		MCSE: mcse, Verdict: "ok"}
	if !(mean >= leastAcceptance) {
		row.Verdict = "off"
	}
	return append(out, row)
}

// leastAcceptance is half of the best acceptance for Hamiltonian trajectories in many dimensions
// (0.65, Beskos et al. 2013).
const leastAcceptance = 0.3

// appendEnergies appends the rows of nuts's trajectories.
func appendEnergies(out []health.Row, chains []*Chain) []health.Row {
	if len(chains) == 0 || !chains[0].row.Tree {
		return out
	}
	all := make([]*hmc.Energies, len(chains))
	for i, c := range chains {
		all[i] = &c.hmc.Tree.Energies
	}
	return hmc.AppendRows(out, all)
}

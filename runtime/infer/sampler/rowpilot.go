package sampler

import (
	"math"
	"math/bits"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// A rowPilot begins the warm-up of a sampler with a Metropolis test where rows are
// many: nuts on some of the rows, which finds where the posterior is and how its
// coordinates are scaled for a part of the price. The chain goes on from its state,
// in its metric, with all rows: these settle the step, and the metric where
// another is predicted to be better.
//
// A row counts once, not for N/n of them: the posterior of some rows then is the
// honest, wider one. A row that counts for several takes the noise of a subset for
// structure, which in a hierarchy puts the scale of the groups where the posterior
// of all rows is not. That the metric is too wide by N/n changes the step alone.
//
// Measured, a warm-up of 1000 with 850 of them the pilot's, passes over all rows + over
// the pilot's 10,000 (seeds 1, 2, 3; — where a run was cut off):
//
//	model, N                                        a row counts once             for N/n
//	logistic regression, 49,990 × 22, collinear     1097+9027  1241+9439  —            1002+8471  1124+9255  1048+8640
//	200 intercepts, τ = 0.1, Student t, 40,000      1995+16216 2048+17505 2048+17280    1919+15000 1947+14914 1887+15025
//	two normals, 40,000                             751+5082   798+5010   725+5079             740+4842   803+4859   —
//
// Rows that count for several save at most an eighth of the rows read. After it τ of the
// hierarchy had 42, 97, 118 effective draws of 150 where a row counted once, and
// 68, 46, 69 where it counted for four.
type rowPilot struct {
	chain     *Chain // nil after the end
	steps     int64
	rows      int
	gradients int64 // passes over its rows
}

const (
	pilotRowsEach = 20 // rows of a pilot for each coordinate, where that is more than pilotRows
	// iterations of the warm-up with all rows, where the kind of the metric is found
	polish = 150
)

// rowPilotSteps returns how many iterations of the warm-up are a pilot's, and how many
// rows it has; 0 where there is none.
func (c *Chain) rowPilotSteps() (steps int64, rows int) {
	n := max(pilotRows, pilotRowsEach*len(c.state.X))
	if !c.row.Metropolis || !c.cfg.Adapts() || c.cfg.Metric == adapt.MetricUnit ||
		c.target.Rows() <= n || c.cfg.Warmup < 2*settings.ShortestPilot ||
		!adapt.Flat(c.state.Factors) {
		return 0, 0
	}
	if of, ok := c.target.(interface{ Collapses() bool }); ok && of.Collapses() {
		return 0, 0 // all rows cost less than some
	}
	if adapt.Finds(c.cfg.Metric) {
		return c.cfg.Warmup - polish, n
	}
	return c.cfg.Warmup / 2, n
}

// newRowPilot makes the pilot of a chain, without its start; nil where there is none.
func newRowPilot(c *Chain) (*rowPilot, error) {
	steps, rows := c.rowPilotSteps()
	if steps == 0 {
		return nil, nil
	}
	cfg := settings.DefaultConfig()
	cfg.Sampler, cfg.Metric, cfg.Temperature = "nuts", c.cfg.Metric, c.cfg.Temperature
	cfg.Warmup, cfg.Draws = steps, 0
	src := c.stream(purposePilot).At(0)
	cfg.Seed = src.Uint64()
	cfg.MaxDepth = pilotDepth(rows)
	of := target.NewSubset(c.target, batch.Some(c.target.Rows(), rows, c.stream(purposePilotRows)), 1)
	cfg, err := cfg.Resolve(of)
	if err != nil {
		return nil, err
	}
	p := &rowPilot{steps: steps, rows: rows}
	p.chain, err = newChain(of, cfg, c.number)
	return p, err
}

// pilotDepth returns the greatest depth of a pilot on so many rows.
func pilotDepth(rows int) int {
	return min(max(bits.Len(uint(trajectoryRows/max(rows, 1)))-1, 6), settings.DefaultMaxDepth)
}

// rowPilotStep is a step of the pilot.
func (c *Chain) rowPilotStep() error {
	p, a := c.rowPilot, c.hmc.Adaptation
	of := p.chain
	if c.step == 0 {
		copy(of.state.X, c.state.X)
	}
	if err := of.Step(); err != nil {
		c.finished = err
		return err
	}
	copy(c.state.X, of.state.X)
	a.Follow(of.hmc.Adaptation)
	p.gradients = of.hmc.Adaptation.Gradients()
	c.hmc.Copy(of.hmc)
	if c.step++; c.step == p.steps {
		a.Adopt(of.hmc.Adaptation, math.Sqrt(float64(p.rows)/float64(c.target.Rows())))
		p.chain = nil
	}
	return nil
}

// walk visits what the pilot knows, for a checkpoint of its chain at a step.
func (p *rowPilot) walk(c *Chain, d *loop.Codec) {
	d.Int(&p.gradients)
	if c.step >= p.steps {
		if p.chain = nil; d.Reading() {
			c.hmc.Adaptation.Settle()
		}
		return
	}
	p.chain.walk(d)
	if d.Reading() {
		p.chain.hmc.Forget()
	}
}

// passRows returns how many rows a full pass of the chain's target reads.
func (c *Chain) passRows() int {
	if s, ok := c.target.(*target.Subset); ok {
		return s.Len()
	}
	return c.target.Rows()
}

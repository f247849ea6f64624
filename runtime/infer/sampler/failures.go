package sampler

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A NonFiniteError stops a chain at the first state that is not finite.
type NonFiniteError struct {
	Chain    int
	Block    string // empty for the log density
	Index    int    // the coordinate in the block
	Quantity string // "gradient", "position", "velocity", "thermostat" or "log density"
	Value    float64
	Step     int64 // counted from 1
	LastGood int64 // last step with a finite state; 0 is the start
	Warmup   bool
	StepSize float64
	Try      []string
}

func (e *NonFiniteError) Error() string {
	phase := ""
	if e.Warmup {
		phase = ", in warm-up"
	}
	size := ""
	if e.StepSize > 0 { // a sampler that adapts its step has none before the first step
		size = fmt.Sprintf(", step size %g", e.StepSize)
	}
	of := ""
	if e.Block != "" {
		of = fmt.Sprintf(" of block %s, coordinate %d,", e.Block, e.Index)
	}
	return fmt.Sprintf("chain %d diverged at step %d%s: the %s%s is %v (last good step %d%s); try %s",
		e.Chain, e.Step, phase, e.Quantity, of, e.Value, e.LastGood, size,
		strings.Join(e.Try, ", or "))
}

// A CheckpointError says that a checkpoint cannot be read or belongs to another run.
type CheckpointError struct{ Problem string }

func (e *CheckpointError) Error() string { return "checkpoint: " + e.Problem }

// diverged returns the error for a state that is not finite.
func (c *Chain) diverged(h float64) error {
	c.program.Publish()
	s := c.state
	e := &NonFiniteError{Chain: c.number, Step: c.step, LastGood: c.step - 1,
		Warmup: c.step <= c.cfg.Warmup, StepSize: h}
	// The gradient is the cause if it is not finite while x was. Otherwise it is the first quantity
	// that is not finite, in the order of the step.
	for _, q := range []struct {
		name string
		x    []float64
	}{{"gradient", s.Force}, {"velocity", s.V}, {"position", s.X}} {
		if i := special.FirstNonFinite(q.x); i >= 0 {
			e.Quantity, e.Value = q.name, q.x[i]
			e.Block, e.Index = c.blockOf(i)
			break
		}
	}
	switch {
	case e.Quantity != "":
	case len(s.Xi) == 0: // a chain that continues from a state with an infinite log density
		e.Quantity = "log density"
		e.Value, _ = c.hmc.Density()
	default: // v² overflowed in a thermostat: name the fastest coordinate
		e.Quantity, e.Value = "thermostat", s.Xi[max(special.FirstNonFinite(s.Xi), 0)]
		fast := 0
		for i, v := range s.V {
			if math.Abs(v) > math.Abs(s.V[fast]) {
				fast = i
			}
		}
		e.Block, e.Index = c.blockOf(fast)
	}
	if c.row.Metropolis {
		// trajectories with a Metropolis test return from such points, so only the present one can stop
		// them
		e.Try = []string{setting.Text("another {init}"), whichTerm}
		return e
	}
	p := c.partNamed(e.Block)
	if c.mixed() {
		h = c.lastSize(p)
		e.StepSize = h
	}
	e.Try = append(e.Try, setting.Sprintf("a smaller {step} (%.2g)", h/3))
	if p.row.Velocity && p.cfg.Scheme == "euler" {
		e.Try = append(e.Try, setting.Text("{scheme} split, which is stable at larger steps"))
	}
	if p.row.Velocity {
		e.Try = append(e.Try, setting.Sprintf("more {friction} (now %g)", p.cfg.Friction))
	}
	if e.LastGood < 100 {
		e.Try = append(e.Try, setting.Text("a better {init}"))
	}
	if e.Quantity == "gradient" && math.IsNaN(e.Value) {
		e.Try = append(e.Try, whichTerm)
	}
	return e
}

// whichTerm is the advice where a gradient is not finite.
const whichTerm = "`sgppl test`, which names terms that are not finite"

func (c *Chain) blockOf(i int) (string, int) {
	for _, b := range c.target.Blocks() {
		if i >= b.Offset && i < b.Offset+b.Len {
			return b.Name, i - b.Offset
		}
	}
	return "", i
}

package sampler

import (
	"fmt"
	"strings"
)

// A NonFiniteError stops a chain at the first state that is not finite.
type NonFiniteError struct {
	Chain    int
	Block    string // empty of the log density
	Index    int    // of the coordinate in the block
	Quantity string // "gradient", "position", "velocity", "thermostat" or "log density"
	Value    float64
	Step     int64 // steps count from 1
	LastGood int64 // the last step whose state was finite; 0 is the start
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
	if e.StepSize > 0 { // a sampler that finds its step has none before the first
		size = fmt.Sprintf(", step size %g", e.StepSize)
	}
	of := ""
	if e.Block != "" {
		of = fmt.Sprintf(" of block %s, coordinate %d,", e.Block, e.Index)
	}
	return fmt.Sprintf("chain %d diverged at step %d%s: the %s%s is %v (last good step %d%s); try %s",
		e.Chain, e.Step, phase, e.Quantity, of, e.Value, e.LastGood, size, strings.Join(e.Try, ", or "))
}

// A CheckpointError is a checkpoint that cannot be read or belongs to another run.
type CheckpointError struct{ Problem string }

func (e *CheckpointError) Error() string { return "checkpoint: " + e.Problem }

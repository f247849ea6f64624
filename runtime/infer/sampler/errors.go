package sampler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
)

// A ConfigError is a setting that is wrong by itself or with the others.
type ConfigError struct {
	Setting string // "step", see package setting; a field that Go alone has as it is, "Blocks"
	Value   string // as it was given; "" where the message does not tell
	Problem string
	Try     string // "" when there is nothing to add
}

func (e *ConfigError) Error() string {
	s := e.Setting
	if s != "Blocks" {
		s = setting.Spell(s)
	}
	if e.Value != "" {
		s += " " + e.Value
	}
	s += ": " + e.Problem
	if e.Try != "" {
		s += "; try " + e.Try
	}
	return s
}

// A BlockError is a sampler that cannot run on a block.
type BlockError struct {
	Sampler string
	Block   string
	Kind    string // of its manifold
	Only    string // the one space that the sampler runs on; "" if there are more
	Usable  []string
}

// A coded error is one of Codes.
type coded struct {
	error
	code string
}

func (e *coded) Unwrap() error { return e.error }

// CodeOf is the code of a refused setting; "" where it has none.
func CodeOf(err error) string {
	var c *coded
	var b *BlockError
	switch {
	case errors.As(err, &c):
		return c.code
	case errors.As(err, &b):
		return "S0104"
	}
	return ""
}

func (e *BlockError) Error() string {
	s := fmt.Sprintf("sampler %s cannot run on block %s, which lives on the space %q", e.Sampler, e.Block, e.Kind)
	if e.Only != "" {
		s += setting.Sprintf("; it runs on %q alone, which is the space of simplexes by expanded_mean; {sampler} BLOCK=%s gives it those alone", e.Only, e.Sampler)
	}
	if len(e.Usable) > 0 {
		s += "; samplers that can: " + strings.Join(e.Usable, ", ")
	}
	if e.Kind == mirroredKind {
		s += setting.Sprintf(" ({sampler} %s=%s); the gradient has no bound where an entry of the simplex is near 0; without `by expanded_mean` the simplex has a chart on which %s is right", e.Block, e.Usable[0], e.Sampler)
	}
	return s
}

// An InitError is a starting point that cannot be used.
type InitError struct {
	Chain   int
	Problem string
	Try     string
}

func (e *InitError) Error() string {
	return fmt.Sprintf("chain %d cannot start: %s; try %s", e.Chain, e.Problem, e.Try)
}

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

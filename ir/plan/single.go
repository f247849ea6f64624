package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// A program in single precision keeps to three rules, in both engines:
//
//   - Arrays hold float32; numbers that are not arrays (buffers without axes:
//     scalar parameters, sums, the log density) hold float64.
//   - A loop with axes computes in float32: what it reads is rounded to that
//     first, and the result of every op is rounded. An op that has no function
//     in single precision of its own (exp has) is computed in float64 and
//     rounded once; for + − × ÷ and √ the two are the same. A loop without
//     axes, straight-line code, computes in float64 and rounds what it stores
//     in arrays.
//   - Kernels work on float32 arrays; where the result is a number, it is the
//     sum in float64.
//
// The state is rounded when a call begins and outputs are widened when it ends,
// unless the caller of the function gradient has both in single precision.

// singles lists the functions that a model in single precision computes in single precision: those
// that samplers call at every step, and the likelihoods and means of draws.
var singles = []fn.Kind{fn.Density, fn.Gradient, fn.Evaluate, fn.Full, fn.Loglik, fn.Observed,
	fn.Mean, fn.Classes}

// ToSingle marks those of a model's functions as single that support it. It fails, and changes
// nothing, where one solves a differential equation or draws latent values of rows.
func ToSingle(programs []*Program) error {
	var all []*Program
	for _, p := range programs {
		if p.ID.Kind == fn.Locals {
			return &SingleError{p.ID.String(),
				"draws latent values of rows, for which there are chains in double precision alone"}
		}
		if !slices.Contains(singles, p.ID.Kind) {
			continue
		}
		if slices.ContainsFunc(p.Steps[:], solves) {
			return &SingleError{p.ID.String(),
				"solves a differential equation, whose steps are chosen for errors below single precision"}
		}
		all = append(all, p)
	}
	for _, p := range all {
		p.Single = true
	}
	return nil
}

// A SingleError is a function that single precision cannot compute.
type SingleError struct{ Function, Why string }

func (e *SingleError) Error() string { return "the function " + e.Function + " " + e.Why }

func solves(steps []Step) bool {
	return slices.ContainsFunc(steps,
		func(s Step) bool { return s.Ode != nil || s.Sequence != nil && solves(s.Sequence.Steps) })
}

// Narrow reports whether a buffer of the program holds float32.
func (p *Program) Narrow(b *Buffer) bool { return p.Single && len(b.Axes) > 0 }

// NarrowLoop reports whether a loop over axes computes in float32.
func (p *Program) NarrowLoop(axes []*ir.Axis) bool { return p.Single && len(axes) > 0 }

// Package derive makes functions from the log density: its gradient, the gradient
// with a control variate, and the function of full passes, whose sums over rows
// collapse to sufficient statistics.
package derive

import (
	"errors"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// A Density is the log density of a state by its parts:
//
//	scale·Σ PerRow + Rest + jacobian·Jacobian
//
// where scale and jacobian are given at run time.
type Density struct {
	Row, Full      *ir.Axis  // the rows of a minibatch, and all rows
	PerRow         *ir.Value // along Row
	Rest, Jacobian *ir.Value
	State          []ir.Block
}

// Gradient is the function "gradient" of an optimised density: its derivatives by
// the state. The error is a *grad.Error.
func Gradient(o *opt.Optimiser, density *ir.Func, state []ir.Block) (*ir.Func, error) {
	outputs, err := grad.ByState(o.B, density.Outputs[0].Value, state)
	if err != nil {
		return nil, err
	}
	f := &ir.Func{ID: fn.Gradient.ID(), Outputs: outputs}
	o.Show("grad", f)
	return f, nil
}

// Refusal is an error of Gradient as one of the model.
func Refusal(err error) *limits.Error {
	e := &limits.Error{Code: limits.NoDerivative,
		Message: "the gradient that the samplers need cannot be compiled: " + err.Error()}
	if g := (*grad.Error)(nil); errors.As(err, &g) {
		e.Span = g.Value.Span
	}
	return e
}

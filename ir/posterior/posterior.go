// Package posterior lowers models for what comes before and after a run: simulation from the prior,
// predictions given draws of the unknowns, likelihoods of single observations, completion of rows
// that are known in part, latent values of rows, and the log density by its summands. The functions
// are not optimised: internal/driver optimises and stages them.
package posterior

import "github.com/sgppl/sgppl/ir/lower"

// Options of lowering.
type Options struct {
	// RowDim and Sampled are as in lower.Options.
	RowDim  string
	Sampled bool
	// Given has Predict read draws of the locals that the entries of a row share; without it, Predict
	// draws them from their priors.
	Given bool
	// Redrawn has Predict draw missing entries of new rows from their distributions.
	Redrawn bool
	// Prior has Complete score whole rows, by draws from the prior of their locals.
	Prior bool
	// Jacobian differentiates the slope of a stiff differential equation.
	Jacobian lower.Jacobian
}

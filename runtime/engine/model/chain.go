package model

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// This file describes the chains that draw latent values of rows. The function locals runs the
// chain of each row of a block. It reads random numbers and writes the draws that are kept. The
// functions density and gradient read these draws. All of these arrays are data that evaluators
// fill (Datum.Filled).

// Prefixes of the names of data that evaluators fill, followed by the name of the local.
// Chain.Random has the names of the random numbers.
const (
	DrawnPrefix = "latent "     // values that the caller draws or provides instead of a chain
	LocalPrefix = "local "      // the draws that are kept
	FirstPrefix = "first step " // the step size of the first sweep: one number
	StepPrefix  = "step "       // the step size of the draws: one number
	// the mean acceptance rate for each row; for the burn-in, "accepted first step "
	AcceptPrefix = "accepted "
)

// Drawn reports whether the caller draws or provides the values of a datum.
func Drawn(datum string) bool { return strings.HasPrefix(datum, DrawnPrefix) }

// TargetAccept is the acceptance rate to which the step sizes of the trajectories of locals are
// tuned. Beskos et al. 2013 find that 0.65 is best for many coordinates; locals have few.
const TargetAccept = 0.8

// Dims that the options of a run set.
const (
	BurnDim  = "local burn-in" // sweeps before the first kept draw
	KeptDim  = "local kept"    // draws that are kept
	ThinDim  = "local thin"    // sweeps for each kept draw
	LeapsDim = "local leaps"   // leapfrog steps of a trajectory
)

// RunDims lists the dims that the options of a run set.
var RunDims = []string{BurnDim, KeptDim, ThinDim, LeapsDim}

// A Chain describes the Markov chain that draws the latent values of a row.
type Chain struct {
	Links  []Link
	Random []Random
	Shared bool // set for draws from a prior, which do not depend on the row
}

// A Link is the update of one local in a chain. A sweep runs the links in order.
type Link struct {
	Name     string
	By       string // the kind of update: gibbs or gmc
	Value    string // the datum with the kept draws
	Step     string // for gmc: the datum with the step size
	Accepted string // for gmc: the datum with the acceptance rate of each row

	FirstStep     string // the datum with the step size of the first sweep of the burn-in
	FirstAccepted string // the datum with the acceptance rate over the burn-in

	// Type and Sizes describe a value that is impossible if one of its sizes is 0: the number of
	// values of a category, or the sizes of a simplex.
	Type  string
	Sizes []size.Poly
}

// Locals implements target.LocalTarget.
func (m *Model) Locals() []string {
	var out []string
	if c := m.Spec.Chain; c != nil {
		for _, k := range c.Links {
			out = append(out, k.Name)
		}
	}
	return out
}

// draws reports whether a datum holds random numbers of the chain.
func (c *Chain) draws(name string) bool {
	return c != nil && slices.ContainsFunc(c.Random, func(r Random) bool { return r.Name == name })
}

// A Random is a datum of independent random numbers.
type Random struct {
	Name string
	Law  string // uniform on (0, 1), or standard normal
}

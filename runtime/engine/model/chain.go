package model

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Latent values of rows that chains draw. The function locals runs the
// chain of every row of a block: it reads random numbers and writes the draws
// that are kept, which the functions density and gradient read. All of it lies
// in data that evaluators fill (Datum.Filled).

// Names of what evaluators fill, before the local's name. The random numbers
// are those of Chain.Random.
const (
	DrawnPrefix = "latent "     // values that a caller draws or gives, where no chain does
	LocalPrefix = "local "      // the draws that are kept
	FirstPrefix = "first step " // the step size of the first sweep, one number
	StepPrefix  = "step "       // that of the draws, likewise
	// the mean acceptance of a row; "accepted first step " that of the burn-in
	AcceptPrefix = "accepted "
)

// Drawn reports whether a datum has values that a caller draws or gives.
func Drawn(datum string) bool { return strings.HasPrefix(datum, DrawnPrefix) }

// TargetAccept is the acceptance that steps of trajectories of locals are tuned
// to (Beskos et al. 2013 find 0.65 best for many coordinates; locals have few).
const TargetAccept = 0.8

// Dims that a run chooses.
const (
	BurnDim  = "local burn-in" // sweeps before the first that may be kept
	KeptDim  = "local kept"    // draws that are kept
	ThinDim  = "local thin"    // sweeps for each of these
	LeapsDim = "local leaps"   // steps of a trajectory
)

// RunDims lists them.
var RunDims = []string{BurnDim, KeptDim, ThinDim, LeapsDim}

// A Chain describes the chain of a row.
type Chain struct {
	Links  []Link
	Random []Random
	Shared bool // for draws from a prior, which belong to no row
}

// A Link is a local of the chain, in the order of a sweep.
type Link struct {
	Name     string
	By       string // gibbs or gmc
	Value    string // the datum with its kept draws
	Step     string // of gmc: the datum with its step size
	Accepted string // of gmc: the datum with the acceptance of rows

	FirstStep     string // the same of the burn-in: of its first sweep,
	FirstAccepted string // and over all of it

	// Type and Sizes are those of a value which the data may leave without any: how
	// many values a category has, or the sizes of a simplex; none may be 0.
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

// A Random is a datum of independent numbers.
type Random struct {
	Name string
	Law  string // uniform on (0, 1), or standard normal
}

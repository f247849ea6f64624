// Package fn names the functions of a compiled model. The compiler makes
// them under these names, generated packages and the VM find them by the text of
// the name, and the runtime asks for them.
package fn

import (
	"strconv"
	"strings"
)

// A Kind is what a function computes.
type Kind string

// Functions of data alone, which run once, when a model is bound.
const (
	Default    Kind = "default"    // of an input: its default value
	Check      Kind = "check"      // numbered: whether computed indices are inside their arrays
	Constants  Kind = "constants"  // values of inputs alone, without the row axis
	Derive     Kind = "derive"     // values of inputs alone, with the row axis
	Statistics Kind = "statistics" // sums over rows, for Full
	Totals     Kind = "totals"     // the other values that Full reads of those sums
)

// Functions of the state.
const (
	Density     Kind = "density"
	Gradient    Kind = "gradient"
	Evaluate    Kind = "evaluate"   // the gradient and the density
	Full        Kind = "full"       // the same, for all rows together
	Weighted    Kind = "weighted"   // the same, for rows that each have a weight
	Difference  Kind = "difference" // the gradient with a control variate
	Constrain   Kind = "constrain"  // a state in the model's coordinates
	Unconstrain Kind = "unconstrain"
	Loglik      Kind = "loglik"   // of each row
	Observed    Kind = "observed" // the same without missing entries
	Mean        Kind = "mean"     // of an observed name: the expected value of each row
	Classes     Kind = "classes"  // of an observed name: the log probability of each class
	Locals      Kind = "locals"   // draws of the latent values of rows
	// Conditional, numbered, computes the numbers of the full conditional of an unknown.
	Conditional Kind = "conditional"
)

// Functions of draws, and of models that are lowered for what comes after a run.
const (
	Draw       Kind = "draw"       // of a name, in a simulation
	Latent     Kind = "latent"     // a draw of a latent value of new rows
	Predict    Kind = "predict"    // numbered: a draw of what a statement observes
	Expect     Kind = "expect"     // numbered: its expected value
	Chances    Kind = "chances"    // numbered: the log probabilities of its classes
	Place      Kind = "place"      // numbered: the positions of its entries
	Pointwise  Kind = "pointwise"  // numbered: the log likelihood of every entry of a statement
	Completion Kind = "completion" // numbered: the log probability of every entry of a row
	Entries    Kind = "entries"    // numbered: how many entries each of these stands for
	Values     Kind = "values"     // numbered: draws of a latent value of every row
	Generate   Kind = "generate"   // numbered: the values of a generate line
)

// An ID names a function.
type ID struct {
	Kind Kind
	Site string // the name or the number of what it is of; empty where a model has one of the kind
}

// ID names the one function of the kind.
func (k Kind) ID() ID { return ID{Kind: k} }

// Of names the function of a name.
func (k Kind) Of(name string) ID { return ID{k, name} }

// At names the n-th function of the kind.
func (k Kind) At(n int) ID { return ID{k, strconv.Itoa(n)} }

// String is the name as texts have it: dumps, generated packages, the VM.
func (id ID) String() string {
	if id.Site == "" {
		return string(id.Kind)
	}
	return string(id.Kind) + " " + id.Site
}

// Parse is the inverse of String.
func Parse(name string) ID {
	kind, site, _ := strings.Cut(name, " ")
	return ID{Kind(kind), site}
}

// Early reports whether the function runs before anything is derived from data.
func (k Kind) Early() bool { return k == Default || k == Check }

// Once reports whether the function runs when a model is bound, and no more.
func (k Kind) Once() bool {
	return k.Early() || k == Constants || k == Derive || k == Statistics || k == Totals
}

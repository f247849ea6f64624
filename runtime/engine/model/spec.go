// Package model makes a target of a compiled model: it binds the model's
// functions to data, runs them over blocks of rows and gathers minibatches.
// The functions themselves come from a generated package or from the VM.
package model

import (
	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// DensityOutput is the name of the log density, the last output of the function evaluate. The
// outputs of the function gradient come before it. No parameter can have this name.
const DensityOutput = "log density"

// A Spec describes a compiled model: everything that the compiler knows about it except the code of
// its functions.
type Spec struct {
	Name    string
	Doc     string
	Version string   // the version of the compiler
	Text    string   // the model file
	Set     []string // constants whose values differ from those in Text, such as "K=5"

	Schema data.Schema
	RowDim string // the minibatch axis; empty without one
	// Single says that densities, gradients, likelihoods and means compute with
	// arrays in single precision (see Frame); all other functions stay double.
	Single bool
	Params []Param // in declaration order
	Tracks []Track // values stored with every draw, in order
	Data   []Datum // the arrays that functions read, in the order of Frame.Dense and Frame.Sparse
	// Values that depend on inputs alone. Constants have no row axis and are the outputs of the
	// function constants, in its order; Derived have the row axis and are the outputs of derive.
	Constants []Datum
	Derived   []Datum
	Apart     bool // derive can run on any subset of the rows, and the rows may have different lengths
	// OneLength reports that all rows of a call must be padded to one length. This is so if a value
	// that does not depend on rows has a ragged axis and another axis.
	OneLength bool
	// Statistics are the outputs of the function statistics, which runs once. They are used if full
	// passes call the function full, which reads these sums over all rows instead of the rows.
	Statistics []Statistic
	Triangles  []Triangle // how the statistics form sums of squares
	Totals     []Datum    // data for full that the function totals computes from the statistics
	Collapse   Collapse
	// Weighted names the data with a row axis that the function weighted reads. It is empty if the
	// model does not have that function.
	Weighted []string
	Work     []size.Poly // how many numbers functions hold for each row, if there may be many
	// constants that were computed from rows, such as mean(x): new rows have the fit's
	Fitted []string
	Given  []Datum // constants of a fitted run, which the caller passes to New
	// data that the caller draws and writes into the frames of functions; New fills them with zeros
	Latent  []Datum
	Sites   []Site  // observed names
	Masks   []Mask  // the uses of dropout
	Chain   *Chain  // the chain that draws latent values of rows; nil if the model has none
	Entries []Entry // only if the model was lowered for the completion of rows
	Checks  []Check // checks of computed indices, made when the model is bound
	Ranges  []Range // the ranges of plates and comprehensions whose length may be negative
	// Conditionals are full conditionals; empty unless the model was compiled for them.
	Conditionals []Conditional
	// Hidden are latent values that are no params. They stand behind the state in the X of all
	// functions.
	Hidden []Param
}

// The functions difference and weighted read the same data as the function gradient, and one weight
// for each row of the block, the datum WeightDatum. The function difference also reads a second
// state, the anchor: its X is the state followed by the anchor. The blocks of the anchor are named
// AnchorPrefix followed by the name of the param.
const (
	WeightDatum  = "row weight"
	AnchorPrefix = "anchor "
)

// ValuePrefix is the prefix of the names by which functions read the values of unknowns, in the
// model's coordinates: those of params in functions conditional alone, whose X is the values that
// constrain writes followed by the hidden ones, and those of Spec.Hidden in all functions.
const ValuePrefix = "value "

// A Conditional is the full conditional of an unknown. The function conditional I computes the
// numbers of the I-th.
type Conditional struct {
	Name    string
	Law     target.Law
	Powers  []float64   // of target.GammaLaw and target.PowersLaw
	Blocks  []size.Poly // the shape of the independent laws
	Size    []size.Poly // the shape of the unknown in each of them
	Values  size.Poly   // of target.CategoryLaw
	Outputs []Datum
}

// A Collapse describes how the function full replaces sums over rows by statistics.
type Collapse struct {
	Direct    size.Poly // multiplications of the sums over rows
	Collapsed size.Poly // multiplications of the function full instead
	Once      size.Poly // multiplications that computing the statistics takes
	Rows      bool      // the function full still has sums over rows
	Whole     bool      // the statistics can be computed from all rows at once only
	Notes     []string  // messages for users: how many squares or terms remain
}

// A Range is a condition on sizes, checked when the model is bound. By default, the range of an
// index has a length of at least 0; with Zero, an array has no entry beyond its new shape; with Of,
// an index or a slice stays inside its axis.
type Range struct {
	Text  string // as the model writes it
	Place string // file:line
	Size  size.Poly
	Zero  bool
	// The index or slice Text in the expression Of reads Size entries, starting at entry From, of an
	// axis with Axis entries.
	Of         string
	From, Axis size.Poly
	Note       string // an addition to the error message
}

// A Check is a condition on data that is tested when a model is bound: a computed index must stay
// inside an axis, or a datum must lie between computed bounds. The function "check I" returns the
// values for the I-th Check.
type Check struct {
	Text  string   // the index as the model writes it
	Place string   // file:line
	Type  string   // the type whose bounds a datum must satisfy; Text is then the name of the datum
	Rule  string   // the rule that a negative entry violates, if the value is not an index
	Note  string   // an addition to the error message about an index
	Reads []string // the data from which the index is computed
	Shape []size.Poly
	Axis  size.Poly
}

// A Param is an unknown of the model. State is the shape of its coordinates in the state, and Shape
// is the shape of its value. In both, the axes of the family come first.
type Param struct {
	Name     string
	Doc      string
	Dims     []string // names of the value's axes, as written
	Shape    []size.Poly
	State    []size.Poly
	Geometry string // a row of the manifold table
	Points   []size.Poly
	Support  string // the name of the type for users: "positive", "simplex"
	Init     Law    // where chains start
}

// A Track is a value stored with every draw.
type Track struct {
	Name  string
	Doc   string
	Dims  []string
	Shape []size.Poly
}

// A Datum is an input or a derived array as a function reads it.
type Datum struct {
	Name    string
	Shape   []size.Poly // as declared
	Rows    bool        // has a row axis
	Lead    int         // the position of the row axis in Shape
	Sparse  bool
	Derived bool
	Filled  bool // written by evaluators: data of chains, dropout masks, weights of rows
	Early   bool // an input that is read whole when the model is bound, and not after that
}

// A Site is an observed name. It is used for scoring and predictions. The function "mean SITE"
// computes the expected value for each row, and "classes SITE" computes the log probability of each
// of Classes outcomes for each row. Either function may be missing.
type Site struct {
	Name    string
	Kind    data.Kind
	Mean    bool
	Classes size.Poly // not zero: function "classes NAME" exists
	Rows    bool      // has one entry for each row
	Alone   bool      // with classes: the log likelihood of a row is the log probability of its class
}

// RowSites returns the observed names that have one entry for each row and whose expected values or
// class probabilities the model computes.
func (s *Spec) RowSites() []Site {
	var out []Site
	for _, site := range s.Sites {
		if site.Rows && (site.Mean || len(site.Classes.Terms) > 0) {
			out = append(out, site)
		}
	}
	return out
}

// An Entry describes the outputs of the functions "completion I" and "entries I", where I is the
// index of the Entry: in each row, an array of the given Shape for one observed name.
type Entry struct {
	Site  string
	Shape []size.Poly
}

// A Frame holds the inputs and outputs of one call of a function.
//
// A function in single precision computes with float32 arrays. It reads Dense32 and Sparse32. It
// rounds the state when it is called and writes its outputs in double precision, unless the caller
// provides X32 and Out32. Scalar parameters, scalar data, sums and densities stay in double
// precision, in Dense, X and Out.
type Frame struct {
	X        []float64 // the state; for "unconstrain" the parameters' values
	Out      []float64 // the outputs, one after another; with a row axis, those of this block
	Scale    float64
	Jacobian float64
	N        int           // rows of this block
	Dense    [][]float64   // by index of Spec.Data; with a row axis, the rows of this block
	Sparse   []kernel.Rows // likewise
	Dense32  [][]float32   // replaces Dense and Sparse in functions in single precision
	Sparse32 []kernel.Rows32
	// X32 and Out32 are optional, for calls of the function gradient in single precision. They hold
	// the state and the array outputs. X and Out then hold only the numbers without axes.
	X32, Out32 []float32
	// Team shares large products among processors; nil: there is none.
	Team *team.Team
	// Turn is that of the block, where several functions compute blocks at the same time; else nil.
	// All but the first function have one in Prepare too, and leave the sums as they are.
	Turn *team.Turn
}

// A Func is one function of a model together with its workspace. A caller calls Prepare once, Rows
// for each block, and Finish once.
type Func interface {
	Prepare(f *Frame)
	Rows(f *Frame)
	Finish(f *Frame)
}

// A Joiner is a function that can add to the sums of another one of the same kind, made for the
// same sizes. Each computes some of the blocks of rows, in turns (Frame.Turn). The other does the
// rest. Join returns false if the blocks must be computed by one function.
type Joiner interface {
	Func
	Join(of Func) bool
}

// A Code makes the functions of a model for given sizes. The names are those of package fn, as
// strings. The argument capacity is the largest number of rows in a block. Func returns nil if the
// model does not have the function.
type Code interface {
	Func(name string, dims map[string]int, capacity int) Func
}

// StateLen is the number of coordinates of a parameter in the state.
func (p *Param) StateLen(dims map[string]int) int { return product(p.State, dims) }

// Len is the number of entries of a tracked value.
func (t *Track) Len(dims map[string]int) int { return product(t.Shape, dims) }

// Len is the number of entries of a datum.
func (d *Datum) Len(dims map[string]int) int { return product(d.Shape, dims) }

// Len is the number of entries of a parameter's value.
func (p *Param) Len(dims map[string]int) int { return product(p.Shape, dims) }

func product(shape []size.Poly, dims map[string]int) int {
	n := 1
	for _, s := range shape {
		k, ok := s.Eval(dims)
		if !ok {
			panic("model: size " + s.String() + " is unknown")
		}
		n *= k
	}
	return n
}

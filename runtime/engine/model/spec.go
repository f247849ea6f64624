// Package model makes a target of a compiled model: it binds the model's
// functions to data, runs them over blocks of rows and gathers minibatches.
// The functions themselves come from a generated package or from the VM.
package model

import (
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// DensityOutput is the last output of the function evaluate, after those of
// gradient; no parameter can be called so.
const DensityOutput = "log density"

// A Spec is what the compiler knows of a model besides its functions.
type Spec struct {
	Name    string
	Doc     string
	Version string   // of the compiler
	Text    string   // the model file
	Set     []string // constants of the text that were given other values: "K=5"

	Schema data.Schema
	RowDim string // the minibatch axis; empty without one
	// Single says that densities, gradients, likelihoods and means compute with
	// arrays in single precision (see Frame); all other functions stay double.
	Single bool
	Params []Param // in declaration order
	Tracks []Track // tracked values, in order
	Data   []Datum // what functions read, in the order of Frame.Dense and Frame.Sparse
	// Values that depend on inputs alone. Constants have no row axis and are the outputs of the
	// function constants, in its order; Derived have the row axis and are the outputs of derive.
	Constants []Datum
	Derived   []Datum
	Apart     bool // derive takes rows of different lengths, and any of them without the others
	// OneLength reports that all rows of a call must be padded to one length. This is so if a value
	// that does not depend on rows has a ragged axis and another axis.
	OneLength bool
	// Statistics come of the function statistics, once, where full passes use
	// the function full: it reads sums over all rows instead of the rows.
	Statistics []Statistic
	Triangles  []Triangle // which statistics are of one sum of squares
	Totals     []Datum    // what full reads that is computed of statistics, once
	Collapse   Collapse
	// The data by row that the function weighted reads; none where a model has no such function.
	Weighted []string
	Work     []size.Poly // numbers a row that functions work on, as far as they may be many
	// constants that were computed from rows, such as mean(x): new rows have the fit's
	Fitted []string
	Given  []Datum // what New is given with the data, as constants of a fitted run
	// what the caller of functions draws and puts into their frames; New makes zeros
	Latent  []Datum
	Sites   []Site  // observed names
	Masks   []Mask  // uses of dropout
	Chain   *Chain  // of latent values of rows that are drawn; nil without
	Entries []Entry // of a model lowered for the completion of rows
	Checks  []Check // of computed indices, when the model is bound
	Ranges  []Range // what plates and comprehensions run over, where it may come out negative
}

// The functions difference and weighted read, besides what gradient does, a weight for each row at
// hand. Difference also reads a second state: its X is the state and behind it the anchor, whose
// blocks have the names of the params behind AnchorPrefix.
const (
	WeightDatum  = "row weight"
	AnchorPrefix = "anchor "
)

// A Collapse says what the sums over rows became in the function full.
type Collapse struct {
	Direct    size.Poly // multiplications over rows
	Collapsed size.Poly // of those that are left in their place
	Once      size.Poly // that the statistics take
	Rows      bool      // full has sums over rows that did not collapse
	Whole     bool      // statistics are computed of all rows at once
	Notes     []string  // how many squares or terms are left, for people
}

// A Range is a condition on sizes, checked when the model is bound. By default, the range of an
// index has a length of at least 0; with Zero, an array has no entry beyond its new shape; with Of,
// an index or a slice stays inside its axis.
type Range struct {
	Text  string // as the model writes it
	Place string // file:line
	Size  size.Poly
	Zero  bool
	// The index or slice Text in the expression Of reads the Size entries from From
	// on, of an axis with Axis entries.
	Of         string
	From, Axis size.Poly
	Note       string // what more to say
}

// A Check is an index computed from data that must stay inside an axis, or a
// datum that must lie between computed ends: the function "check I" of the I-th
// gives its values.
type Check struct {
	Text  string   // the index as the model writes it
	Place string   // file:line
	Type  string   // of a datum that must lie in it; then Text is its name
	Rule  string   // what a negative entry breaks, where it is not an index
	Note  string   // what more to say of an index
	Reads []string // the data that it is computed from
	Shape []size.Poly
	Axis  size.Poly
}

// A Param is an unknown. State is the shape of its coordinates in the state,
// Shape that of its value; both family sizes first.
type Param struct {
	Name     string
	Doc      string
	Dims     []string // names of the value's axes, as written
	Shape    []size.Poly
	State    []size.Poly
	Geometry string // a row of the manifold table
	Points   []size.Poly
	Support  string // the type, for people: "positive", "simplex"
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
	Rows    bool        // by row: one axis is the minibatch's
	Lead    int         // which axis that is
	Sparse  bool
	Derived bool
	Filled  bool // by evaluators: data that chains of locals read and write, and weights of rows
	Early   bool // of an input: read as a whole, when the model is bound, and not again
}

// A Site is an observed name, for scoring: functions "mean SITE" (expected
// value of each row) or "classes SITE" (log probability of each of Classes
// outcomes for each row) exist where they can be had.
type Site struct {
	Name    string
	Kind    data.Kind
	Mean    bool
	Classes size.Poly // not zero: function "classes NAME" exists
	Rows    bool      // one entry a row
	Alone   bool      // with classes: a row's log likelihood is the log probability of its class
}

// RowSites returns the observed names of one entry a row whose expected values, or the
// probabilities of whose classes, a model computes.
func (s *Spec) RowSites() []Site {
	var out []Site
	for _, site := range s.Sites {
		if site.Rows && (site.Mean || len(site.Classes.Terms) > 0) {
			out = append(out, site)
		}
	}
	return out
}

// An Entry is what the functions "completion I" and "entries I" of the I-th give
// numbers of: entries of an observed name, in a row along Shape.
type Entry struct {
	Site  string
	Shape []size.Poly
}

// A Frame is what one call of a function sees.
//
// A function in single precision computes with float32 arrays: it reads
// Dense32 and Sparse32, rounds the state when it is called, and writes its
// outputs in double precision, unless it finds both in X32 and Out32. Numbers that are not arrays
// are double all through, in Dense, X and Out: scalar parameters and data, sums, densities.
type Frame struct {
	X        []float64 // the state; for "unconstrain" the parameters' values
	Out      []float64 // outputs one after another; by row, those of the block
	Scale    float64
	Jacobian float64
	N        int           // rows of this block
	Dense    [][]float64   // by index of Spec.Data; of a datum by row, the block's rows
	Sparse   []kernel.Rows // likewise
	Dense32  [][]float32   // in place of both, for functions in single precision
	Sparse32 []kernel.Rows32
	// Of calls of the function gradient in single precision, where not nil: the state and
	// the outputs of arrays. Then X and Out have the numbers without axes.
	X32, Out32 []float32
}

// A Func is one function of a model with its workspace. A call is Prepare
// once, Rows for every block, Finish once.
type Func interface {
	Prepare(f *Frame)
	Rows(f *Frame)
	Finish(f *Frame)
}

// Code makes functions for given sizes. The names are those of package fn, as
// texts. capacity is the most rows that a block may have. Func is nil where the
// model has no such function.
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

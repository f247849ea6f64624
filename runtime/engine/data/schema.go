// Package data binds arrays to the declarations of a model and validates them. The command line
// and generated packages share the checks: all values are checked by [Validate].
//
// A [Schema] has the declarations of a model. A [Value] is an array of a file or a program. A
// [Bound] is a set of values that satisfies a schema. Package array has the arrays, package format
// reads files, and package problem has the errors.
package data

import "github.com/sgppl/sgppl/runtime/math/size"

// A Kind is the set of numbers a type of the language admits.
type Kind int

const (
	Real            Kind = iota // any number; finite, unless Input.Infinite
	Positive                    // > 0
	Unit                        // from 0 to 1
	Interval                    // from Lo to Hi
	Int                         // whole
	Count                       // whole, ≥ 0
	Bool                        // 0 or 1; −1 and +1 where a whole input is written so
	Index                       // whole, From ≤ v < From + Below
	Simplex                     // the own axis: ≥ 0, sums to 1
	Sphere                      // the own axis: Euclidean length 1
	Ordered                     // the own axis: strictly rising
	PositiveOrdered             // the own axis: > 0 and strictly rising
	SumToZero                   // the own axis: sums to 0
	Stiefel                     // the two own axes [D, K]: orthonormal columns
	// the two own axes: lower triangular, rows of length 1, diagonal > 0
	CorrChol
	CovChol     // the two own axes: lower triangular, diagonal > 0
	Nonnegative // ≥ 0
	Grassmann   // the two own axes [D, K]: orthonormal columns, of which the span counts
	Hyperbolic  // the own axis: x₀² − x₁² − … = 1, x₀ > 0
)

// An End is an end of an interval. It is the value of the scalar input Name or, if Name is empty,
// the number Value, which may be infinite.
type End struct {
	Value float64
	Name  string
}

// An OpenEnd is an end of a range that entries may not equal, because their law has no finite
// density there.
type OpenEnd struct {
	At    float64
	Law   string // the name of the distribution
	Place string // file:line of the statement
}

// An Input is one `data` declaration.
type Input struct {
	Name  string
	Doc   string // text of its `///` comment
	Kind  Kind
	Lo    End       // of Interval
	Hi    End       // of Interval
	Open  []OpenEnd // of Nonnegative, Unit and Interval
	Below size.Poly // of Index: the number of values
	From  int       // of Index and of Listed inputs: the first index in files, `from 1`

	Shape  []size.Poly // all axes, including those of one simplex, …; nil for a scalar
	Own    int         // number of trailing axes of one simplex, sphere, …
	Sparse bool        // stored as CSR; all axes but the last are rows
	Bag    bool        // sparse counts
	// Listed is set if files list the indices of the true entries of a Bool along its last axis,
	// counted from From.
	Listed   bool
	Optional bool // `real?`: NaN marks a missing entry
	Infinite bool // entries may be ±Inf, as the model uses them as ends or in comparisons
	Drawn    bool // missing entries are drawn from their law, as for new rows
	Unknown  bool // missing entries are unknowns of the model; MissingDim is their number
	Default  bool // has a default, so a value is optional
	// Required has all entries, as a model counts them, if no other values are taken; nil otherwise.
	Required   []float64
	RequiredOf []int  // their shape
	RequiredAt string // file:line of the requirement
	Place      string // file:line of the declaration
}

// First returns the base of the entries in files: From for an index, 0 for other kinds.
func (in *Input) First() int {
	if in.Kind == Index {
		return in.From
	}
	return 0
}

// A Dim is one `dim` declaration.
type Dim struct {
	Name    string
	Default *int   // nil without a default
	Of      string // the parent N of a ragged `dim T(N)`; empty for a plain dim
	Place   string // file:line of the declaration
}

// MissingDim returns the name of the dim whose size is the number of missing entries of an input,
// and so of the unknowns that replace them. The text of the model does not declare it.
func MissingDim(input string) string { return input + ".missing" }

// LengthsOf returns the name of the array of the row lengths of a ragged dim T(S). It lies along
// S. The text of the model does not declare it.
func LengthsOf(dim string) string { return dim + ".length" }

// A Schema lists the dims and inputs of a model in the order of declaration.
type Schema struct {
	Dims   []Dim
	Inputs []Input
}

// Input returns the input with the given name; nil if there is none.
func (s *Schema) Input(name string) *Input {
	for i := range s.Inputs {
		if s.Inputs[i].Name == name {
			return &s.Inputs[i]
		}
	}
	return nil
}

// Dim returns the dim with the given name; nil if there is none.
func (s *Schema) Dim(name string) *Dim {
	for i := range s.Dims {
		if s.Dims[i].Name == name {
			return &s.Dims[i]
		}
	}
	return nil
}

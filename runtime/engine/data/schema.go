// Package data binds arrays to the declarations of a model and checks them. The command
// line and generated packages share the checks: Validate is the one place where a value
// is held against its declaration.
//
// A [Schema] is what a model declares, a [Value] is what a file or a program supplies, a
// [Bound] is a set of values that satisfies a schema. Package array has the arrays,
// package format reads files, package problem has the errors.
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

// An End is an end of an interval: the value of the scalar input Name, or,
// when Name is empty, the number Value, which may be infinite.
type End struct {
	Value float64
	Name  string
}

// An OpenEnd is an end of a type that entries of an input may not be equal to,
// since the law that the model gives them has no finite density there.
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
	Below size.Poly // of Index: how many values there are
	From  int       // of Index, and where Listed: the file's first index, `from 1`

	Shape  []size.Poly // all axes, those of the value itself included; nil for a scalar
	Own    int         // how many trailing axes belong to one simplex, sphere, ordered value
	Sparse bool        // stored as CSR: all axes but the last are rows
	Bag    bool        // sparse counts
	// of Bool: along the last axis, files list the indices that are on, counted from From
	Listed   bool
	Optional bool   // `real?`: NaN marks a missing entry
	Infinite bool   // entries may be ±Inf: the model uses them as ends, or compares with them
	Drawn    bool   // missing entries are drawn from their law, as of new rows
	Unknown  bool   // missing entries are unknowns of the model, as many as the dim MissingDim
	Default  bool   // has a default, so may be left out
	Place    string // file:line of the declaration
}

// First is what entries count from in files: From of an index, 0 of other kinds.
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

// MissingDim is the size that the missing entries of an input give: how many
// unknowns stand in for them. It is not a dim of the model's text.
func MissingDim(input string) string { return input + ".missing" }

// LengthsOf is the name of the lengths of the rows of a ragged dim T(S), an
// array along S. It is not an input of the model's text.
func LengthsOf(dim string) string { return dim + ".length" }

// A Schema lists the dims and inputs of a model in the order of declaration.
type Schema struct {
	Dims   []Dim
	Inputs []Input
}

// Input finds an input by name; nil when there is none.
func (s *Schema) Input(name string) *Input {
	for i := range s.Inputs {
		if s.Inputs[i].Name == name {
			return &s.Inputs[i]
		}
	}
	return nil
}

// Dim finds a dim by name; nil when there is none.
func (s *Schema) Dim(name string) *Dim {
	for i := range s.Dims {
		if s.Dims[i].Name == name {
			return &s.Dims[i]
		}
	}
	return nil
}

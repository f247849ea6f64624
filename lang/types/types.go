// Package types holds the surface types of the language: kinds, shapes with
// symbolic sizes, and the one rule that aligns shapes.
package types

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Size is a polynomial in dims.
type Size = size.Poly

// A Shape is a list of sizes, outermost first.
type Shape []Size

func (s Shape) String() string {
	parts := make([]string, len(s))
	for i, p := range s {
		parts[i] = p.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Equal compares shapes size by size.
func (s Shape) Equal(t Shape) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if !s[i].Equal(t[i]) {
			return false
		}
	}
	return true
}

// Fit aligns small with large: small fits large when it is large with some
// sizes struck out, in order, in exactly one way. On success at[i] is the
// place in large of small's size i. ways is 0 (does not fit), 1, or 2 (fits
// in more than one way).
func Fit(small, large Shape) (at []int, ways int) {
	// count[i][j] is the number of ways, up to 2, to find small[i:] in large[j:].
	count := make([][]int, len(small)+1)
	for i := range count {
		count[i] = make([]int, len(large)+1)
	}
	for j := range count[len(small)] {
		count[len(small)][j] = 1
	}
	for i := len(small) - 1; i >= 0; i-- {
		for j := len(large) - 1; j >= 0; j-- {
			count[i][j] = count[i][j+1]
			if small[i].Equal(large[j]) {
				count[i][j] = min(2, count[i][j]+count[i+1][j+1])
			}
		}
	}
	ways = count[0][0]
	if ways != 1 {
		return nil, ways
	}
	at = make([]int, len(small))
	for i, j := 0, 0; i < len(small); j++ {
		if small[i].Equal(large[j]) && count[i+1][j+1] == 1 {
			at[i] = j
			i++
		}
	}
	return at, 1
}

// Kind is the set a value belongs to, without its shape.
type Kind int

const (
	Invalid Kind = iota
	Real
	Positive
	Nonnegative
	Unit
	Interval // ends in Type.Ends
	Int
	Count
	Bool
	Index // below Type.Below
	Simplex
	Sphere
	Ordered
	PositiveOrdered
	Stiefel
	Grassmann
	Hyperbolic
	CorrChol
	CovChol
	SumToZero
	Bag     // sparse counts over [V]
	Tuple   // Type.Parts
	AnyDist // a distribution argument of a layer
)

// Type is what a value is. Shape is the whole shape, family sizes first; the
// last Own of them belong to a simplex, sphere, … and not to the family.
type Type struct {
	Kind     Kind
	Shape    Shape
	Own      int
	Sparse   bool
	Optional bool
	From     int         // the file counts from this
	Listed   bool        // of Bool: the file lists, along the last axis, the indices that are on
	Below    Size        // of Index
	Ends     [2]ast.Expr // of Interval: its ends, values
	Parts    []Type      // of Tuple
}

package data

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Aliases of types and functions of other packages, so that a program that calls a generated
// package imports only this one.
type (
	// Value is an array; see package array.
	Value = array.Value
	// CSR is a compressed sparse row matrix.
	CSR = array.CSR
	// Error is one thing wrong with the data; see package problem.
	Error = problem.Error
)

// Scalar is a value without axes.
func Scalar(x float64) *Value { return array.Scalar(x) }

// Dense is a row-major array; it keeps v.
func Dense(v []float64, shape ...int) *Value { return array.Dense(v, shape...) }

// Sparse is a sparse matrix; it keeps m.
func Sparse(m *CSR) *Value { return array.Sparse(m) }

// Ragged is array.Ragged: lists in lists whose lengths differ.
func Ragged(v []float64, lists [][]int) *Value { return array.Ragged(v, lists) }

// Bools makes a dense array of zeros and ones.
func Bools(v []bool, shape ...int) *Value { return array.Bools(v, shape...) }

// FromRows compresses rows of cols numbers each, for inputs that are declared
// sparse. It panics on a row of another length.
func FromRows(rows [][]float64, cols int) *CSR { return array.FromRows(rows, cols) }

// Whole makes a dense array of whole numbers.
func Whole[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](
	v []T, shape ...int,
) *Value {
	return array.Whole(v, shape...)
}

// Levels numbers texts: the different ones in order of appearance, and which of them each
// is. Give the codes to an input that is an index of a dim of as many entries.
func Levels(texts []string) (codes []int, levels []string) {
	place := map[string]int{}
	codes = make([]int, len(texts))
	for i, text := range texts {
		k, known := place[text]
		if !known {
			k = len(levels)
			place[text], levels = k, append(levels, text)
		}
		codes[i] = k
	}
	return codes, levels
}

// LevelCodes returns which of some levels each text is. The error names the first that is
// none of them.
func LevelCodes(texts, levels []string) ([]int, error) {
	place := make(map[string]int, len(levels))
	for k, level := range levels {
		place[level] = k
	}
	codes := make([]int, len(texts))
	for i, text := range texts {
		k, known := place[text]
		if !known {
			return nil, &Error{Code: "D0165",
				Message: fmt.Sprintf("entry %d, %q, is none of the %d levels", i, text,
					len(levels)),
				Notes: problem.DidYouMean(text, levels)}
		}
		codes[i] = k
	}
	return codes, nil
}

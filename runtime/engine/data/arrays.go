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

// Scalar returns a value without axes.
func Scalar(x float64) *Value { return array.Scalar(x) }

// Dense returns a dense row-major array that shares v.
func Dense(v []float64, shape ...int) *Value { return array.Dense(v, shape...) }

// Sparse returns a sparse matrix that shares m.
func Sparse(m *CSR) *Value { return array.Sparse(m) }

// Ragged returns an array of nested lists whose lengths differ; see array.Ragged.
func Ragged(v []float64, lists [][]int) *Value { return array.Ragged(v, lists) }

// Bools returns a dense array with 1 for true and 0 for false.
func Bools(v []bool, shape ...int) *Value { return array.Bools(v, shape...) }

// FromRows compresses rows of cols numbers each, for inputs that are declared
// sparse. It panics on a row of another length.
func FromRows(rows [][]float64, cols int) *CSR { return array.FromRows(rows, cols) }

// Whole returns a dense array of whole numbers.
func Whole[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](
	v []T, shape ...int,
) *Value {
	return array.Whole(v, shape...)
}

// Levels returns the distinct texts in order of appearance, and the index among them of each text.
// The codes can be bound to an index input whose dim has size len(levels).
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

// LevelCodes returns the index in levels of each text. It returns an error for the first text that
// is not a level.
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

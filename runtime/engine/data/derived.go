package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// The names of arrays that are computed from an input x of sparse counts. None is an input in the
// text of the model; each is computed when it is read.
//
//   - log factorials: Σ log x! along the last axis, the part of the density of counts that does not
//     depend on unknowns;
//   - columns and counts: the stored entries of every row, along an axis as long as the row with
//     most entries; shorter rows are padded with column 0 and count 0.
const (
	logFactorials = ".log_factorials"
	columns       = ".columns"
	counts        = ".counts"
	stored        = ".entries"
)

// LogFactorialsOf is the name of Σ log x! along the last axis of an input x.
func LogFactorialsOf(input string) string { return input + logFactorials }

// ColumnsOf is the name of the columns of the stored entries of an input [N, V]:
// shape [N, EntriesDim].
func ColumnsOf(input string) string { return input + columns }

// CountsOf is the name of the values of the stored entries, likewise.
func CountsOf(input string) string { return input + counts }

// EntriesDim is how many entries the row with the most of them has.
func EntriesDim(input string) size.Poly { return size.Dim(EntriesName(input)) }

// EntriesName is the name of that dim.
func EntriesName(input string) string { return input + stored }

// EntriesInput is the input whose stored entries a dim of EntriesDim counts.
func EntriesInput(dim string) (input string, ok bool) { return strings.CutSuffix(dim, stored) }

package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// The suffixes of the names of arrays that are computed from an input x of sparse counts. The text
// of the model has no such inputs. Each array is computed when it is read.
//
// log factorials: Σ log x! along the last axis, the part of the density of counts that does not
// depend on unknowns.
//
// columns and counts: the columns and the values of the stored entries of every row. Rows are
// padded with column 0 and count 0 to the length of the row with most entries.
const (
	logFactorials = ".log_factorials"
	columns       = ".columns"
	counts        = ".counts"
	stored        = ".entries"
)

// LogFactorialsOf returns the name of the array of Σ log x! along the last axis of an input x.
func LogFactorialsOf(input string) string { return input + logFactorials }

// ColumnsOf returns the name of the array of the columns of the stored entries of an input [N, V].
// Its shape is [N, EntriesDim].
func ColumnsOf(input string) string { return input + columns }

// CountsOf returns the name of the array of the values of the stored entries, of the same shape.
func CountsOf(input string) string { return input + counts }

// EntriesDim returns the dim whose size is the largest number of stored entries of a row.
func EntriesDim(input string) size.Poly { return size.Dim(EntriesName(input)) }

// EntriesName returns the name of EntriesDim.
func EntriesName(input string) string { return input + stored }

// EntriesInput returns the input that a name of EntriesName belongs to, and false for other names.
func EntriesInput(dim string) (input string, ok bool) { return strings.CutSuffix(dim, stored) }

package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// A Bound is a set of values that satisfies a schema. Every dim has a size. Sparse inputs are CSR;
// all others are dense or packed. Indices count from 0, and bools are 0 or 1. Values lacks inputs
// that take their default.
type Bound struct {
	Dims   map[string]int
	Values map[string]*array.Value
	Files  []format.Fingerprint // fingerprints of the files, in the order in which they were read
	Labels map[string][]string  // names of the entries of dims that have names
	// NewLevels has, by dim with levels that Options.Labels lacks, the number of levels in
	// Options.Labels. It is nil if there is no such dim.
	NewLevels map[string]int
	Dropped   map[string]Dropped // by dim, the rows that {na} left out

	// Read has the rows that RowBinder.Bind took the values from, by file. Values may lie in their
	// memory.
	Read []*format.Rows

	// zeroless has, by guessed dim, the inputs whose indices gave its size, if none of their indices
	// is 0 although they count from 0.
	zeroless map[string]string
	guessed  []string // dims whose size is the largest entry or the longest row of the data
}

// Value returns a bound value, or computes the array of a derived name such as x.counts. It
// returns nil if there is neither.
func (b *Bound) Value(name string) *array.Value {
	if v := b.Values[name]; v != nil {
		return v
	}
	for _, d := range []struct {
		suffix string
		of     func(v *array.Value, width int) *array.Value
	}{{logFactorials, (*array.Value).LogFactorials}, {columns, (*array.Value).Columns},
		{counts, (*array.Value).Counts}} {
		if input, ok := strings.CutSuffix(name, d.suffix); ok && b.Values[input] != nil {
			return d.of(b.Values[input], b.Dims[EntriesName(input)])
		}
	}
	return nil
}

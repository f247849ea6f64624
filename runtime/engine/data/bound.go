package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// A Bound is a set of values that satisfies a schema: every dim has a size,
// sparse inputs are CSR, all others dense or packed, indices count from 0, bools are 0
// and 1. Inputs left to their default are absent from Values.
type Bound struct {
	Dims   map[string]int
	Values map[string]*array.Value
	Files  []format.Fingerprint // what was read, in order
	Labels map[string][]string  // names of the entries of dims, where they are given
	// NewLevels has the dims that got levels besides those of Options.Labels, with the number
	// of the latter; nil where none did.
	NewLevels map[string]int
	Dropped   map[string]Dropped // rows of dims that {na} left out

	// of those, the inputs that did, where no index is 0 though they count from 0
	zeroless map[string]string
	guessed  []string // dims that the largest entries or the longest rows settled
}

// Value is a value of the bound data, or what is computed of one. nil when
// there is none.
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

package model

import (
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Stored are the sparse inputs whose rows functions go through entry by entry.
func (s *Spec) Stored() []string {
	var out []string
	for _, d := range s.Data {
		for _, p := range d.Shape {
			for _, name := range p.Dims() {
				if input, ok := data.EntriesInput(name); ok && !slices.Contains(out, input) {
					out = append(out, input)
				}
			}
		}
	}
	return out
}

// entryDims are the dims of the data with those that count the stored entries
// of sparse inputs, where functions go through them (data.EntriesDim).
func entryDims(spec *Spec, bound *data.Bound) map[string]int {
	dims := bound.Dims
	for _, input := range spec.Stored() {
		name, v := data.EntriesName(input), bound.Values[input]
		if v == nil || v.CSR == nil || dims[name] != 0 {
			continue
		}
		if len(dims) == len(bound.Dims) {
			dims = maps.Clone(dims)
		}
		dims[name] = max(1, v.MostEntries())
	}
	return dims
}

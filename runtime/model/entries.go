package model

import (
	"maps"

	"github.com/sgppl/sgppl/runtime/data"
)

// entryDims are the dims of the data with those that count the stored entries
// of sparse inputs, where functions go through them (data.EntriesDim).
func entryDims(spec *Spec, bound *data.Bound) map[string]int {
	dims := bound.Dims
	for _, d := range spec.Data {
		for _, p := range d.Shape {
			for _, name := range p.Dims() {
				input, ok := data.EntriesInput(name)
				if v := bound.Values[input]; ok && v != nil && v.CSR != nil && dims[name] == 0 {
					if len(dims) == len(bound.Dims) {
						dims = maps.Clone(dims)
					}
					dims[name] = max(1, v.MostEntries())
				}
			}
		}
	}
	return dims
}

package data

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// raggedDim returns the ragged dim that p is; nil if p is another size.
func (s *Schema) raggedDim(p size.Poly) *Dim {
	name, one := p.Name()
	if !one {
		return nil
	}
	if d := s.Dim(name); d != nil && d.Of != "" {
		return d
	}
	return nil
}

// ragged reports whether an input has an axis of a ragged dim.
func (s *Schema) ragged(in *Input) bool {
	return slices.ContainsFunc(in.Shape, func(p size.Poly) bool { return s.raggedDim(p) != nil })
}

// Uneven reports whether lists of different lengths can be bound to an input.
func (s *Schema) Uneven(in *Input) bool { return in.Listed || s.ragged(in) }

// lengthsName reports whether name is that of the lengths of a ragged dim.
func (s *Schema) lengthsName(name string) bool {
	return slices.ContainsFunc(s.Dims,
		func(d Dim) bool { return d.Of != "" && LengthsOf(d.Name) == name })
}

// manyLengths returns a text on why a ragged dim does not have one size.
func (d *Dim) manyLengths() string {
	return fmt.Sprintf("%s is ragged and has a length for each row of %s", d.Name, d.Of)
}

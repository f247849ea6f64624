package vm

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// A fitted has the parts of a function that depend on sizes: the positions of arrays, and the
// steps. The memory belongs to the function and is shared by all sizes.
type fitted struct {
	dims    map[string]int
	buffers []*array // by Buffer.ID
	// arrays whose memory comes with a call: at its start, and with a block of rows
	brought [2][]*array
	steps   [3][]func()
}

// mostFits is the number of sizes for which a function keeps its fitted form. Rows of up to some
// thousand entries have fewer sizes, since their lengths are rounded.
const mostFits = 128

// fit makes the function ready for sizes, at their first use.
func (f *function) fit(dims map[string]int) {
	if f.names == nil {
		f.names = slices.Sorted(maps.Keys(dims))
	}
	f.key = f.key[:0]
	for _, name := range f.names {
		f.key = binary.AppendUvarint(f.key, uint64(dims[name]))
	}
	if known := f.fits[string(f.key)]; known != nil {
		f.fitted = known
		return
	}
	if f.fits == nil || len(f.fits) == mostFits {
		f.fits = map[string]*fitted{}
	}
	f.fitted = &fitted{dims: maps.Clone(dims)}
	f.fits[string(f.key)] = f.fitted
	f.bind()
	for seg := range f.program.Steps {
		f.steps[seg] = f.ready(f.program.Steps[seg])
	}
}

// A scratch is the memory of loops for a strip at a time. No loop reads what
// another left there, so the loops of a function share it.
type scratch[T float] struct {
	own  []*[strip]T    // by instruction of a body
	temp [][]T          // by operand of an instruction, those of indices too
	full map[uint64][]T // of one number, by its bits
}

// scratchOf returns the scratch memory of a precision.
func scratchOf[T float](f *function) *scratch[T] {
	if s, ok := any(&f.scratch).(*scratch[T]); ok {
		return s
	}
	s, _ := any(&f.scratch32).(*scratch[T])
	return s
}

// instr returns the strip of the i-th instruction.
func (s *scratch[T]) instr(i int) *[strip]T {
	for len(s.own) <= i {
		s.own = append(s.own, new([strip]T))
	}
	return s.own[i]
}

// operand returns the strip of the i-th operand of an instruction.
func (s *scratch[T]) operand(i int) []T {
	for len(s.temp) <= i {
		s.temp = append(s.temp, make([]T, strip))
	}
	return s.temp[i]
}

// filled returns a strip filled with a number; it is read-only.
func (s *scratch[T]) filled(x T) []T {
	bits := math.Float64bits(float64(x))
	if full := s.full[bits]; full != nil {
		return full
	}
	full := make([]T, strip)
	for i := range full {
		full[i] = x
	}
	if s.full == nil {
		s.full = map[uint64][]T{}
	}
	s.full[bits] = full
	return full
}

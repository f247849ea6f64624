package array

import (
	"math/bits"
	"sync"
)

// spare has memory of arrays that are not used any more, by the number of bits of its length.
var spare [64]sync.Pool

// A room is a buffer that a value was read into. Copies of the value share it.
type room struct {
	x     []float64
	given bool
}

// NewRoom gives a dense value an empty list with space for n numbers: memory that was given back,
// where there is some of that size, so that one file after another is read into the same memory.
func (v *Value) NewRoom(n int) {
	pool := &spare[bits.Len(uint(n))]
	if x, is := pool.Get().(*[]float64); is && cap(*x) >= n {
		v.room = &room{x: *x}
	} else {
		v.room = &room{x: make([]float64, 0, n)}
	}
	v.F64 = v.room.x
}

// GiveBack has NewRoom use the memory that a value, or one that it is a copy of, was read into.
// Nobody may read the values any more. Of values without a room it does nothing.
func (v *Value) GiveBack() {
	r := v.room
	if v.room = nil; r == nil || r.given {
		return
	}
	r.given = true
	v.F64, v.finite = nil, nil
	spare[bits.Len(uint(cap(r.x)))].Put(&r.x)
}

// SameMemory has a value know what another one does of the numbers that both have.
func (v *Value) SameMemory(other *Value) { v.room, v.finite = other.room, other.finite }

// NoteFinite notes that all numbers of a dense value are finite.
func (v *Value) NoteFinite() { v.finite = v.F64 }

// KnownFinite reports whether that was noted, of the numbers that the value has now.
func (v *Value) KnownFinite() bool {
	n := len(v.F64)
	return n > 0 && len(v.finite) == n && &v.finite[0] == &v.F64[0]
}

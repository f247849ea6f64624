package array

import (
	"math/bits"
	"sync"
)

// spare pools buffers of values that are no longer used, by the bit length of their capacity.
var spare [64]sync.Pool

// A room is the buffer that a value was read into. Copies of the value share it.
type room struct {
	x     []float64
	given bool
}

// NewRoom sets F64 to an empty slice with capacity for at least n numbers. It reuses a buffer that
// GiveBack returned, if there is one of that size.
func (v *Value) NewRoom(n int) {
	pool := &spare[bits.Len(uint(n))]
	if x, is := pool.Get().(*[]float64); is && cap(*x) >= n {
		v.room = &room{x: *x}
	} else {
		v.room = &room{x: make([]float64, 0, n)}
	}
	v.F64 = v.room.x
}

// GiveBack returns the buffer of v to the pool of NewRoom. After that, neither v nor its copies
// may be read. It does nothing if NewRoom did not allocate the buffer.
func (v *Value) GiveBack() {
	r := v.room
	if v.room = nil; r == nil || r.given {
		return
	}
	r.given = true
	v.F64, v.finite = nil, nil
	spare[bits.Len(uint(cap(r.x)))].Put(&r.x)
}

// SameMemory marks v as using the buffer of other, and copies the note of NoteFinite.
func (v *Value) SameMemory(other *Value) { v.room, v.finite = other.room, other.finite }

// NoteFinite notes that all numbers of a dense value are finite.
func (v *Value) NoteFinite() { v.finite = v.F64 }

// KnownFinite reports whether NoteFinite was called for the numbers that v has now.
func (v *Value) KnownFinite() bool {
	n := len(v.F64)
	return n > 0 && len(v.finite) == n && &v.finite[0] == &v.F64[0]
}

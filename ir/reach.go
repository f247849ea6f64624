package ir

import (
	"slices"
	"sync"
)

// Reach lists everything the roots depend on, arguments first, in an order
// that depends on nothing but the graph.
func Reach(roots ...*Value) []*Value {
	r := reaches.Get().(*reach)
	for _, root := range roots {
		if !r.seen.add(root) {
			continue
		}
		r.stack = append(r.stack, frame{root, 0})
		for len(r.stack) > 0 {
			top := &r.stack[len(r.stack)-1]
			if top.next == len(top.v.Args) {
				r.order = append(r.order, top.v)
				top.v = nil
				r.stack = r.stack[:len(r.stack)-1]
				continue
			}
			arg := top.v.Args[top.next]
			top.next++
			if r.seen.add(arg) {
				r.stack = append(r.stack, frame{arg, 0})
			}
		}
	}
	order := slices.Clone(r.order)
	r.release() // not where that above panics
	return order
}

// A reach is what Reach works with. Passes ask for what a function has thousands of times, so it is
// kept for the next one.
type reach struct {
	order []*Value
	seen  valueSet
	stack []frame // an explicit one: long chains of additions must not grow the goroutine's
}

type frame struct {
	v    *Value
	next int
}

var reaches = sync.Pool{New: func() any { return new(reach) }}

// release gives r back, without the values that it was used for.
func (r *reach) release() {
	r.seen.clear(r.order)
	clear(r.order)
	r.order = r.order[:0]
	reaches.Put(r)
}

// A valueSet is a set of values, which may be of several builders. Those of one builder have
// numbers that follow each other with gaps: a value has its place at its number, unless one of
// another builder is there.
type valueSet struct {
	slots []*Value        // by number
	more  map[*Value]bool // whose place is taken
}

// add puts v into the set, and reports whether it was not there.
func (s *valueSet) add(v *Value) bool {
	if v.ID >= len(s.slots) {
		s.slots = append(s.slots, make([]*Value, max(64, len(s.slots), v.ID+1-len(s.slots)))...)
	}
	switch s.slots[v.ID] {
	case v:
		return false
	case nil:
		s.slots[v.ID] = v
		return true
	}
	if s.more[v] {
		return false
	}
	if s.more == nil {
		s.more = map[*Value]bool{}
	}
	s.more[v] = true
	return true
}

// clear empties the set, whose values are in the list.
func (s *valueSet) clear(list []*Value) {
	for _, v := range list {
		s.slots[v.ID] = nil
	}
	s.more = nil
}

package ir

// Reach lists everything the roots depend on, arguments first, in an order
// that depends on nothing but the graph.
func Reach(roots ...*Value) []*Value {
	var order []*Value
	var seen valueSet
	// An explicit stack: long chains of additions must not grow the goroutine's.
	type frame struct {
		v    *Value
		next int
	}
	var stack []frame
	for _, root := range roots {
		if !seen.add(root) {
			continue
		}
		stack = append(stack, frame{root, 0})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.v.Args) {
				order = append(order, top.v)
				stack = stack[:len(stack)-1]
				continue
			}
			arg := top.v.Args[top.next]
			top.next++
			if seen.add(arg) {
				stack = append(stack, frame{arg, 0})
			}
		}
	}
	return order
}

// A valueSet is a set of values, which may be of several builders. It is a hash table with
// linear probing. Hashes are the numbers of values times 2^64 over the golden ratio (Knuth, The Art
// of Computer Programming 3, §6.4): numbers of one builder follow each other with gaps, and would
// fill long stretches of the table.
type valueSet struct {
	slots []*Value // nil where free; their number is 0 or a power of 2
	len   int
}

// add puts v into the set, and reports whether it was not there.
func (s *valueSet) add(v *Value) bool {
	if 2*s.len >= len(s.slots) {
		old := s.slots
		s.slots = make([]*Value, max(64, 2*len(old)))
		for _, x := range old {
			if x != nil {
				s.slots[s.find(x)] = x
			}
		}
	}
	i := s.find(v)
	if s.slots[i] == v {
		return false
	}
	s.slots[i] = v
	s.len++
	return true
}

// find returns the slot of v, or the free one where it belongs.
func (s *valueSet) find(v *Value) int {
	last := len(s.slots) - 1
	i := int(uint64(v.ID) * 0x9e3779b97f4a7c15 >> 32 & uint64(last))
	for s.slots[i] != nil && s.slots[i] != v {
		i = (i + 1) & last
	}
	return i
}

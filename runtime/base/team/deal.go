package team

import "sync/atomic"

// A share is the parts of a job that a member has: the next one in the upper half of the number,
// the end in the lower half.
type share struct {
	span atomic.Uint64
	_    [56]byte // each in its own line of the cache
}

// Deal gives each member as many of the parts of the next job as others, beside one another. Jobs
// that are dealt alike find in a member's caches what it wrote there in the job before.
func (t *Team) Deal(parts int) {
	for i := range t.shares {
		from, to := i*parts/t.size, (i+1)*parts/t.size
		t.shares[i].span.Store(uint64(from)<<32 | uint64(to))
	}
}

// Next is the next part for a member: of its own parts the first that is left, then of those of
// another member the last. It is -1 when none is left.
func (t *Team) Next(member int) int {
	for i := range t.size {
		s := &t.shares[(member+i)%t.size].span
		for {
			span := s.Load()
			from, to := span>>32, span&(1<<32-1)
			if from >= to {
				break
			}
			if i == 0 && s.CompareAndSwap(span, span+1<<32) {
				return int(from)
			}
			if i > 0 && s.CompareAndSwap(span, span-1) {
				return int(to) - 1
			}
		}
	}
	return -1
}

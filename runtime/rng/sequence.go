package rng

import "github.com/sgppl/sgppl/runtime/cpu"

// A Sequence hands out the normals of a step piece by piece, those that
// Stream.Normals gives at once. It is a value with a position, to be begun first.
type Sequence struct {
	state states
	level cpu.Level
	rest  [2 * lanes]float64 // the last of them are still to come
	left  int
}

// Begin begins the normals of a step of a stream.
func (q *Sequence) Begin(s Stream, step uint64) {
	base := s.block(step, domainNormals)
	for j := range lanes {
		l := newLane(&base, uint64(j))
		q.state[j], q.state[lanes+j] = l.s0, l.s1
	}
	q.level, q.left = level, 0
}

// Fill writes the next len(dst) normals.
func (q *Sequence) Fill(dst []float64) {
	if q.left > 0 {
		n := copy(dst, q.rest[2*lanes-q.left:])
		q.left -= n
		dst = dst[n:]
	}
	for len(dst) >= 2*lanes {
		rounds := min(len(dst)/(2*lanes), maxRounds)
		q.rounds(dst, rounds)
		dst = dst[2*lanes*rounds:]
	}
	if len(dst) > 0 {
		q.rounds(q.rest[:], 1)
		q.left = 2*lanes - copy(dst, q.rest[:])
	}
}

// rounds writes so many rounds of 2·lanes normals.
func (q *Sequence) rounds(dst []float64, rounds int) {
	if q.level != cpu.Portable {
		vectorNormals(&dst[0], &q.state, rounds)
		return
	}
	portableRounds(&q.state, dst[:2*lanes*rounds])
}

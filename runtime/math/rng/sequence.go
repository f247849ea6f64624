package rng

import "github.com/sgppl/sgppl/runtime/math/cpu"

// A SequenceOf hands out the normals of a step piece by piece, those that
// Stream.Normals or Stream.Normals32 gives at once. It is a value with a
// position, to be begun first.
type SequenceOf[T float32 | float64] struct {
	state states
	level cpu.Level
	rest  [4 * lanes]T // the last of them are still to come
	left  int
}

// Sequences in double and in single precision.
type (
	Sequence   = SequenceOf[float64]
	Sequence32 = SequenceOf[float32]
)

// round is how many normals the lanes give together: a pair each, or two in
// single precision.
func (q *SequenceOf[T]) round() int {
	if q.single() {
		return 4 * lanes
	}
	return 2 * lanes
}

func (q *SequenceOf[T]) single() bool {
	var z T
	_, is := any(z).(float32)
	return is
}

// Begin begins the normals of a step of a stream.
func (q *SequenceOf[T]) Begin(s Stream, step uint64) {
	domain := uint64(domainNormals)
	if q.single() {
		domain = domainNormals32
	}
	base := s.block(step, domain)
	for j := range lanes {
		l := newLane(&base, uint64(j))
		q.state[j], q.state[lanes+j] = l.s0, l.s1
	}
	q.level, q.left = level, 0
}

// Fill writes the next len(dst) normals.
func (q *SequenceOf[T]) Fill(dst []T) {
	if q.left > 0 {
		n := copy(dst, q.rest[q.round()-q.left:q.round()])
		q.left -= n
		dst = dst[n:]
	}
	n := q.round()
	for len(dst) >= n {
		rounds := min(len(dst)/n, maxRounds)
		q.rounds(dst[:n*rounds], rounds)
		dst = dst[n*rounds:]
	}
	if len(dst) > 0 {
		q.rounds(q.rest[:n], 1)
		q.left = n - copy(dst, q.rest[:n])
	}
}

// Lanes are the states of the generators, for passes that make the next normals
// themselves, in whole rounds. nil where some of the last round are still to come.
func (q *SequenceOf[T]) Lanes() *[2 * lanes]uint64 {
	if q.left > 0 {
		return nil
	}
	return (*[2 * lanes]uint64)(&q.state)
}

// rounds fills dst with so many rounds.
func (q *SequenceOf[T]) rounds(dst []T, rounds int) {
	switch d := any(dst).(type) {
	case []float64:
		if q.level != cpu.Portable {
			vectorNormals(&d[0], &q.state, rounds)
		} else {
			portableRounds(&q.state, d)
		}
	case []float32:
		if q.level != cpu.Portable {
			vectorNormals32(&d[0], &q.state, rounds)
		} else {
			portableRounds32(&q.state, d)
		}
	}
}

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

// WholeRounds is n rounded up to whole rounds of normals, which Fill writes without a copy.
func WholeRounds[T float32 | float64](n int) int {
	var q *SequenceOf[T]
	round := q.round()
	return (n + round - 1) / round * round
}

// Begin begins the normals of a step of a stream.
func (q *SequenceOf[T]) Begin(s Stream, step uint64) {
	block := s.block(step, q.domain())
	q.beginAt(&block)
}

// domain is that of the normals of the precision.
func (q *SequenceOf[T]) domain() uint64 {
	if q.single() {
		return domainNormals32
	}
	return domainNormals
}

// beginAt is Begin, given the block of the step.
func (q *SequenceOf[T]) beginAt(block *[4]uint64) {
	q.state.seed(block)
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

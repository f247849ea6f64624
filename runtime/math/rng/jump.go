package rng

// A Jump moves the lanes of a sequence ahead by some rounds at once. What a lane does in a round is
// a linear map of the bits of its state, and so are many rounds: by squaring, a long jump takes the
// time of a few (Blackman & Vigna, 2021, section 5).
type Jump struct {
	image [128][2]uint64 // the state after the jump from each state of a single bit
}

// NewJump makes the jump over so many normals, which must be whole rounds.
func NewJump[T float32 | float64](normals int) *Jump {
	var q *SequenceOf[T]
	rounds := normals / q.round()
	if normals != rounds*q.round() {
		panic("rng: a jump within a round")
	}
	out, power := new(Jump), new(Jump)
	for i := range out.image {
		out.image[i][i/64] = 1 << (i % 64)
		l := lane{out.image[i][0], out.image[i][1]}
		var a, b [1]uint64
		l.fill2(a[:], b[:])
		power.image[i] = [2]uint64{l.s0, l.s1}
	}
	for ; rounds > 0; rounds >>= 1 {
		if rounds&1 == 1 {
			out = out.then(power)
		}
		power = power.then(power)
	}
	return out
}

// then is the jump followed by another.
func (j *Jump) then(k *Jump) *Jump {
	out := new(Jump)
	for i, x := range j.image {
		out.image[i][0], out.image[i][1] = k.of(x[0], x[1])
	}
	return out
}

// of is the state after the jump.
func (j *Jump) of(s0, s1 uint64) (t0, t1 uint64) {
	for half, s := range [2]uint64{s0, s1} {
		for i := range 64 {
			bit := -(s >> i & 1) // all ones, or none
			t0 ^= j.image[64*half+i][0] & bit
			t1 ^= j.image[64*half+i][1] & bit
		}
	}
	return t0, t1
}

// Skip leaves out the normals of a jump. The sequence must have given whole rounds.
func (q *SequenceOf[T]) Skip(j *Jump) {
	if q.left > 0 {
		panic("rng: a jump within a round")
	}
	for i := range lanes {
		q.state[i], q.state[lanes+i] = j.of(q.state[i], q.state[lanes+i])
	}
}

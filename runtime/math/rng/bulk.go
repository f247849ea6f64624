package rng

import "github.com/sgppl/sgppl/runtime/math/cpu"

// level is the set of instructions that the bulk calls use; tests change it.
var level = cpu.Best

// states are those of the lanes of a bulk call, s0 of all and then s1 of all.
type states [2 * lanes]uint64

// seed seeds the lanes from the block of a step.
func (s *states) seed(block *[4]uint64) {
	if level != cpu.Portable {
		vectorSeeds(s, block)
		return
	}
	portableSeeds(s, block)
}

func portableSeeds(s *states, block *[4]uint64) {
	for j := range lanes {
		l := newLane(block, uint64(j))
		s[j], s[lanes+j] = l.s0, l.s1
	}
}

// Uniforms fills dst with independent uniforms on (0, 1). Element i depends on
// the stream, the step and i, not on the length: it is word i/8 of lane i mod 8.
func (s Stream) Uniforms(step uint64, dst []float64) {
	base := s.block(step, domainUniforms)
	if level == cpu.Portable {
		portableUniforms(&base, dst)
		return
	}
	var state states
	state.seed(&base)
	for len(dst) >= lanes {
		rounds := min(len(dst)/lanes, maxRounds)
		vectorUniforms(&dst[0], &state, rounds)
		dst = dst[lanes*rounds:]
	}
	if len(dst) > 0 {
		var rest [lanes]float64
		vectorUniforms(&rest[0], &state, 1)
		copy(dst, rest[:])
	}
}

// Normals fills dst with independent standard normals. Elements 2p and 2p+1
// depend on the stream, the step and p, not on the length: they are the
// Box–Muller pair of words 2⌊p/8⌋ and 2⌊p/8⌋+1 of lane p mod 8.
func (s Stream) Normals(step uint64, dst []float64) {
	base := s.block(step, domainNormals)
	if level == cpu.Portable {
		portableNormals(&base, dst)
		return
	}
	var state states
	state.seed(&base)
	for len(dst) >= 2*lanes {
		rounds := min(len(dst)/(2*lanes), maxRounds)
		vectorNormals(&dst[0], &state, rounds)
		dst = dst[2*lanes*rounds:]
	}
	if len(dst) > 0 {
		var rest [2 * lanes]float64
		vectorNormals(&rest[0], &state, 1)
		copy(dst, rest[:])
	}
}

// Normals32 fills dst with independent standard normals in single precision.
// Element i depends on the stream, the step and i, not on the length: of every
// 32 elements the first 16 are the cosines and the others the sines of the
// Box–Muller pairs of two words of each lane, pair 2j of their lower halves in
// lane j and pair 2j + 1 of the upper ones. They are separate draws, not
// those of Normals rounded.
func (s Stream) Normals32(step uint64, dst []float32) {
	var q Sequence32
	q.Begin(s, step)
	q.Fill(dst)
}

// maxRounds is the largest number of rounds in one call of assembly, as the scheduler cannot
// interrupt a call.
const maxRounds = 1 << 10

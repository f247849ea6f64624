package rng

import (
	"math"
	"math/bits"
)

// A Purpose identifies the use of a stream, so that no two uses share draws. Numbers are part of
// the format of results: append, never renumber.
type Purpose uint32

const (
	Init        Purpose = iota + 1 // starting points
	Noise                          // injected noise of the dynamics
	Batch                          // which rows a minibatch holds
	Momentum                       // fresh momenta
	Accept                         // Metropolis tests
	Simulate                       // data drawn from the model
	Predict                        // posterior predictive draws
	Synthetic                      // made-up data sets
	Adapt                          // tuning of step sizes and the like
	Local                          // latent variables of rows
	Direction                      // directions of trees and slices
	Test                           // tests of this repository
	Split                          // which words of a document are in which part
	Reservoir                      // which draws are stored
	Watch                          // latent variables of rows that are watched, not used
	Dropout                        // entries that are dropped while a network is trained
	Generate                       // values of generate lines
	Given                          // data that a program draws before it is a model
	Arrangement                    // the order in which many rows lie in memory
)

// A Stream is a family of draws, one for every step. It is a value without a
// position; copies are the same stream, and all methods are safe for
// concurrent use.
type Stream struct {
	k0, k1 uint64
}

// New returns the stream of a purpose in a chain (0 <= chain < 2³²).
func New(seed uint64, chain int, p Purpose) Stream {
	return Stream{seed, uint64(chain)<<32 | uint64(p)}
}

// Domains separate the uses of random numbers in one step.
const (
	domainSource = iota
	domainUniforms
	domainNormals
	domainNormals32
)

func (s Stream) block(step, domain uint64) [4]uint64 {
	return philox([4]uint64{step, domain, 0, 0}, s.k0, s.k1)
}

// At returns the sequential source of a step. It is independent of what
// Normals and Uniforms draw at that step.
func (s Stream) At(step uint64) Source {
	return Source{s: s.block(step, domainSource)}
}

const (
	lanes = 8  // generators that a bulk call runs side by side
	strip = 64 // outputs, or pairs of them, that a bulk call makes at a time

	expOne = 0x3ff0000000000000 // bits of 1.0
)

// A lane is xoroshiro128++ (Blackman & Vigna, 2021): two words of state are
// quick to seed, which short vectors feel, and 2¹²⁸ states are enough
// for random starting points.
type lane struct{ s0, s1 uint64 }

// newLane seeds lane j from the block of a step: two SplitMix64 generators
// (Steele, Lea & Flood, 2014), start and increment from the block, advanced
// by j+1. The output function is a bijection, so no two lanes agree in a word.
func newLane(b *[4]uint64, j uint64) lane {
	return lane{mix(b[0] + (j+1)*(b[2]|1)), mix(b[1] + (j+1)*(b[3]|1))}
}

// mix is the output function of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fill writes the next words of the lane to dst[0], dst[lanes], ….
func (l *lane) fill(dst []uint64) {
	s0, s1 := l.s0, l.s1
	for i := 0; i < len(dst); i += lanes {
		dst[i] = bits.RotateLeft64(s0+s1, 17) + s0
		s1 ^= s0
		s0 = bits.RotateLeft64(s0, 49) ^ s1 ^ s1<<21
		s1 = bits.RotateLeft64(s1, 28)
	}
	l.s0, l.s1 = s0, s1
}

// fill2 writes the next pairs of words of the lane to (a[0], b[0]),
// (a[lanes], b[lanes]), ….
func (l *lane) fill2(a, b []uint64) {
	s0, s1 := l.s0, l.s1
	b = b[:len(a)]
	for i := 0; i < len(a); i += lanes {
		a[i] = bits.RotateLeft64(s0+s1, 17) + s0
		s1 ^= s0
		s0 = bits.RotateLeft64(s0, 49) ^ s1 ^ s1<<21
		s1 = bits.RotateLeft64(s1, 28)

		b[i] = bits.RotateLeft64(s0+s1, 17) + s0
		s1 ^= s0
		s0 = bits.RotateLeft64(s0, 49) ^ s1 ^ s1<<21
		s1 = bits.RotateLeft64(s1, 28)
	}
	l.s0, l.s1 = s0, s1
}

// unit maps a word to (0, 1): the odd multiples of 2⁻⁵³, each as likely.
func unit(w uint64) float64 {
	return math.Float64frombits(w>>12|expOne) - (1 - 0x1p-53)
}

package rng

import (
	"math"
	"math/bits"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Source is a sequential source of words and of draws from distributions:
// xoshiro256++. It implements rand.Source of math/rand/v2. Copying it copies
// its position. The zero value is not usable; Stream.At makes sources.
type Source struct {
	s        [4]uint64
	spare    float64 // the other half of a Box–Muller pair
	hasSpare bool
}

// Uint64 returns the next 64 bits.
func (g *Source) Uint64() uint64 {
	s0, s1, s2, s3 := g.s[0], g.s[1], g.s[2], g.s[3]
	w := bits.RotateLeft64(s0+s3, 23) + s0
	t := s1 << 17
	s2 ^= s0
	s3 ^= s1
	s1 ^= s2
	s0 ^= s3
	s2 ^= t
	s3 = bits.RotateLeft64(s3, 45)
	g.s = [4]uint64{s0, s1, s2, s3}
	return w
}

// Float64 returns a uniform on (0, 1), both ends excluded.
func (g *Source) Float64() float64 { return unit(g.Uint64()) }

// IntN returns a uniform integer in [0, n), without bias (Lemire, 2019). It
// panics if n <= 0.
func (g *Source) IntN(n int) int {
	if n <= 0 {
		panic("rng: IntN of a number that is not positive")
	}
	m := uint64(n)
	hi, lo := bits.Mul64(g.Uint64(), m)
	if lo < m {
		for floor := -m % m; lo < floor; {
			hi, lo = bits.Mul64(g.Uint64(), m)
		}
	}
	return int(hi)
}

// Perm fills dst with a uniform permutation of 0, …, len(dst)-1
// (Fisher–Yates, inside out).
func (g *Source) Perm(dst []int) {
	for i := range dst {
		j := g.IntN(i + 1)
		dst[i] = dst[j]
		dst[j] = i
	}
}

// Perm32 is Perm with numbers of 32 bits, of at most 2³² places.
func (g *Source) Perm32(dst []uint32) {
	s0, s1, s2, s3 := g.s[0], g.s[1], g.s[2], g.s[3] // in registers: Uint64 has them in memory
	for i := range dst {
		hi, lo := bits.Mul64(bits.RotateLeft64(s0+s3, 23)+s0, uint64(i+1))
		if lo <= uint64(i) { // it may have a bias
			g.s = [4]uint64{s0, s1, s2, s3}
			hi = uint64(g.IntN(i + 1))
			s0, s1, s2, s3 = g.s[0], g.s[1], g.s[2], g.s[3]
		} else {
			t := s1 << 17
			s2 ^= s0
			s3 ^= s1
			s1 ^= s2
			s0 ^= s3
			s2 ^= t
			s3 = bits.RotateLeft64(s3, 45)
		}
		dst[i] = dst[hi]
		dst[hi] = uint32(i)
	}
	g.s = [4]uint64{s0, s1, s2, s3}
}

// Normal returns a standard normal.
func (g *Source) Normal() float64 {
	if g.hasSpare {
		g.hasSpare = false
		return g.spare
	}
	var z [2]float64
	a, b := [1]uint64{g.Uint64()}, [1]uint64{g.Uint64()}
	boxMuller(z[:], a[:], b[:])
	g.spare, g.hasSpare = z[1], true
	return z[0]
}

// Exponential returns an exponential of rate 1.
func (g *Source) Exponential() float64 { return -special.Log(g.Float64()) }

// Cauchy returns a standard Cauchy: the slope of a uniform direction.
func (g *Source) Cauchy() float64 {
	c, s := direction(g.Uint64())
	return s / c
}

// Laplace returns a standard Laplace (double exponential, scale 1).
func (g *Source) Laplace() float64 {
	w := g.Uint64()
	return math.Copysign(special.Log(unit(w)), math.Float64frombits(w<<63))
}

// Logistic returns a standard logistic.
func (g *Source) Logistic() float64 { return special.Logit(g.Float64()) }

// Gumbel returns a standard Gumbel (of maxima).
func (g *Source) Gumbel() float64 { return -special.Log(g.Exponential()) }

// Weibull returns a Weibull of the given shape and scale 1.
func (g *Source) Weibull(shape float64) float64 {
	return special.Exp(special.Log(g.Exponential()) / shape)
}

// Spots writes to dst[k] a number below from+k+1, uniformly, for from+len(dst) of at most 2³¹. A
// list is shuffled as it grows: element i takes the place that its number says, and what was there
// goes to place i.
func (g *Source) Spots(dst []uint32, from int) {
	s0, s1, s2, s3 := g.s[0], g.s[1], g.s[2], g.s[3]
	for k := 0; k < len(dst); k += 2 {
		w := bits.RotateLeft64(s0+s3, 23) + s0
		t := s1 << 17
		s2 ^= s0
		s3 ^= s1
		s1 ^= s2
		s0 ^= s3
		s2 ^= t
		s3 = bits.RotateLeft64(s3, 45)
		for j := k; j < min(k+2, len(dst)); j++ {
			n := uint32(from + j + 1)
			hi, lo := bits.Mul32(uint32(w), n)
			if lo < n { // it may have a bias
				g.s = [4]uint64{s0, s1, s2, s3}
				hi = uint32(g.IntN(int(n)))
				s0, s1, s2, s3 = g.s[0], g.s[1], g.s[2], g.s[3]
			}
			dst[j] = hi
			w >>= 32
		}
	}
	g.s = [4]uint64{s0, s1, s2, s3}
}

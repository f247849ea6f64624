package rng

import "math/bits"

// philox is Philox4x64-10: ten rounds of a keyed bijection of 256 bits.
// Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011, §3.3; multipliers and Weyl increments from there.
func philox(ctr [4]uint64, k0, k1 uint64) [4]uint64 {
	const (
		m0 = 0xD2E7470EE14C6C93
		m1 = 0xCA5A826395121157
		w0 = 0x9E3779B97F4A7C15 // golden ratio
		w1 = 0xBB67AE8584CAA73B // √3 - 1
	)
	c0, c1, c2, c3 := ctr[0], ctr[1], ctr[2], ctr[3]
	for range 10 {
		hi0, lo0 := bits.Mul64(m0, c0)
		hi1, lo1 := bits.Mul64(m1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += w0
		k1 += w1
	}
	return [4]uint64{c0, c1, c2, c3}
}

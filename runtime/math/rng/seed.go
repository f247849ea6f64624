package rng

// Seed32 returns the block from which the generators of Normals32 are seeded at a step, for devices
// that make the same normals.
func (s Stream) Seed32(step uint64) [4]uint64 { return s.block(step, domainNormals32) }

package cuda

import "encoding/binary"

// The normals of a step are those of rng.Stream.Normals32: eight generators xoroshiro128++, each of
// which makes two words for a round of 32 normals. A generator is linear over GF(2) but for its
// output, so the state after k words is a product with a matrix of 128 × 128 bits.
const (
	blockNormals = 4096 // of a block of threads
	groupRounds  = 4    // of a thread
	groups       = 32   // of a block
)

// noiseLen is the length of the buffer of normals: whole blocks.
func noiseLen(dim int) int { return noiseBlocks(dim) * blockNormals }

func noiseBlocks(dim int) int { return (dim + blockNormals - 1) / blockNormals }

// A generatorState is that of one xoroshiro128++.
type generatorState [2]uint64

func (s *generatorState) next() {
	s[1] ^= s[0]
	s[0] = (s[0]<<49 | s[0]>>15) ^ s[1] ^ s[1]<<21
	s[1] = s[1]<<28 | s[1]>>36
}

// A jump is a matrix over GF(2): where each bit of a state goes.
type jump [128]generatorState

// after is the matrix of so many words.
func after(words int) *jump {
	var m jump
	for bit := range m {
		m[bit][bit/64] = 1 << (bit % 64)
		for range words {
			m[bit].next()
		}
	}
	return &m
}

// apply is the state that a state goes to.
func (m *jump) apply(s generatorState) (out generatorState) {
	for bit := range m {
		if s[bit/64]>>(bit%64)&1 != 0 {
			out[0] ^= m[bit][0]
			out[1] ^= m[bit][1]
		}
	}
	return out
}

// jumps returns the matrices of the groups of a block, and those of the blocks, as the kernel reads
// them.
func jumps(dim int) []byte {
	var out []byte
	add := func(m *jump) {
		for _, column := range m {
			out = binary.LittleEndian.AppendUint64(out, column[0])
			out = binary.LittleEndian.AppendUint64(out, column[1])
		}
	}
	for k := range groups {
		add(after(2 * groupRounds * k))
	}
	block, at := after(2*groupRounds*groups), after(0)
	for range noiseBlocks(dim) {
		add(at)
		var next jump
		for bit := range at {
			next[bit] = block.apply(at[bit])
		}
		at = &next
	}
	return out
}

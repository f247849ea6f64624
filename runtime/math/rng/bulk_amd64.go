//go:build amd64 && !purego

package rng

import "github.com/sgppl/sgppl/runtime/math/cpu"

func vectorUniforms(dst *float64, s *states, rounds int) {
	if level == cpu.AVX512 {
		uniformsavx512(dst, (*[16]uint64)(s), rounds)
	} else {
		uniformsavx2(dst, (*[16]uint64)(s), rounds)
	}
}

func vectorNormals(dst *float64, s *states, rounds int) {
	if level == cpu.AVX512 {
		normalsavx512(dst, (*[16]uint64)(s), rounds)
	} else {
		normalsavx2(dst, (*[16]uint64)(s), rounds)
	}
}

func vectorNormals32(dst *float32, s *states, rounds int) {
	if level == cpu.AVX512 {
		normals32avx512(dst, (*[16]uint64)(s), rounds)
	} else {
		normals32avx2(dst, (*[16]uint64)(s), rounds)
	}
}

func vectorSeeds(s *states, block *[4]uint64) {
	if level == cpu.AVX512 {
		seedsavx512((*[16]uint64)(s), block)
	} else {
		portableSeeds(s, block)
	}
}

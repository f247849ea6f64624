//go:build amd64 && !purego

package special

import "github.com/sgppl/sgppl/runtime/math/cpu"

// slice64 writes function f of n elements, whole vectors, until one has an
// element that is left to Go; it returns how many it wrote.
func slice64(f int, dst, src *float64, n int) int {
	if level == cpu.AVX512 {
		return slice64avx512(f, dst, src, n)
	}
	return slice64avx2(f, dst, src, n)
}

// slice32 is slice64 in single precision.
func slice32(f int, dst, src *float32, n int) int {
	if level == cpu.AVX512 {
		return slice32avx512(f, dst, src, n)
	}
	return slice32avx2(f, dst, src, n)
}

// vectorExp32 is slice64 for Exp32.
func vectorExp32(dst, src *float32, n int) int {
	if level == cpu.AVX512 {
		return exp32avx512(dst, src, n)
	}
	return exp32avx2(dst, src, n)
}

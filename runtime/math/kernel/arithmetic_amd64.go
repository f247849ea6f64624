//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// vectorEntrywise is Entrywise where dst has a multiple of vectorEntries entries, and not none.
func vectorEntrywise(op Op, dst, x, y, z []float64) {
	n, d, a := len(dst), &dst[0], &x[:len(dst)][0]
	var b *float64
	if op < OpNeg {
		b = &y[:n][0]
	}
	switch op {
	case OpAdd:
		vec.Add64avx2(d, a, b, n)
	case OpSub:
		vec.Sub64avx2(d, a, b, n)
	case OpMul:
		vec.Mul64avx2(d, a, b, n)
	case OpDiv:
		vec.Div64avx2(d, a, b, n)
	case OpMul0:
		vec.Mul064avx2(d, a, b, n)
	case OpEq:
		vec.Eq64avx2(d, a, b, n)
	case OpNe:
		vec.Ne64avx2(d, a, b, n)
	case OpLt:
		vec.Lt64avx2(d, a, b, n)
	case OpLe:
		vec.Le64avx2(d, a, b, n)
	case OpLarger:
		vec.Larger64avx2(d, a, b, n)
	case OpAddFinite:
		vec.AddFinite64avx2(d, a, b, n)
	case OpSelect:
		vec.Select64avx2(d, a, b, &z[:n][0], n)
	case OpNeg:
		vec.Neg64avx2(d, a, n)
	case OpAbs:
		vec.Abs64avx2(d, a, n)
	case OpSqrt:
		vec.Sqrt64avx2(d, a, n)
	}
}

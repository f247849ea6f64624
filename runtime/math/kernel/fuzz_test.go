package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// FuzzGemm: products of any shape, strides and transposes have the bits of
// their definition at every level.
func FuzzGemm(f *testing.F) {
	f.Add(uint64(1), uint16(13), uint16(33), uint16(210), uint8(3), uint16(512))
	f.Add(uint64(2), uint16(100), uint16(16), uint16(1), uint8(7), uint16(1))
	f.Fuzz(func(t *testing.T, seed uint64, m16, n16, k16 uint16, mode uint8, stride uint16) {
		m, n, k := int(m16%150), int(n16%150), int(k16%450)
		transA, transB, acc := mode&1 != 0, mode&2 != 0, mode&4 != 0
		g := rand.New(rand.NewPCG(seed, 1))
		matrix := func(rows, cols int) mat[float64] {
			ld := max(cols, int(stride%1100))
			return mat[float64]{random[float64](g, max(0, (rows-1)*ld+cols), mode&8 != 0), ld}
		}
		a, b, c := matrix(m, k), matrix(k, n), matrix(m, n)
		if transA {
			a = matrix(k, m)
		}
		if transB {
			b = matrix(n, k)
		}
		want := mat[float64]{append([]float64{}, c.Data...), c.Stride}
		for i := 0; i < m && !acc && n > 0; i++ {
			clear(want.Data[i*want.Stride:][:n])
		}
		if n > 0 {
			refGemm(want, a, b, m, n, k, transA, transB, fma64)
		}
		defer func(l cpu.Level) { level = l }(level)
		for _, l := range cpu.Levels() {
			level = l
			got := mat[float64]{append([]float64{}, c.Data...), c.Stride}
			Gemm(Matrix(got), Matrix(a), Matrix(b), m, n, k, transA, transB, acc)
			agree(t, l.String(), got.Data, want.Data)
		}
	})
}

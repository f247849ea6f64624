package kernel

import "testing"

// Transposes at every level, of every shape around the vectors'.
func TestTranspose(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		testTranspose(t, Transpose)
		testTranspose(t, Transpose32)
	})
}

func testTranspose[T float32 | float64](t *testing.T, transpose func(dst, x []T, m, n int)) {
	for m := range 20 {
		for n := range 37 {
			x, dst := make([]T, m*n), make([]T, m*n+1)
			for i := range x {
				x[i] = T(i + 1)
			}
			transpose(dst, x, m, n)
			for i := range m {
				for j := range n {
					if got := dst[j*m+i]; got != x[i*n+j] {
						t.Fatalf("%d×%d: entry (%d, %d) is %v, want %v", m, n, j, i, got, x[i*n+j])
					}
				}
			}
			if dst[m*n] != 0 {
				t.Fatalf("%d×%d: written beyond the end", m, n)
			}
		}
	}
}

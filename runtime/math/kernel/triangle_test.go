package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// RᵀR is XᵀX, R is upper triangular, with more rows than a block, fewer rows
// than columns, equal columns and a column of zeros.
func TestTriangle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for _, c := range []struct{ batch, n, k int }{{1, 0, 3}, {2, 2, 4}, {1, 1000, 5}, {3, 300, 3},
		{1, 10, 1}} {
		x := make([]float64, c.batch*c.n*c.k)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range c.batch * c.n {
			if row := x[i*c.k:][:c.k]; c.k > 2 {
				row[1] = row[0] // of lower rank
				row[2] *= 1e9
			}
			if c.k > 4 {
				x[i*c.k+4] = 0
			}
		}
		dst := make([]float64, c.batch*c.k*c.k)
		for i := range dst {
			dst[i] = math.NaN()
		}
		Triangle(dst, x, c.batch, c.n, c.k)
		for m := range c.batch {
			rr := dst[m*c.k*c.k:]
			for i := range c.k {
				for j := range c.k {
					var want, got, size float64
					for n := range c.n {
						a, b := x[(m*c.n+n)*c.k+i], x[(m*c.n+n)*c.k+j]
						want += a * b
						size += math.Abs(a * b)
					}
					for l := range c.k {
						got += rr[l*c.k+i] * rr[l*c.k+j]
					}
					if !(math.Abs(got-want) <= 1e-13*math.Sqrt(float64(c.n))*(1+size)) {
						t.Errorf("%v: entry %d, %d of RᵀR is %v, want %v", c, i, j, got, want)
					}
					if i > j && rr[i*c.k+j] != 0 || i == j && rr[i*c.k+j] < 0 {
						t.Errorf("%v: entry %d, %d of R is %v", c, i, j, rr[i*c.k+j])
					}
				}
			}
		}
	}
}

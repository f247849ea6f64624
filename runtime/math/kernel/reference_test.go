package kernel

import (
	"math"
	"math/rand/v2"
)

// The references below are the package comment, written out: one loop each,
// no blocking. Kernels must give their bits.

// lanes reduces n terms in eight lanes.
func lanes(n int, term func(int) float64) float64 {
	var l [8]float64
	for j := range n {
		l[j%8] += term(j)
	}
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// mat is a Matrix of either precision.
type mat[T float32 | float64] struct {
	Data   []T
	Stride int
}

// refGemm computes C += op(A)·op(B), products in the order of k, with one
// rounding for a product and its sum.
func refGemm[T float32 | float64](
	c, a, b mat[T], m, n, k int, transA, transB bool, fma func(x, y, z T) T,
) {
	for i := range m {
		for j := range n {
			s := c.Data[i*c.Stride+j]
			for p := range k {
				x, y := i*a.Stride+p, p*b.Stride+j
				if transA {
					x = p*a.Stride + i
				}
				if transB {
					y = j*b.Stride + p
				}
				s = fma(a.Data[x], b.Data[y], s)
			}
			c.Data[i*c.Stride+j] = s
		}
	}
}

// exactSum is Neumaier's compensated sum, to check accuracy apart from order.
func exactSum(x []float64) float64 {
	s, c := 0.0, 0.0
	for _, v := range x {
		t := s + v
		if math.Abs(s) >= math.Abs(v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	return s + c
}

var sizes = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 1000}

func normals(g *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = g.NormFloat64()
	}
	return x
}

func source(n uint64) *rand.Rand { return rand.New(rand.NewPCG(11, n)) }

// randomRows makes rows over p columns with up to most entries each, in an
// order of their own and overlapping, as a minibatch is.
func randomRows(g *rand.Rand, rows, p, most int, values bool) Rows {
	r := Rows{}
	n := 3*most + 1
	for range n {
		r.Index = append(r.Index, int32(g.IntN(p)))
		if values {
			r.Value = append(r.Value, g.NormFloat64())
		}
	}
	for range rows {
		lo := g.IntN(n - most)
		r.Lo = append(r.Lo, lo)
		r.Hi = append(r.Hi, lo+g.IntN(most+1))
	}
	return r
}

func (r Rows) value(j int) float64 {
	if r.Value == nil {
		return 1
	}
	return r.Value[j]
}

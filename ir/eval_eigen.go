package ir

import (
	"math"
	"sort"
)

// eigenpairs is the reference semantics of OpEigenSym: Jacobi's rotations, each of which makes one
// off-diagonal entry 0.
func (e *evaluator) eigenpairs(v *Value, x Array) Array {
	i, j := v.Over[0], v.Over[1]
	n := e.length(i)
	out := e.make(v.Axes)
	e.each(without(v.Axes, []*Axis{v.To, j}), func(at index) {
		a, vectors, in := square(n), square(n), copyIndex(at)
		for r := range n {
			vectors[r][r] = 1
			for c := range r + 1 {
				in[i], in[j] = r, c
				a[r][c] = x.get(in)
				a[c][r] = a[r][c]
			}
		}
		jacobi(a, vectors)
		by := make([]int, n)
		for k := range by {
			by[k] = k
		}
		sort.SliceStable(by, func(p, q int) bool { return a[by[p]][by[p]] < a[by[q]][by[q]] })
		most := 0.0
		for k := range n {
			most = math.Max(most, math.Abs(a[k][k]))
		}
		put := func(row, k int, value float64) {
			to := copyIndex(at)
			to[v.To], to[j] = row, k
			offset := 0
			for d, axis := range out.Axes {
				offset = offset*out.Dims[d] + to[axis]
			}
			out.Data[offset] = value
		}
		for k, from := range by {
			put(0, k, a[from][from])
			put(n+1, k, float64(8*n)*0x1p-52*most)
			sign, largest := 1.0, 0.0
			for r := range n {
				largest = math.Max(largest, math.Abs(vectors[r][from]))
			}
			for r := range n {
				if math.Abs(vectors[r][from]) >= largest/2 {
					sign = math.Copysign(1, vectors[r][from])
					break
				}
			}
			for r := range n {
				put(1+r, k, sign*vectors[r][from])
			}
		}
	})
	return out
}

// jacobi makes a diagonal, and multiplies vectors by the rotations.
func jacobi(a, vectors [][]float64) {
	n := len(a)
	for range 60 {
		for p := range n {
			for q := range p {
				if a[p][q] == 0 {
					continue
				}
				theta := 0.5 * math.Atan2(2*a[p][q], a[q][q]-a[p][p])
				c, s := math.Cos(theta), math.Sin(theta)
				for k := range n {
					a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
				}
				for k := range n {
					a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
				}
				for k := range n {
					vectors[k][p], vectors[k][q] = c*vectors[k][p]-s*vectors[k][q],
						s*vectors[k][p]+c*vectors[k][q]
				}
			}
		}
	}
}

// order is the reference semantics of OpOrder.
func (e *evaluator) order(v *Value, x Array) Array {
	along := v.Over[0]
	n := e.length(along)
	return e.fill(v.Axes, func(at index) float64 {
		in, by, list := copyIndex(at), make([]int, n), make([]float64, n)
		for k := range by {
			in[along] = k
			by[k], list[k] = k, x.get(in)
		}
		sort.SliceStable(by, func(p, q int) bool {
			a, b := list[by[p]], list[by[q]]
			return a < b || a == a && b != b
		})
		return float64(by[at[v.To]])
	})
}

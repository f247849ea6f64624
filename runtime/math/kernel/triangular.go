package kernel

// TriangularSolve writes the solutions x of L x = b by forward substitution. b and dst are [outer,
// batch, inner, n], l is [batch, n, n]: a triangle serves inner right-hand sides next to each
// other, and outer groups of them. dst is b or does not overlap it. The bits of a solution do not
// depend on the other right-hand sides.
func TriangularSolve(dst, l, b []float64, outer, batch, inner, n int) {
	for range outer {
		for m := range batch {
			t, x := l[m*n*n:][:n*n], dst[:inner*n]
			copy(x, b[:inner*n])
			dst, b = dst[inner*n:], b[inner*n:]
			if n <= shortTriangle {
				for len(x) >= 4*n && n > 0 {
					solve4(t, x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n])
					x = x[4*n:]
				}
			}
			for len(x) > 0 {
				solve1(t, x[:n])
				x = x[n:]
			}
		}
	}
}

// shortTriangle is up to which size the sums of a solution are taken in order,
// and solutions four at a time; beyond it the sums are those of Dot.
const shortTriangle = 32

func solve1(t, x []float64) {
	n := len(x)
	for i := range x {
		row := t[i*n:][:i+1]
		s := x[i]
		if n > shortTriangle {
			s -= Dot(row[:i], x)
		} else {
			for k, c := range row[:i] {
				s -= float64(c * x[k])
			}
		}
		x[i] = s / row[i]
	}
}

// solve4 is solve1 for four right-hand sides of a short triangle: their
// divisions do not wait for each other.
func solve4(t, x0, x1, x2, x3 []float64) {
	n := len(x0)
	for i := range n {
		row := t[i*n:][:i+1]
		s0, s1, s2, s3 := x0[i], x1[i], x2[i], x3[i]
		y0, y1, y2, y3 := x0[:i], x1[:i], x2[:i], x3[:i]
		for k, c := range row[:i] {
			s0 -= float64(c * y0[k])
			s1 -= float64(c * y1[k])
			s2 -= float64(c * y2[k])
			s3 -= float64(c * y3[k])
		}
		d := row[i]
		x0[i], x1[i], x2[i], x3[i] = s0/d, s1/d, s2/d, s3/d
	}
}

// TriangularSolveT writes the solutions x of Lᵀ x = b by backward
// substitution, the arrays as those of TriangularSolve.
func TriangularSolveT(dst, l, b []float64, outer, batch, inner, n int) {
	for range outer {
		for m := range batch {
			t, x := l[m*n*n:][:n*n], dst[:inner*n]
			copy(x, b[:inner*n])
			dst, b = dst[inner*n:], b[inner*n:]
			if n <= shortTriangle {
				for len(x) >= 4*n && n > 0 {
					solveT4(t, x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n])
					x = x[4*n:]
				}
			}
			for len(x) > 0 {
				solveT1(t, x[:n])
				x = x[n:]
			}
		}
	}
}

func solveT1(t, x []float64) {
	n := len(x)
	for i := n - 1; i >= 0; i-- {
		row := t[i*n:][:i+1]
		x[i] /= row[i]
		Axpy(-x[i], row[:i], x)
	}
}

func solveT4(t, x0, x1, x2, x3 []float64) {
	n := len(x0)
	for i := n - 1; i >= 0; i-- {
		row := t[i*n:][:i+1]
		d := row[i]
		s0, s1, s2, s3 := x0[i]/d, x1[i]/d, x2[i]/d, x3[i]/d
		x0[i], x1[i], x2[i], x3[i] = s0, s1, s2, s3
		y0, y1, y2, y3 := x0[:i], x1[:i], x2[:i], x3[:i]
		for k, c := range row[:i] {
			y0[k] -= float64(s0 * c)
			y1[k] -= float64(s1 * c)
			y2[k] -= float64(s2 * c)
			y3[k] -= float64(s3 * c)
		}
	}
}

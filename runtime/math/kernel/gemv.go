package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// Gemv writes the product of A [m, n] and x [n] into dst [m], or adds it if
// acc. Each element is a sum in lanes.
func Gemv(dst, a, x []float64, m, n int, acc bool) {
	dst, x, a = dst[:m], x[:n], a[:m*n]
	if 0 < n && n <= narrow {
		gemvNarrow64(dst, a, x, acc)
		return
	}
	if n >= shortVector && level != cpu.Portable {
		for len(dst) >= 4 {
			s := vectorDots64(a, x)
			if acc {
				for i, v := range dst[:4] {
					s[i] += v
				}
			}
			copy(dst, s[:])
			dst, a = dst[4:], a[4*n:]
		}
	}
	for i := range dst {
		s := row64(a[i*n:(i+1)*n], x)
		if acc {
			s += dst[i]
		}
		dst[i] = s
	}
}

// gemvNarrow64 is Gemv for up to narrow columns. A lane of Dot starts at 0, so that a sum of zeros
// is not −0: hence the 0 that is added.
func gemvNarrow64(dst, a, x []float64, acc bool) {
	var w [narrow]float64
	n := copy(w[:], x)
	for i := range dst {
		row := a[:n:n]
		var s float64
		switch a = a[n:]; n {
		case 4:
			row = row[:4]
			s += (float64(row[0]*w[0]) + float64(row[2]*w[2])) +
				(float64(row[1]*w[1]) + float64(row[3]*w[3]))
		case 3:
			row = row[:3]
			s += (float64(row[0]*w[0]) + float64(row[2]*w[2])) + float64(row[1]*w[1])
		case 2:
			row = row[:2]
			s += float64(row[0]*w[0]) + float64(row[1]*w[1])
		default:
			s += float64(row[0] * w[0])
		}
		if acc {
			s += dst[i]
		}
		dst[i] = s
	}
}

// GemvT writes the product of the transpose of A [m, n] and x [m] into
// dst [n], or adds it if acc. Rows of A are added in order.
func GemvT(dst, a, x []float64, m, n int, acc bool) {
	dst, x, a = dst[:n], x[:m], a[:m*n]
	if !acc {
		clear(dst)
	}
	for ; len(x) >= 4; x, a = x[4:], a[4*n:] { // four rows a pass over dst, still in order
		if n >= shortVector && level != cpu.Portable {
			vectorAxpys64(dst, a, x, n)
			continue
		}
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		a0, a1, a2, a3 := a[:n], a[n:][:n], a[2*n:][:n], a[3*n:][:n]
		for j := range dst {
			s := dst[j]
			s += float64(x0 * a0[j])
			s += float64(x1 * a1[j])
			s += float64(x2 * a2[j])
			s += float64(x3 * a3[j])
			dst[j] = s
		}
	}
	for _, v := range x {
		Axpy(v, a[:n], dst)
		a = a[n:]
	}
}

// Ger writes the outer product of x [m] and y [n] into c [m, n], or adds it
// if acc.
func Ger(c, x, y []float64, m, n int, acc bool) {
	y = y[:n]
	for i, v := range x[:m] {
		row := c[i*n : (i+1)*n]
		switch {
		case acc:
			Axpy(v, y, row)
		case level == cpu.Portable || n < shortVector:
			for j, w := range y {
				row[j] = v * w
			}
		default:
			vectorScale64(row, y, v)
		}
	}
}

// Axpy adds a·x to y.
func Axpy(a float64, x, y []float64) {
	y = y[:len(x)]
	if level != cpu.Portable && len(x) >= shortVector {
		vectorAxpy64(y, x, a)
		return
	}
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// addTo64 adds x to dst.
func addTo64(dst, x []float64) {
	x = x[:len(dst)]
	if level != cpu.Portable && len(x) >= shortVector {
		vectorAddTo64(dst, x)
		return
	}
	for i, v := range x {
		dst[i] += v
	}
}

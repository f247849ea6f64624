package kernel

// Gemv writes the product of A [m, n] and x [n] into dst [m], or adds it if
// acc. Each element is a Dot.
func Gemv(dst, a, x []float64, m, n int, acc bool) {
	dst, x = dst[:m], x[:n]
	for i := range dst {
		s := Dot(a[i*n:(i+1)*n], x)
		if acc {
			s += dst[i]
		}
		dst[i] = s
	}
}

// GemvT writes the product of the transpose of A [m, n] and x [m] into
// dst [n], or adds it if acc. Rows of A are added in order.
func GemvT(dst, a, x []float64, m, n int, acc bool) {
	dst, x = dst[:n], x[:m]
	if !acc {
		clear(dst)
	}
	for len(x) >= 4 { // four rows a pass over dst, still in order
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
		x, a = x[4:], a[4*n:]
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
		if acc {
			Axpy(v, y, row)
			continue
		}
		for j, w := range y {
			row[j] = v * w
		}
	}
}

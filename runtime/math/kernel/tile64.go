package kernel

// portableTile64 adds a strip of A times a panel of B to a tile of C, which
// starts from 0 if zero.
func portableTile64(
	c []float64, ci int, a []float64, ai, ap int, b []float64, bp, k, rows, cols int, zero bool,
) {
	if rows == 2 && cols == 4 {
		portableTile64x2x4(c, c[ci:], a, a[ai:], ap, b, bp, k, zero)
		return
	}
	for i := range rows {
		for j := range cols {
			s := c[i*ci+j]
			if zero {
				s = 0
			}
			for p, x, y := 0, i*ai, j; p < k; p, x, y = p+1, x+ap, y+bp {
				s = fma64(a[x], b[y], s)
			}
			c[i*ci+j] = s
		}
	}
}

func portableTile64x2x4(c0, c1, a0, a1 []float64, ap int, b []float64, bp, k int, zero bool) {
	c0, c1 = c0[:4:4], c1[:4:4]
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	if zero {
		s00, s01, s02, s03, s10, s11, s12, s13 = 0, 0, 0, 0, 0, 0, 0, 0
	}
	for p, x, y := 0, 0, 0; p < k; p, x, y = p+1, x+ap, y+bp {
		v, w, r := a0[x], a1[x], b[y:y+4:y+4]
		s00 = fma64(v, r[0], s00)
		s01 = fma64(v, r[1], s01)
		s02 = fma64(v, r[2], s02)
		s03 = fma64(v, r[3], s03)
		s10 = fma64(w, r[0], s10)
		s11 = fma64(w, r[1], s11)
		s12 = fma64(w, r[2], s12)
		s13 = fma64(w, r[3], s13)
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}

// portablePack64 copies the columns j from first on, up to cols, of kn elements,
// element p at p·bp + j·bj, into a panel of the given width, and zeros into the
// columns left over.
func portablePack64(dst, src []float64, bp, bj, kn, first, cols, width int) {
	for j := first; j < width; j++ {
		if j >= cols {
			for at := j; at < width*kn; at += width {
				dst[at] = 0
			}
			continue
		}
		for p, at, from := 0, j, j*bj; p < kn; p, at, from = p+1, at+width, from+bp {
			dst[at] = src[from]
		}
	}
}

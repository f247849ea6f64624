package kernel

import "sync"

// A Matrix is a row-major matrix inside a slice: element (i, j) is at
// Data[i·Stride + j].
type Matrix struct {
	Data   []float64
	Stride int
}

// Block sizes: a packed panel of B and the strips of A against it stay in the
// first two levels of cache.
const (
	gemmK  = 256 // depth of a block
	gemmN  = 128 // columns of a block of B
	tileM  = 2   // rows of a register tile
	tileN  = 4   // columns of a register tile
	gemmUp = 512 // below so many multiplications packing does not pay
)

// gemmBuffer holds packed operands. Its content never outlives a call.
type gemmBuffer struct {
	a [tileM * gemmK]float64
	b [gemmN * gemmK]float64
}

var gemmBuffers = sync.Pool{New: func() any { return new(gemmBuffer) }}

// Gemm writes op(A)·op(B) into C [m, n], or adds it if acc, where op(A) is
// A [m, k], or with transA the transpose of A [k, m], and op(B) likewise is
// [k, n]. Each element of C starts from 0 (from C if acc) and adds its
// products in the order of k, so its bits do not depend on the blocking.
func Gemm(c, a, b Matrix, m, n, k int, transA, transB, acc bool) {
	if !acc {
		for i := range m {
			clear(c.Data[i*c.Stride:][:n])
		}
	}
	// Element (i, p) of op(A) is at i·ai + p·ap, (p, j) of op(B) at p·bp + j·bj.
	ai, ap, bp, bj := a.Stride, 1, b.Stride, 1
	if transA {
		ai, ap = ap, ai
	}
	if transB {
		bp, bj = bj, bp
	}
	if m*n*k < gemmUp {
		gemmSmall(c, a.Data, b.Data, m, n, k, ai, ap, bp, bj)
		return
	}
	buf := gemmBuffers.Get().(*gemmBuffer)
	for k0 := 0; k0 < k; k0 += gemmK {
		kn := min(gemmK, k-k0)
		for j0 := 0; j0 < n; j0 += gemmN {
			jn := min(gemmN, n-j0)
			packStrips(buf.b[:], b.Data[k0*bp+j0*bj:], jn, kn, bj, bp, tileN)
			for i := 0; i < m; i += tileM {
				rows := min(tileM, m-i)
				packStrips(buf.a[:], a.Data[i*ai+k0*ap:], rows, kn, ai, ap, tileM)
				for j := 0; j < jn; j += tileN {
					tile := c.Data[i*c.Stride+j0+j:]
					strip := buf.b[j*kn : (j+tileN)*kn]
					if rows == tileM && jn-j >= tileN {
						gemmTile(tile, tile[c.Stride:], buf.a[:tileM*kn], strip)
					} else {
						gemmEdge(tile, c.Stride, rows, min(tileN, jn-j), buf.a[:tileM*kn], strip)
					}
				}
			}
		}
	}
	gemmBuffers.Put(buf)
}

// packStrips copies an operand of width×depth elements, at strides sw and sd,
// into strips of tile elements each, depth after depth; missing ones are 0.
func packStrips(dst, src []float64, width, depth, sw, sd, tile int) {
	for w := 0; w < width; w += tile {
		for t := range tile {
			if w+t >= width {
				for p, at := 0, t; p < depth; p, at = p+1, at+tile {
					dst[at] = 0
				}
				continue
			}
			from := (w + t) * sw
			for p, at := 0, t; p < depth; p, at = p+1, at+tile {
				dst[at] = src[from]
				from += sd
			}
		}
		dst = dst[tile*depth:]
	}
}

// gemmTile adds a packed 2×k strip times a packed k×4 strip to two rows of C.
func gemmTile(c0, c1, a, b []float64) {
	c0, c1 = c0[:tileN:tileN], c1[:tileN:tileN]
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	for len(a) >= tileM && len(b) >= tileN {
		a0, a1 := a[0], a[1]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		s00 += float64(a0 * b0)
		s01 += float64(a0 * b1)
		s02 += float64(a0 * b2)
		s03 += float64(a0 * b3)
		s10 += float64(a1 * b0)
		s11 += float64(a1 * b1)
		s12 += float64(a1 * b2)
		s13 += float64(a1 * b3)
		a, b = a[tileM:], b[tileN:]
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}

// gemmEdge is gemmTile for a tile that C cuts off.
func gemmEdge(c []float64, stride, rows, cols int, a, b []float64) {
	for i := range rows {
		for j := range cols {
			s := c[i*stride+j]
			for p, q := i, j; p < len(a); p, q = p+tileM, q+tileN {
				s += float64(a[p] * b[q])
			}
			c[i*stride+j] = s
		}
	}
}

// gemmSmall adds the product without packing.
func gemmSmall(c Matrix, a, b []float64, m, n, k, ai, ap, bp, bj int) {
	for i := range m {
		row := c.Data[i*c.Stride:][:n]
		for j := range row {
			s := row[j]
			for p, x, y := 0, i*ai, j*bj; p < k; p, x, y = p+1, x+ap, y+bp {
				s += float64(a[x] * b[y])
			}
			row[j] = s
		}
	}
}

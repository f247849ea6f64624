package kernel

import "sync"

// A Matrix is a row-major matrix inside a slice: element (i, j) is at
// Data[i·Stride + j].
type Matrix struct {
	Data   []float64
	Stride int
}

// Gemm writes op(A)·op(B) into C [m, n], or adds it if acc, where op(A) is
// A [m, k], or with transA the transpose of A [k, m], and op(B) likewise is
// [k, n]. Each element of C starts from 0 (from C if acc) and adds its
// products in the order of k, product and sum rounded once, so its bits do not
// depend on blocking, size of vectors, or what surrounds it.
func Gemm(c, a, b Matrix, m, n, k int, transA, transB, acc bool) {
	if m <= 0 || n <= 0 {
		return
	}
	if k <= 0 {
		for i := 0; i < m && !acc; i++ {
			clear(c.Data[i*c.Stride:][:n])
		}
		return
	}
	g := gemmCall{c: c.Data, a: a.Data, b: b.Data, m: m, n: n, k: k, ci: c.Stride, ai: a.Stride,
		ap: 1, bp: b.Stride, bj: 1}
	if transA {
		g.ai, g.ap = g.ap, g.ai
	}
	if transB {
		g.bp, g.bj = g.bj, g.bp
	}
	// Assembly reads and writes without checks: the furthest elements are here.
	_ = g.c[(m-1)*g.ci+n-1]
	_ = g.a[(m-1)*g.ai+(k-1)*g.ap]
	_ = g.b[(k-1)*g.bp+(n-1)*g.bj]
	if m*n*k < tinyProduct {
		g.tiny(acc)
		return
	}
	if wide, lanes := lineShape64(); m == 1 && g.bj == 1 && n > 2*lanes && wide > 0 {
		g.line(acc, wide*lanes, lanes)
		return
	}
	g.run(acc)
}

// line computes one row, in as few parts of about the same width as the
// registers hold: in each, B is read line by line as it lies.
func (g *gemmCall) line(acc bool, most, lanes int) {
	parts := (g.n + most - 1) / most
	vectors := (g.n + lanes - 1) / lanes
	for part := range parts {
		v0, v1 := part*vectors/parts, (part+1)*vectors/parts
		j, next := v0*lanes, min(v1*lanes, g.n)
		line64(g.c[j:], g.a, g.ap, g.b[j:], g.bp, g.k, next-j, v1-v0, !acc)
	}
}

// A gemmCall is C = A·B with its operands as they lie in memory: element (i, p)
// of A is at i·ai + p·ap, (p, j) of B at p·bp + j·bj, (i, j) of C at i·ci + j.
type gemmCall struct {
	c, a, b            []float64
	m, n, k            int
	ci, ai, ap, bp, bj int
}

// gemmBuffer holds packed blocks. Its content never outlives a call.
type gemmBuffer struct {
	a [gemmDepth64 * gemmRows]float64
	b [gemmDepth64 * gemmColumns64]float64
}

var gemmBuffers = sync.Pool{New: func() any { return new(gemmBuffer) }}

// tiny computes the product as it is defined.
func (g *gemmCall) tiny(acc bool) {
	for i := range g.m {
		row := g.c[i*g.ci:][:g.n]
		for j := range row {
			var s float64
			if acc {
				s = row[j]
			}
			for p, x, y := 0, i*g.ai, j*g.bj; p < g.k; p, x, y = p+1, x+g.ap, y+g.bp {
				s = fma64(g.a[x], g.b[y], s)
			}
			row[j] = s
		}
	}
}

// run computes the product block by block: a block of B, of at most gemmDepth64
// rows and gemmColumns64 columns, is packed into panels as wide as a tile, and
// meets A strip by strip. A tile reads A as it lies, whatever its strides, so
// that a block of A is only copied where its lines would get into each other's
// way in the cache.
func (g *gemmCall) run(acc bool) {
	shape := tileShape64()
	width := 2 * shape.lanes
	strips := (g.m + shape.rows - 1) / shape.rows
	group := gemmRows / shape.rows
	blocks := (g.k + gemmDepth64 - 1) / gemmDepth64
	direct := g.bj == 1 && strips <= shape.direct
	copied := shape.copied && g.n > 4*width && (g.ai == 1 && g.ap >= farApart || g.ai%farApart == 0)
	var buf *gemmBuffer
	if copied || !direct || !shape.anyEdge && g.n%width != 0 {
		buf = gemmBuffers.Get().(*gemmBuffer)
		defer gemmBuffers.Put(buf)
	}
	for j0 := 0; j0 < g.n; j0 += gemmColumns64 {
		jn := min(gemmColumns64, g.n-j0)
		for block := range blocks {
			k0, k1 := block*g.k/blocks, (block+1)*g.k/blocks
			kn := k1 - k0
			packed := 0 // columns packed so far
			for s0 := 0; s0 < strips; s0 += group {
				s1 := min(s0+group, strips)
				// The rows of the group, and where they lie.
				i0, i1 := s0*g.m/strips, s1*g.m/strips
				a, ai, ap := g.a[i0*g.ai+k0*g.ap:], g.ai, g.ap
				if copied {
					a, ai, ap = copyBlock64(buf.a[:], a, ai, ap, i1-i0, kn)
				}
				for j := 0; j < jn; j += width {
					cols := min(width, jn-j)
					wide := width
					if cols <= shape.lanes {
						wide = shape.lanes
					}
					panel, bp := g.b[k0*g.bp+(j0+j)*g.bj:], g.bp
					if !direct || cols < wide && !shape.anyEdge {
						to := buf.b[j*kn:][:wide*kn]
						if j >= packed {
							pack64(to, panel, g.bp, g.bj, kn, cols, wide)
							packed = j + width
						}
						panel, bp = to, wide
					}
					for s := s0; s < s1; s++ {
						i, next := s*g.m/strips, (s+1)*g.m/strips
						tile64(g.c[i*g.ci+j0+j:], g.ci, a[(i-i0)*ai:], ai, ap, panel, bp, kn,
							next-i, cols, !acc && block == 0)
					}
				}
			}
		}
	}
}

// copyBlock64 copies a block of A, its lines close together; it returns the
// copy with its strides.
func copyBlock64(dst, a []float64, ai, ap, rows, depth int) ([]float64, int, int) {
	if ai == 1 {
		for p := range depth {
			copy(dst[p*rows:(p+1)*rows], a[p*ap:])
		}
		return dst, 1, rows
	}
	for i := range rows {
		copy(dst[i*depth:(i+1)*depth], a[i*ai:])
	}
	return dst, depth, 1
}

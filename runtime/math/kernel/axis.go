package kernel

import "math"

// The axis kernels see x as row-major [outer, n, inner] and reduce the middle
// axis into dst [outer, inner]. With inner = 1 the reduction is over
// contiguous elements and has eight lanes, else it runs in the order of the
// axis (see the package comment).

// SumAxis writes sums; of no terms, 0.
func SumAxis(dst, x []float64, outer, n, inner int) {
	if n == 2 && inner == 2 {
		for o := range outer {
			d, row := (*[2]float64)(dst[2*o:]), (*[4]float64)(x[4*o:])
			d[0], d[1] = 0+row[0]+row[2], 0+row[1]+row[3]
		}
		return
	}
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = total64(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		clear(d)
		switch inner {
		case 2:
			sumPairs64(d, row)
			continue
		case 3:
			sumTriples64(d, row)
			continue
		case 4:
			sumQuads64(d, row)
			continue
		}
		for ; len(row) > 0; row = row[inner:] {
			addTo64(d, row[:inner])
		}
	}
}

// sumPairs64 adds up rows of two numbers, in their order as SumAxis does, without going through
// memory.
func sumPairs64(d, x []float64) {
	a, b := d[0], d[1]
	for ; len(x) >= 2; x = x[2:] {
		a, b = a+x[0], b+x[1]
	}
	d[0], d[1] = a, b
}

// sumTriples64 is sumPairs64 of rows of three numbers.
func sumTriples64(d, x []float64) {
	a, b, c := d[0], d[1], d[2]
	for ; len(x) >= 3; x = x[3:] {
		a, b, c = a+x[0], b+x[1], c+x[2]
	}
	d[0], d[1], d[2] = a, b, c
}

// sumQuads64 is sumPairs64 of rows of four numbers.
func sumQuads64(d, x []float64) {
	a, b, c, e := d[0], d[1], d[2], d[3]
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, e = a+x[0], b+x[1], c+x[2], e+x[3]
	}
	d[0], d[1], d[2], d[3] = a, b, c, e
}

// ProdAxis writes products; of no factors, 1.
func ProdAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Prod(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill64(d, 1)
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] *= v
			}
		}
	}
}

// MaxAxis writes maxima; of nothing, -∞. A NaN wins.
func MaxAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Max(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill64(d, float64(math.Inf(-1)))
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] = max(d[i], v)
			}
		}
	}
}

// MinAxis writes minima; of nothing, +∞. A NaN wins.
func MinAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Min(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill64(d, float64(math.Inf(1)))
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] = min(d[i], v)
			}
		}
	}
}

// CumSumAxis writes running sums along the axis into dst, of the shape of x:
// from the first element on, or with reverse from the last. dst may be x.
func CumSumAxis(dst, x []float64, outer, n, inner int, reverse bool) {
	first := 0
	if inner == 1 && n > 0 {
		first = outer &^ 3
		for o := 0; o < first; o += 4 {
			runningSums64(dst[o*n:][:4*n], x[o*n:][:4*n], n, reverse)
		}
	}
	for o := first; o < outer; o++ {
		d := dst[o*n*inner : (o+1)*n*inner]
		s := x[o*n*inner : (o+1)*n*inner]
		if n == 0 {
			continue
		}
		if inner == 1 && !reverse { // the sum stays in a register: memory would take twice as long
			sum := s[0]
			d = d[:len(s)]
			d[0] = sum
			for i := 1; i < len(s); i++ {
				sum += s[i]
				d[i] = sum
			}
			continue
		}
		if reverse {
			copy(d[(n-1)*inner:], s[(n-1)*inner:])
			for i := (n-1)*inner - 1; i >= 0; i-- {
				d[i] = d[i+inner] + s[i]
			}
			continue
		}
		copy(d[:inner], s[:inner])
		for i := inner; i < len(d); i++ {
			d[i] = d[i-inner] + s[i]
		}
	}
}

// runningSums64 writes the running sums of four lines of n numbers. None waits for another.
func runningSums64(dst, x []float64, n int, reverse bool) {
	a, b, c, d := x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n]
	p, q, r, s := dst[:n], dst[n:][:n], dst[2*n:][:n], dst[3*n:][:n]
	at, by := 0, 1
	if reverse {
		at, by = n-1, -1
	}
	k, l, m, o := a[at], b[at], c[at], d[at]
	p[at], q[at], r[at], s[at] = k, l, m, o
	for at += by; uint(at) < uint(n); at += by {
		k, l, m, o = k+a[at], l+b[at], m+c[at], o+d[at]
		p[at], q[at], r[at], s[at] = k, l, m, o
	}
}

func fill64(d []float64, v float64) {
	for i := range d {
		d[i] = v
	}
}

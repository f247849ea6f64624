package kernel

import (
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// SparseMulMat writes the product of the rows and W [columns, h] into
// dst [rows, h], or adds it if acc. Entries of a row are added in order, product
// and sum rounded once: so the bits are those of Gemm with the zeros written out,
// as long as numbers are finite.
func SparseMulMat(dst []float64, r Rows, w []float64, h int, acc bool) {
	r = r.found()
	if len(r.Lo) == 0 || h == 0 {
		return
	}
	if level != cpu.Portable && h >= shortVector && len(w) >= h {
		r.check(r.Lo, r.Hi)
		if block := panelCache / (panelBytes * blockPanel); r.entries() >
			fullBlock*len(r.Lo)*(len(w)/h/block) {
			mulMatByBlock(dst, r, w, h, block, acc)
		} else {
			r.inside(len(w) / h)
			sumRows64(dst[:len(r.Lo)*h], w,
				entries64{lo: r.Lo, hi: r.Hi, index: r.Index, value: r.Value}, h, mostPanel, !acc)
		}
		return
	}
	for i, lo := range r.Lo {
		d := dst[i*h : (i+1)*h]
		if !acc {
			clear(d)
		}
		for j := lo; j < r.Hi[i]; j++ {
			fmaTo64(d, w[int(r.Index[j])*h:][:h], r.factor(j))
		}
	}
}

// SparseMulMatT writes the product of the transpose of the rows and
// D [rows, h] into G [columns, h], or adds it if acc: rows in order, entries
// in order, rounded as those of SparseMulMat.
func SparseMulMatT(g []float64, r Rows, d []float64, h int, acc bool) {
	r = r.found()
	if h == 0 {
		return
	}
	if r.byColumn(g, h) {
		mulMatByColumn(g, r, d, h, acc)
		return
	}
	fast := level != cpu.Portable && h >= shortVector && len(r.Lo) > 0 && len(g) >= h
	if !acc {
		clear(g)
	}
	if fast {
		r.check(r.Lo, r.Hi)
		r.inside(len(g) / h)
	}
	for i, lo := range r.Lo {
		row := d[i*h : (i+1)*h]
		if fast {
			if hi := r.Hi[i]; lo < hi {
				addRows64(g, row, entries64{index: r.Index, value: r.Value}, lo, hi, h)
			}
			continue
		}
		for j := lo; j < r.Hi[i]; j++ {
			fmaTo64(g[int(r.Index[j])*h:][:h], row, r.factor(j))
		}
	}
}

// byColumn reports whether SparseMulMatT sorts the entries by column.
func (r *Rows) byColumn(g []float64, h int) bool {
	return level != cpu.Portable && h >= max(shortVector, manyColumns) && len(r.Lo) > 0 &&
		len(g) >= h && r.entries() >= len(g)/h
}

// fmaTo64 adds a times x to dst, each product and sum rounded once.
func fmaTo64(dst, x []float64, a float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = fma64(a, v, dst[i])
	}
}

// factor is the value of an entry.
func (r *Rows) factor(j int) float64 {
	if r.Value == nil {
		return 1
	}
	return r.Value[j]
}

// narrow reports whether the columns are to be read as bytes.
func (r *Rows) narrow() bool {
	return r.Value == nil && len(r.Narrow) == len(r.Index) && r.Index != nil
}

// inside panics unless all columns are below n: assembly does not look.
func (r *Rows) inside(n int) {
	for i, lo := range r.Lo {
		within(r.Index[lo:r.Hi[i]], n)
	}
}

// check panics unless the rows lie within the entries.
func (r *Rows) check(lo, hi []int) {
	n := len(r.Index)
	if r.Value != nil {
		n = min(n, len(r.Value))
	}
	bad := false
	hi = hi[:len(lo)]
	for i, l := range lo {
		bad = bad || uint(hi[i]) > uint(n) || uint(l) > uint(hi[i])
	}
	if bad {
		panic("kernel: a row beyond its entries")
	}
}

// entries returns the number of entries in all rows.
func (r *Rows) entries() int {
	n := 0
	for i, lo := range r.Lo {
		n += r.Hi[i] - lo
	}
	return n
}

// entries64 are lists of entries, list i from lo[i] to hi[i]: those of a matrix,
// or sorted ones.
type entries64 struct {
	lo, hi []int
	index  []int32
	value  []float64 // nil of ones
	sorted []sparseEntry
}

// A sparseEntry is an entry of a sparse row or column: the other index and the value.
type sparseEntry struct {
	at    int32
	value float64
}

// sparseBuffer holds sparse rows by column, or parts of rows. Its content never
// outlives a call.
type sparseBuffer struct {
	end    []int // where the entries of column c begin and, one on, end
	lo, hi []int // parts of rows
	sorted []sparseEntry
	row    []int32 // in place of sorted where all values are 1
}

var sparseBuffers = sync.Pool{New: func() any { return new(sparseBuffer) }}

// mulMatByColumn is SparseMulMatT with the entries sorted by column, in each
// column by row: a row of G is then written once, and what is added to an
// element comes in the same order.
func mulMatByColumn(g []float64, r Rows, d []float64, h int, acc bool) {
	columns := len(g) / h
	d = d[:len(r.Lo)*h]
	buf := sparseBuffers.Get().(*sparseBuffer)
	defer sparseBuffers.Put(buf)
	buf.sort(r, columns)
	lists := entries64{lo: buf.end[:columns], hi: buf.end[1 : columns+1], sorted: buf.sorted,
		index: buf.row}
	sumRows64(g, d, lists, h, columnPanel(len(r.Lo)), !acc)
}

// sort makes lists of the entries by column.
func (b *sparseBuffer) sort(r Rows, columns int) {
	n := r.entries()
	b.end = slices.Grow(b.end[:0], columns+2)[:columns+2]
	b.sorted, b.row = b.sorted[:0], b.row[:0]
	// end[c + 2] counts column c, end[c + 1] is where its next entry goes.
	clear(b.end)
	count := b.end[2:]
	for i, lo := range r.Lo {
		for _, c := range r.Index[lo:r.Hi[i]] {
			count[c]++
		}
	}
	at := b.end[1:]
	for c := range columns {
		at[c+1] += at[c]
	}
	at = at[:columns]
	if r.Value == nil {
		b.row = slices.Grow(b.row, n)[:n]
		for i, lo := range r.Lo {
			for _, c := range r.Index[lo:r.Hi[i]] {
				k := at[c]
				b.row[k] = int32(i)
				at[c] = k + 1
			}
		}
		return
	}
	b.sorted = slices.Grow(b.sorted, n)[:n]
	to := b.sorted
	for i, lo := range r.Lo {
		idx := r.Index[lo:r.Hi[i]]
		v := r.Value[lo:r.Hi[i]]
		v = v[:len(idx)]
		for j, c := range idx {
			k := at[c]
			to[k] = sparseEntry{int32(i), v[j]}
			at[c] = k + 1
		}
	}
}

// mulMatByBlock is SparseMulMat with blocks of so many columns of the rows that
// a panel of W stays in the first cache while it meets all rows.
func mulMatByBlock(dst []float64, r Rows, w []float64, h, block int, acc bool) {
	buf := sparseBuffers.Get().(*sparseBuffer)
	defer sparseBuffers.Put(buf)
	n := len(r.Lo)
	buf.lo, buf.hi = slices.Grow(buf.lo[:0], n)[:n], append(buf.hi[:0], r.Lo...)
	columns := len(w) / h
	for c := 0; c < columns; c += block {
		buf.lo, buf.hi = buf.hi, buf.lo
		end, rest := uint32(min(c+block, columns)), 0
		for i, j := range buf.lo {
			idx := r.Index[j:r.Hi[i]]
			k := 0
			for k < len(idx) && uint32(idx[k]) < end {
				k++
			}
			buf.hi[i] = j + k
			rest += len(idx) - k
		}
		if c+block >= columns && rest > 0 {
			panic("kernel: a column index beyond the matrix")
		}
		sumRows64(dst[:n*h], w, entries64{lo: buf.lo, hi: buf.hi, index: r.Index, value: r.Value},
			h, blockPanel, !acc && c == 0)
	}
}

package format

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Room returns rows of cells whose numbers are not set yet: Fill and Copy set them. They lie where
// old rows of the same text did, which nothing may read any more, if these have the memory; old may
// be nil.
func (t *RowText) Room(rows int, old *Rows) (*Rows, *problem.Error) {
	if old != nil && old.of == t && cap(old.number) >= rows {
		c := old.data.(*csvReader)
		for _, f := range c.fields {
			f.data = f.data[:rows*f.width]
		}
		c.rows.rows = rows
		out := &Rows{of: t, data: c, number: old.number[:rows], cells: true}
		return out, nil
	}
	var names []string
	table := NewTable(t.File, t.Format)
	if err := json.Unmarshal(t.Head, &names); err != nil || len(names) == 0 {
		return nil, table.Fail(0, 0, "D0160", "the stored rows are damaged")
	}
	c := newCells(table, names)
	most := rows + rows/16 // the next page may have a few more
	for _, f := range c.fields {
		f.data = make([]float64, rows*f.width, most*f.width)
		if list := t.Words[f.name]; len(list) > 0 {
			f.words = newWordTable(list)
		}
	}
	c.rows.rows = rows
	return &Rows{of: t, data: c, number: make([]int, rows, most), cells: true}, nil
}

// someRows is how many rows of a piece are taken at a time, so that they stay in the first cache.
const someRows = 64

// Fill reads a piece into the rows from the at-th on. Several goroutines may fill
// separate rows.
func (r *Rows) Fill(at int, p Piece) *problem.Error {
	c := r.data.(*csvReader)
	stride := 8 * len(c.place)
	if len(p.Text) != stride*p.Rows {
		return c.t.Fail(0, 0, "D0160", "the stored rows are damaged")
	}
	for i := range p.Rows {
		r.number[at+i] = p.First + i
	}
	odd := false
	for lo := 0; lo < p.Rows; lo += someRows {
		n := min(someRows, p.Rows-lo)
		text := p.Text[lo*stride:]
		for k := 0; k < len(c.place); {
			first := c.place[k]
			side := 1 // columns that are neighbours in the field too
			for k+side < len(c.place) && c.place[k+side] == (cell{first.field, first.at + side}) {
				side++
			}
			f := first.field
			to := f.data[(at+lo)*f.width : (at+lo+n)*f.width]
			if fillColumns(to[first.at:], f.width, text[8*k:], stride, side, n) {
				odd = true
				f.mend(to)
			}
			k += side
		}
	}
	if odd {
		r.odd.Store(true)
	}
	return nil
}

// fillColumns copies neighbouring columns of n rows: to has a row every width numbers, and text one
// every stride bytes. It reports whether one of the numbers is infinite or none.
func fillColumns(to []float64, width int, text []byte, stride, columns, n int) (odd bool) {
	if columns == 1 {
		for i := range n {
			to[i*width] = number(text[i*stride:])
		}
	} else {
		for i := range n {
			fillRow(to[i*width:][:columns], text[i*stride:][:8*columns])
		}
	}
	if columns == width { // they are still in the first cache
		return !finite(to)
	}
	for i := range n {
		odd = odd || !finite(to[i*width:][:columns])
	}
	return odd
}

// number is the number whose bytes a text begins with.
func number(text []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(text))
}

// fillRow copies the columns of a row.
func fillRow(to []float64, text []byte) {
	j := 0
	for ; j+8 <= len(to); j += 8 {
		a, b := (*[8]float64)(to[j:]), (*[64]byte)(text[8*j:])
		a[0], a[1] = number(b[:8]), number(b[8:16])
		a[2], a[3] = number(b[16:24]), number(b[24:32])
		a[4], a[5] = number(b[32:40]), number(b[40:48])
		a[6], a[7] = number(b[48:56]), number(b[56:])
	}
	for ; j < len(to); j++ {
		to[j] = number(text[8*j:])
	}
}

// finite reports whether all of some numbers are: the difference of each to itself is 0.
func finite(list []float64) bool {
	var a, b, c, d float64
	for len(list) >= 8 {
		x := (*[8]float64)(list)
		a, b = a+(x[0]-x[0])+(x[4]-x[4]), b+(x[1]-x[1])+(x[5]-x[5])
		c, d = c+(x[2]-x[2])+(x[6]-x[6]), d+(x[3]-x[3])+(x[7]-x[7])
		list = list[8:]
	}
	for _, x := range list {
		a += x - x
	}
	return a+b+c+d == 0
}

// mend makes entries that are no numbers, and stand for no word, the usual NaN.
func (f *csvField) mend(entries []float64) {
	for i, x := range entries {
		if x != x && !f.words.has(x) {
			entries[i] = math.NaN()
		}
	}
}

// Copy copies other rows of the same text, those that keep lists, to the rows from the first on.
func (r *Rows) Copy(from *Rows, keep []int) {
	to := r.data.(*csvReader)
	for k, f := range to.fields {
		data := from.data.(*csvReader).fields[k].data
		for i, row := range keep {
			copy(f.data[i*f.width:(i+1)*f.width], data[row*f.width:])
		}
	}
	for i, row := range keep {
		r.number[i] = from.number[row]
	}
	if from.odd.Load() {
		r.odd.Store(true)
	}
}

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
	high := uint64(0)
	if columns == 1 {
		for i := range n {
			x := binary.LittleEndian.Uint64(text[i*stride:])
			high |= x&exponent + 1<<52
			to[i*width] = math.Float64frombits(x)
		}
		return high>>63 != 0
	}
	for i := range n {
		row, from := to[i*width:][:columns], text[i*stride:][:8*columns]
		j := 0
		for ; j+4 <= len(row); j += 4 {
			a, b := (*[4]float64)(row[j:j+4]), (*[32]byte)(from[8*j:8*j+32])
			x0, x1 := binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:16])
			x2, x3 := binary.LittleEndian.Uint64(b[16:24]), binary.LittleEndian.Uint64(b[24:])
			high |= (x0&exponent + 1<<52) | (x1&exponent + 1<<52)
			high |= (x2&exponent + 1<<52) | (x3&exponent + 1<<52)
			a[0], a[1] = math.Float64frombits(x0), math.Float64frombits(x1)
			a[2], a[3] = math.Float64frombits(x2), math.Float64frombits(x3)
		}
		for ; j < len(row); j++ {
			x := binary.LittleEndian.Uint64(from[8*j:])
			high |= x&exponent + 1<<52
			row[j] = math.Float64frombits(x)
		}
	}
	return high>>63 != 0
}

// exponent is the bits of the exponent, which are all set in what is infinite or no number. The sum
// of these and the lowest has the sign's bit then.
const exponent = 0x7ff << 52

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

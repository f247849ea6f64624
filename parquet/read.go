package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// rowsAtOnce is how many rows Read hands out at most.
const rowsAtOnce = 4096

// Read implements data.ColumnFile. In memory is a page of each column.
func (f *file) Read(
	columns []int, text func(k, row int, cell []byte) float64, take func(x [][]float64) error,
) (err error) {
	defer recovered(&err)
	x := make([][]float64, len(columns))
	room := make([][]float64, len(columns))
	for k := range room {
		room[k] = make([]float64, rowsAtOnce)
	}
	first := 0
	for _, g := range f.f.RowGroups() {
		if err := f.group(g, columns, first, x, room, text, take); err != nil {
			return err
		}
		first += int(g.NumRows())
	}
	return nil
}

func (f *file) group(g parquet.RowGroup, columns []int, first int, x, room [][]float64,
	text func(k, row int, cell []byte) float64, take func(x [][]float64) error) error {
	chunks := g.ColumnChunks()
	cursors := make([]cursor, len(columns))
	for k, c := range columns {
		cursors[k] = cursor{column: &f.columns[c], pages: chunks[c].Pages(), row: first}
		cursors[k].text = func(row int, cell []byte) float64 { return text(k, row, cell) }
		defer cursors[k].close()
	}
	for left := int(g.NumRows()); left > 0; {
		n := min(left, rowsAtOnce)
		for k := range cursors {
			x[k] = room[k][:n]
			if err := cursors[k].read(x[k]); err != nil {
				return err
			}
		}
		if err := take(x); err != nil {
			return err
		}
		left -= n
	}
	for k := range cursors {
		if err := cursors[k].end(); err != nil {
			return err
		}
	}
	return nil
}

// A cursor goes over the values of a column in a row group.
type cursor struct {
	column *column
	pages  parquet.Pages
	page   parquet.Page // at hand; nil without one
	values parquet.ValueReader
	row    int // of the file, of the next value
	text   func(row int, cell []byte) float64
	buf    [256]parquet.Value

	numbers    numbers // of the page, where fast says so
	fast       bool
	dictionary parquet.Dictionary // whose numbers are in table
	table      []float64
}

func (c *cursor) close() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	c.page = nil
	c.pages.Close()
}

// read reads as many values as there is room.
func (c *cursor) read(to []float64) error {
	for len(to) > 0 {
		if n, err := c.many(to); err != nil || n > 0 {
			if err != nil {
				return err
			}
			to = to[n:]
			c.row += n
			continue
		}
		n, err := c.next(min(len(to), len(c.buf)))
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("the file is damaged: column %s has fewer values than its row group rows",
				c.column.name)
		}
		for i := range n {
			v := &c.buf[i]
			if v.IsNull() {
				to[i] = math.NaN()
				continue
			}
			if c.column.text {
				to[i] = c.text(c.row+i, v.ByteArray())
				continue
			}
			x, ok := c.column.number(v)
			if !ok {
				return c.refused(v, i)
			}
			to[i] = x
		}
		to = to[n:]
		c.row += n
	}
	return nil
}

// turn has a page at hand, the next one where there is none; false where there are no more.
func (c *cursor) turn() (bool, error) {
	if c.page != nil {
		return true, nil
	}
	page, err := c.pages.ReadPage()
	if err == io.EOF && page == nil {
		return false, nil
	}
	if err != nil {
		return false, damagedColumn(c.column, err)
	}
	c.page, c.values = page, nil
	_, c.fast = c.numbersOf(page)
	return true, nil
}

// many reads numbers of a page at once; none where its values are read one by one, and where
// there are no more pages.
func (c *cursor) many(to []float64) (int, error) {
	for {
		more, err := c.turn()
		if err != nil || !more || !c.fast {
			return 0, err
		}
		if c.numbers.at == c.numbers.n {
			parquet.Release(c.page)
			c.page = nil
			continue
		}
		n, fine := c.numbers.read(to)
		if fine {
			return n, nil
		}
		c.fast = false // for the message, which has the row
		c.page = c.page.Slice(int64(c.numbers.at), int64(c.numbers.n))
		return 0, nil
	}
}

// next reads some values into the buffer; none where there are no more.
func (c *cursor) next(most int) (int, error) {
	for {
		if more, err := c.turn(); err != nil || !more {
			return 0, err
		}
		if c.fast { // of numbers that are read at once
			if c.numbers.at < c.numbers.n {
				return 1, nil
			}
			parquet.Release(c.page)
			c.page = nil
			continue
		}
		if c.values == nil {
			c.values = c.page.Values()
		}
		n, err := c.values.ReadValues(c.buf[:most])
		if n > 0 {
			return n, nil
		}
		if err != nil && err != io.EOF {
			return 0, damagedColumn(c.column, err)
		}
		parquet.Release(c.page)
		c.page = nil
	}
}

// end checks that the row group has no more values.
func (c *cursor) end() error {
	n, err := c.next(1)
	if err == nil && n > 0 {
		err = fmt.Errorf("the file is damaged: column %s has more values than its row group rows",
			c.column.name)
	}
	return err
}

func damagedColumn(c *column, err error) error {
	return fmt.Errorf("the file is damaged: column %s: %w", c.name, err)
}

// refused says what is wrong with the i-th value of the buffer.
func (c *cursor) refused(v *parquet.Value, i int) error {
	return &data.Error{Code: "D0106", Message: fmt.Sprintf(
		"%v is beyond 2^53, to which float64 counts (column %s, row %d)", v, c.column.name,
		c.row+i)}
}

// half is a number of 16 bits.
func half(v *parquet.Value) (float64, bool) {
	b := v.ByteArray()
	if len(b) != 2 {
		return 0, false
	}
	h := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(h>>10&31), float64(h&1023)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		if x = math.Inf(1); fraction != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 == 1 {
		x = -x
	}
	return x, true
}

package parquet

import (
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// numbers reads the values of a page of numbers without making a value of each.
type numbers struct {
	n      int    // values, missing ones too
	at     int    // of the next
	levels []byte // of definition; nil where no value is missing
	there  byte   // the level of a value that is there
	dense  int    // of the next among those that are there
	write  func(to []float64, from int) (bad int)
	have   int // values that are there
}

// numbersOf has the values of a page; false of pages that are read value by value.
func (c *cursor) numbersOf(page parquet.Page) (*numbers, bool) {
	if c.column.text || c.column.special || len(page.RepetitionLevels()) > 0 {
		return nil, false
	}
	p := &c.numbers
	*p = numbers{n: int(page.NumValues()), levels: page.DefinitionLevels(), there: c.column.level}
	data := page.Data()
	if d := page.Dictionary(); d != nil {
		if !c.lookUp(d) {
			return nil, false
		}
		index, table := data.Int32(), c.table
		p.have = len(index)
		p.write = func(to []float64, from int) int {
			bad := -1
			for i, k := range index[from : from+len(to)] {
				if to[i] = table[k]; table[k] == beyond {
					bad = i
				}
			}
			return bad
		}
	} else if p.write, p.have = writer(&data, c.column.unsigned); p.write == nil {
		return nil, false
	}
	if data.Kind() == encoding.Boolean { // eight in a byte, the last of which may be part full
		p.have = min(p.have, p.n)
	}
	there := p.n
	if p.levels != nil {
		there = 0
		for _, l := range p.levels {
			if l == p.there {
				there++
			}
		}
		if there == p.n {
			p.levels = nil
		}
	}
	return p, there <= p.have
}

// beyond stands in a table of a dictionary for whole numbers that are no float64.
const beyond = 1 << 60

// lookUp makes a table of a dictionary, unless it is that of the page before.
func (c *cursor) lookUp(d parquet.Dictionary) bool {
	if c.dictionary == d {
		return true
	}
	data := d.Page().Data()
	write, n := writer(&data, c.column.unsigned)
	if write == nil || data.Kind() == encoding.Boolean {
		return false
	}
	c.table = slices.Grow(c.table[:0], n)[:n]
	for i := range n { // one by one: those that are no float64 are marked
		if write(c.table[i:i+1], i) >= 0 {
			c.table[i] = beyond
		}
	}
	c.dictionary = d
	return true
}

// writer returns what writes values from a place on, and how many there are; nil of kinds that
// are read value by value. It returns the place of a whole number that is no float64, or −1.
func writer(data *encoding.Values, unsigned bool) (write func([]float64, int) int, n int) {
	const most = 1 << 53
	switch data.Kind() {
	case encoding.Float:
		x := data.Float()
		return plain(x), len(x)
	case encoding.Double:
		x := data.Double()
		return func(to []float64, from int) int { copy(to, x[from:from+len(to)]); return -1 }, len(x)
	case encoding.Int32:
		if unsigned {
			x := data.Uint32()
			return plain(x), len(x)
		}
		x := data.Int32()
		return plain(x), len(x)
	case encoding.Int64:
		if unsigned {
			x := data.Uint64()
			return func(to []float64, from int) int {
				bad := -1
				for i, v := range x[from : from+len(to)] {
					if to[i] = float64(v); v > most {
						bad = i
					}
				}
				return bad
			}, len(x)
		}
		x := data.Int64()
		return func(to []float64, from int) int {
			bad := -1
			for i, v := range x[from : from+len(to)] {
				if to[i] = float64(v); v < -most || v > most {
					bad = i
				}
			}
			return bad
		}, len(x)
	case encoding.Boolean:
		x := data.Boolean()
		return func(to []float64, from int) int {
			for i := range to {
				k := from + i
				to[i] = float64(x[k>>3] >> (k & 7) & 1)
			}
			return -1
		}, 8 * len(x)
	}
	return nil, 0
}

func plain[T float32 | int32 | uint32](x []T) func([]float64, int) int {
	return func(to []float64, from int) int {
		x := x[from : from+len(to)]
		for i, v := range x {
			to[i] = float64(v)
		}
		return -1
	}
}

// read writes the next values. It returns how many, and false where one of them is no float64:
// they are to be read value by value then.
func (p *numbers) read(to []float64) (int, bool) {
	n := min(len(to), p.n-p.at)
	to = to[:n]
	if p.levels == nil {
		if p.write(to, p.dense) >= 0 {
			return 0, false
		}
		p.at, p.dense = p.at+n, p.dense+n
		return n, true
	}
	levels := p.levels[p.at : p.at+n]
	there := 0
	for _, l := range levels {
		if l == p.there {
			there++
		}
	}
	if p.write(to[:there], p.dense) >= 0 {
		return 0, false
	}
	from := there
	for i := n - 1; i >= 0; i-- { // from the end: what is there moves up
		if levels[i] == p.there {
			from--
			to[i] = to[from]
		} else {
			to[i] = math.NaN()
		}
	}
	p.at, p.dense = p.at+n, p.dense+there
	return n, true
}

package kernel

import "slices"

// Records are sparse rows of ones in records of one length, so that a row which is read at random
// lies in one line of the cache. A record has 128 bits, one for each column that there may be, and
// then the columns in bytes, filled up with 255. It serves SparseLogit where that is in assembly.
type Records struct {
	lo, hi  []int // of the rows among the entries that the records were made of
	record  []uint8
	stride  int // bytes of a record: 32 or 64, so that none lies in two lines
	vectors int // of 16 columns in a record
	columns int // one more than the largest column
}

const (
	recordColumns = 128 // how many columns there may be
	recordBits    = recordColumns / 8
	recordVector  = 16  // columns that are read at once
	noColumn      = 255 // fills up a record
)

// NewRecords makes records of rows without values. It returns nil where nothing reads records, or
// where the rows do not fit: a row has up to 48 columns below 128, each once and in rising order.
// lie gives the place of each row in memory; with nil each row is in its own place.
func NewRecords(r Rows, lie func() []uint32) *Records {
	if !logitVector() || r.Value != nil || len(r.Lo) == 0 {
		return nil
	}
	c := &Records{lo: r.Lo, hi: r.Hi, vectors: 1, stride: 32}
	for i, lo := range r.Lo {
		row := r.Index[lo:r.Hi[i]]
		for k, j := range row {
			if j < 0 || j >= recordColumns || k > 0 && j <= row[k-1] {
				return nil
			}
		}
		if len(row) > 0 {
			c.columns = max(c.columns, int(row[len(row)-1])+1)
		}
		c.vectors = max(c.vectors, (len(row)+recordVector-1)/recordVector)
	}
	if c.vectors > 1 {
		c.stride = 64
	}
	if recordBits+recordVector*c.vectors > c.stride {
		return nil
	}
	var places []uint32
	if lie != nil {
		places = lie()
	}
	c.record = make([]uint8, len(r.Lo)*c.stride) // many bytes begin a page
	for i, lo := range r.Lo {
		place := i
		if places != nil {
			place = int(places[i])
		}
		row := c.record[place*c.stride : (place+1)*c.stride]
		for k := recordBits; k < c.stride; k++ {
			row[k] = noColumn
		}
		for k, j := range r.Index[lo:r.Hi[i]] {
			row[j/8] |= 1 << (j % 8)
			row[recordBits+k] = uint8(j)
		}
	}
	return c
}

// Size is how many bytes the records take.
func (c *Records) Size() int { return len(c.record) }

// A Picked is a choice of rows among records.
type Picked struct {
	*Records
	list   []int
	lo, hi []int
	known  bool  // lo and hi are those of list
	place  []int // of the rows of list
	coming []int // places of rows that are picked soon
	next   []int // as many of them as list has: SparseLogit asks for one with each row
	room   []int
}

// Coming says where rows lie that are picked soon, so that they are in the cache by then: with each
// row that is read, one of these is asked for. It changes no result.
func (p *Picked) Coming(places []int) { p.coming = places }

// Pick chooses rows, those from start on of a minibatch, which lie in the given places; the lists
// are kept until the next choice.
func (p *Picked) Pick(of *Records, list, place []int, start int) {
	p.Records, p.list, p.place, p.known = of, list, place, false
	coming := p.coming[min(start, len(p.coming)):]
	if len(coming) >= len(place) {
		p.next = coming[:len(place)]
		return
	}
	// Rows that are there already fill it up.
	p.room = append(append(p.room[:0], coming...), place[len(coming):]...)
	p.next = p.room
}

// Located reports whether a function has read the chosen rows by their bounds.
func (p *Picked) Located() bool { return p.known }

// vector reports whether assembly takes the records, with so many coefficients and sums.
func (p *Picked) vector(w, g int) bool {
	n := min(w, g)
	return logitVector() && n > 0 && p.columns <= n
}

// bounds are those of the rows among the entries.
func (p *Picked) bounds() (lo, hi []int) {
	if !p.known {
		n := len(p.list)
		p.lo, p.hi = slices.Grow(p.lo[:0], n)[:n], slices.Grow(p.hi[:0], n)[:n]
		for k, r := range p.list {
			p.lo[k], p.hi[k] = p.Records.lo[r], p.Records.hi[r]
		}
		p.known = true
	}
	return p.lo, p.hi
}

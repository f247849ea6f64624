package model

import "math/bits"

// A rowPlaces finds the index of a row in the current page by the number of the row. It is a hash
// table with open addressing: a chain looks up every row of its minibatches.
type rowPlaces struct {
	slots []rowSlot // at least twice as many as rows, a power of two
	shift uint
}

// A rowSlot is a row with its index in the page; free where place is 0.
type rowSlot struct {
	row   int
	place int32 // 1 more than the index
}

// set makes the rows those of a page, in its order.
func (p *rowPlaces) set(rows []int) {
	n := 1 << bits.Len(uint(2*len(rows)))
	if n <= cap(p.slots) {
		p.slots = p.slots[:n]
		clear(p.slots)
	} else {
		p.slots = make([]rowSlot, n)
	}
	p.shift = uint(64 - bits.Len(uint(n-1)))
	for i, r := range rows {
		k := p.first(r)
		for p.slots[k].place != 0 && p.slots[k].row != r {
			k = (k + 1) & (n - 1)
		}
		p.slots[k] = rowSlot{r, int32(i + 1)}
	}
}

// first is the slot at which a row is looked for first. Neighbours are spread by Fibonacci hashing
// (Knuth, The Art of Computer Programming, volume 3, section 6.4).
func (p *rowPlaces) first(row int) int {
	return int(uint64(row) * 0x9e3779b97f4a7c15 >> p.shift)
}

// at returns the index of a row in the page, and whether the page has the row.
func (p *rowPlaces) at(row int) (int, bool) {
	if len(p.slots) == 0 {
		return 0, false
	}
	for k := p.first(row); ; k = (k + 1) & (len(p.slots) - 1) {
		switch s := &p.slots[k]; {
		case s.place == 0:
			return 0, false
		case s.row == row:
			return int(s.place - 1), true
		}
	}
}

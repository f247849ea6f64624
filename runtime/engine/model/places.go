package model

import "math/bits"

// A rowPlaces finds the index of a row in a page by the number of the row. Most rows of a page
// follow one another in long runs: of aligned chunks of rows that a run has, the place of the first
// row is kept, and the other rows one by one. A chain looks up every row of its minibatches, so
// both tables stay small.
type rowPlaces struct {
	rows   []int // of the page, by index
	chunks placeTable
	single placeTable
}

// chunkRows is how many rows a chunk has.
const chunkRows = 1 << chunkBits

const chunkBits = 6

// set makes the rows those of a page, in its order.
func (p *rowPlaces) set(rows []int) {
	p.rows = rows
	alone := 0
	parts(rows, func(int, int) {}, func(int, int) { alone++ })
	p.chunks.clear((len(rows) - alone) / chunkRows)
	p.single.clear(alone)
	parts(rows, p.chunks.put, p.single.put)
}

// parts calls chunk for every chunk of rows that follow one another, and single for all other rows:
// with the number of the chunk or row, and the index of its first row.
func parts(rows []int, chunk, single func(number, at int)) {
	for i := 0; i < len(rows); {
		first, end := rows[i], i+1
		for end < len(rows) && rows[end] == first+end-i {
			end++
		}
		for i < end {
			if rows[i]%chunkRows == 0 && end-i >= chunkRows {
				chunk(rows[i]>>chunkBits, i)
				i += chunkRows
			} else {
				single(rows[i], i)
				i++
			}
		}
	}
}

// at returns the index of a row in the page, and whether the page has the row.
func (p *rowPlaces) at(row int) (int, bool) {
	if place, there := p.chunks.find(row >> chunkBits); there {
		return place + row%chunkRows, true
	}
	return p.single.find(row)
}

// A placeTable is a hash table with open addressing.
type placeTable struct {
	slots []placeSlot // at least twice as many as entries, a power of two
	shift uint
}

// A placeSlot is a key with its place; free where next is 0.
type placeSlot struct {
	key  int
	next int32 // 1 more than the place
}

// clear makes room for n entries.
func (t *placeTable) clear(n int) {
	size := 1 << bits.Len(uint(2*n))
	if size <= cap(t.slots) {
		t.slots = t.slots[:size]
		clear(t.slots)
	} else {
		t.slots = make([]placeSlot, size)
	}
	t.shift = uint(64 - bits.Len(uint(size-1)))
}

// first is the slot at which a key is looked for first. Neighbours are spread by Fibonacci hashing
// (Knuth, The Art of Computer Programming, volume 3, section 6.4).
func (t *placeTable) first(key int) int {
	return int(uint64(key) * 0x9e3779b97f4a7c15 >> t.shift)
}

// put adds a key; of equal keys the last counts.
func (t *placeTable) put(key, place int) {
	k := t.first(key)
	for t.slots[k].next != 0 && t.slots[k].key != key {
		k = (k + 1) & (len(t.slots) - 1)
	}
	t.slots[k] = placeSlot{key, int32(place + 1)}
}

// find returns the place of a key, and whether the table has the key.
func (t *placeTable) find(key int) (int, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	for k := t.first(key); ; k = (k + 1) & (len(t.slots) - 1) {
		switch s := &t.slots[k]; {
		case s.next == 0:
			return 0, false
		case s.key == key:
			return int(s.next - 1), true
		}
	}
}

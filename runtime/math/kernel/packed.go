package kernel

import "slices"

// A Packed is a matrix of zeros and ones by row, compressed by a grammar: pairs of columns that
// follow each other in many rows become one symbol, and so do pairs of symbols. One-hot rows of
// categories shrink to a fourth. Products with all rows, one block after another, add up the
// numbers of symbols instead of those of columns. This follows Ferragina et al. (2022), Improving
// matrix-vector multiplication via lossless grammar-compressed matrices, made in few rounds over
// the rows.
//
// The order of summation is that of the symbols: rows without a Packed have
// other bits.
type Packed struct {
	columns int
	pairs   [][2]uint16 // symbol columns + k is the sum of two before it
	blocks  []packedBlock
}

// A packedBlock is the rows of a block, by length.
type packedBlock struct{ groups []packedGroup }

// A PackedPass is a pass over a Packed, from the first block to the last, in one
// goroutine. All its products have the same factors in every block, and those of
// the transpose are not there before the last.
type PackedPass struct {
	of       *Packed
	block    *packedBlock
	last     bool
	tables64 sparseTables
	tables32 sparseTables32
}

// A packedGroup is the rows of a block that have as many symbols.
type packedGroup struct {
	length int
	row    []uint16 // in the block
	symbol []uint16 // length for each row
}

const (
	// symbols is how many a Packed may have, columns among them.
	symbols = 1 << 16
	// packRounds is how often pairs become symbols: eight columns one at most.
	packRounds = 3
	// A pair becomes a symbol where it is met as often: a symbol costs once a pass
	// what it saves in one row, and its part of the cache.
	fewestPairs = 8
	// mostPairs is how many different pairs are counted, the first that are met.
	mostPairs = 1 << 14
)

// Pack makes a Packed of rows in blocks of so many, up to 65,536. It is nil
// where the rows have values, or too little in common to be worth it.
func Pack(r Rows, columns, block int) *Packed {
	n := r.entries()
	if r.Value != nil || columns == 0 || columns > symbols/2 || block > symbols || n < 8*columns ||
		len(r.Lo) == 0 {
		return nil
	}
	p := &Packed{columns: columns}
	list, end := make([]uint16, 0, n), make([]int, 0, len(r.Lo))
	for i, lo := range r.Lo {
		for _, c := range r.Index[lo:r.Hi[i]] {
			if int(uint32(c)) >= columns {
				return nil // the products will say so
			}
			list = append(list, uint16(c))
		}
		end = append(end, len(list))
	}
	for range packRounds {
		list = p.round(list, end, fewestPairs)
	}
	if 3*(len(list)+2*len(p.pairs)) > 2*n {
		return nil
	}
	for i := 0; i < len(end); i += block {
		p.blocks = append(p.blocks, p.group(list, end, i, min(i+block, len(end))))
	}
	return p
}

// Pass makes passes; nil of nil.
func (p *Packed) Pass() *PackedPass {
	if p == nil {
		return nil
	}
	return &PackedPass{of: p}
}

// To goes to block i: 0 begins a pass.
func (p *PackedPass) To(i int) {
	if i == 0 {
		p.tables64.used, p.tables32.used = 0, 0
	}
	p.block, p.last = &p.of.blocks[i], i == len(p.of.blocks)-1
}

// round counts the pairs at even places of all rows, makes symbols of those that
// are at least few, and puts these in the place of pairs, from left to right.
func (p *Packed) round(list []uint16, end []int, few int) []uint16 {
	t := newPairTable(p.columns + len(p.pairs))
	begin := 0
	for _, e := range end {
		for j := begin; j+1 < e; j += 2 {
			if k := t.find(list[j], list[j+1], true); k >= 0 {
				t.count[k]++
			}
		}
		begin = e
	}
	symbol := make([]uint16, len(t.count))
	for k, n := range t.count {
		if next := p.columns + len(p.pairs); n >= few && next < symbols {
			symbol[k] = uint16(next)
			p.pairs = append(p.pairs, t.pair[k])
		}
	}
	out := list[:0]
	begin = 0
	for i, e := range end {
		for j := begin; j < e; {
			if j+1 < e {
				// No symbol is 0, which is a column.
				if k := t.find(list[j], list[j+1], false); k >= 0 && symbol[k] != 0 {
					out = append(out, symbol[k])
					j += 2
					continue
				}
			}
			out = append(out, list[j])
			j++
		}
		begin = e
		end[i] = len(out)
	}
	return out
}

// group sorts the rows of a block by their length.
func (p *Packed) group(list []uint16, end []int, first, last int) (b packedBlock) {
	at := func(i int) (lo, hi int) {
		if i > 0 {
			lo = end[i-1]
		}
		return lo, end[i]
	}
	var groups [][]uint16
	for i := first; i < last; i++ {
		lo, hi := at(i)
		for len(groups) <= hi-lo {
			groups = append(groups, nil)
		}
		groups[hi-lo] = append(groups[hi-lo], uint16(i-first))
	}
	for length, rows := range groups {
		if len(rows) == 0 {
			continue
		}
		g := packedGroup{length: length, row: slices.Clip(rows),
			symbol: make([]uint16, 0, length*len(rows))}
		for _, i := range rows {
			lo, hi := at(first + int(i))
			g.symbol = append(g.symbol, list[lo:hi]...)
		}
		b.groups = append(b.groups, g)
	}
	return b
}

// A pairTable numbers pairs as they are met, the first mostPairs.
type pairTable struct {
	direct []int16              // number + 1 by pair, where symbols are few
	slot   [4 * mostPairs]int16 // the same by hash, where they are not
	of     uint32               // symbols
	pair   [][2]uint16
	count  []int
}

// fewSymbols is up to how many symbols pairs have a place each.
const fewSymbols = 1 << 10

func newPairTable(of int) *pairTable {
	t := &pairTable{of: uint32(of), pair: make([][2]uint16, 0, mostPairs),
		count: make([]int, 0, mostPairs)}
	if of <= fewSymbols {
		t.direct = make([]int16, of*of)
	}
	return t
}

// find returns the number of a pair, or -1: where it has none, unless it may add it.
func (t *pairTable) find(a, b uint16, add bool) int {
	if t.direct != nil {
		at := &t.direct[uint32(a)*t.of+uint32(b)]
		if *at == 0 && add && len(t.pair) < mostPairs-1 {
			t.pair, t.count = append(t.pair, [2]uint16{a, b}), append(t.count, 0)
			*at = int16(len(t.pair))
		}
		return int(*at) - 1
	}
	h := (uint32(a)<<16 | uint32(b)) * 0x9e3779b1 >> 16
	for {
		h &= uint32(len(t.slot) - 1)
		k := int(t.slot[h]) - 1
		switch {
		case k >= 0 && t.pair[k] == [2]uint16{a, b}:
			return k
		case k < 0 && (!add || len(t.pair) == mostPairs-1):
			return -1
		case k < 0:
			t.pair, t.count = append(t.pair, [2]uint16{a, b}), append(t.count, 0)
			t.slot[h] = int16(len(t.pair))
			return len(t.pair) - 1
		}
		h++
	}
}

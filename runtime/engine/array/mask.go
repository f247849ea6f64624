package array

import "math/bits"

// A Mask has the columns of stored entries as bits: those of row r are the bits that are set in
// Words[r*Each : (r+1)*Each]. Where an eighth of the entries are stored and more, it takes a
// quarter of the memory of a list of columns and less.
type Mask struct {
	Each  int // words of a row
	Words []uint64
}

// newMask returns a mask without entries.
func newMask(rows, cols int) *Mask {
	each := (cols + 63) / 64
	return &Mask{Each: each, Words: make([]uint64, rows*each)}
}

// row returns the words of row r.
func (k *Mask) row(r int) []uint64 { return k.Words[r*k.Each : (r+1)*k.Each] }

// set adds an entry.
func (k *Mask) set(r, c int) { k.row(r)[c/64] |= 1 << (c % 64) }

// Append appends the columns of row r to out, in rising order.
func (k *Mask) Append(out []int32, r int) []int32 {
	for i, w := range k.row(r) {
		for ; w != 0; w &= w - 1 {
			out = append(out, int32(64*i+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// fits reports whether row r has n entries, all of them in columns below cols.
func (k *Mask) fits(r, n, cols int) bool {
	last := -1
	for i, w := range k.row(r) {
		if n -= bits.OnesCount64(w); w != 0 {
			last = 64*i + 63 - bits.LeadingZeros64(w)
		}
	}
	return n == 0 && last < cols
}

// take returns the mask of some groups of per rows each.
func (k *Mask) take(keep []int, per int) *Mask {
	out := &Mask{Each: k.Each, Words: make([]uint64, 0, len(keep)*per*k.Each)}
	for _, i := range keep {
		out.Words = append(out.Words, k.Words[i*per*k.Each:(i+1)*per*k.Each]...)
	}
	return out
}

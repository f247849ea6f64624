package batch

import (
	"math/bits"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// fewRows is up to where a permutation is one shuffle: its places stay in the second cache.
const fewRows = 1 << 16

// heaps is how many heaps more rows are dealt into.
const heaps = 256

// A permutation is the order of the rows in one pass, uniform over all orders. Up to fewRows it is
// a shuffle (rng.Source.Perm). More rows are dealt to heaps first, each row to one of 256 with
// equal probability, and a heap is shuffled when a batch comes to it, alone and in the nearest
// cache. Given how many rows fall into each heap, all ways to deal them are equally probable, and
// so are then all orders (Rao, 1961; Sandelius, 1962).
type permutation struct {
	stream rng.Stream
	pass   int64 // −1: none
	row    []uint32
	begin  [heaps + 1]int // where heaps begin in row
	mixed  int            // so many rows from the first on are in their last places
	heap   int            // that comes after these
}

func newPermutation(n int, stream rng.Stream) *permutation {
	if uint64(n) > 1<<32 {
		panic("batch: more than 2^32 rows in memory")
	}
	return &permutation{stream: stream, pass: -1, row: make([]uint32, n)}
}

// to returns the rows in the places lo to hi of a pass.
func (p *permutation) to(pass int64, lo, hi int) []uint32 {
	if pass != p.pass {
		p.pass, p.mixed, p.heap = pass, 0, 0
		if len(p.row) > fewRows {
			p.deal()
		} else {
			src := p.stream.At(uint64(pass))
			src.Perm32(p.row)
			p.mixed = len(p.row)
		}
	}
	for p.mixed < hi {
		src := p.stream.At(uint64(p.heap+1)<<40 + uint64(pass))
		mix(&src, p.row[p.begin[p.heap]:p.begin[p.heap+1]])
		p.heap++
		p.mixed = p.begin[p.heap]
	}
	return p.row[lo:hi]
}

// deal puts the rows into the heaps, each by a byte of the pass's source.
func (p *permutation) deal() {
	n := len(p.row)
	var count [heaps]int
	src := p.stream.At(uint64(p.pass))
	for i := 0; i < n; i += 8 {
		w := src.Uint64()
		for range min(8, n-i) {
			count[uint8(w)]++
			w >>= 8
		}
	}
	var next [heaps]int
	at := 0
	for h, c := range count {
		p.begin[h], next[h] = at, at
		at += c
	}
	p.begin[heaps] = n
	src = p.stream.At(uint64(p.pass)) // the same bytes again
	for i := 0; i < n; i += 8 {
		w := src.Uint64()
		for k := range min(8, n-i) {
			h := uint8(w)
			p.row[next[h]] = uint32(i + k)
			next[h]++
			w >>= 8
		}
	}
}

// mix shuffles a list (Fisher–Yates) by halves of words.
func mix(src *rng.Source, list []uint32) {
	i := 1
	for ; i+1 < len(list); i += 2 {
		w := src.Uint64()
		j, k := below(src, uint32(w), uint32(i+1)), below(src, uint32(w>>32), uint32(i+2))
		list[i], list[j] = list[j], list[i]
		list[i+1], list[k] = list[k], list[i+1]
	}
	if i < len(list) {
		j := below(src, uint32(src.Uint64()), uint32(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// below is uniform below n > 0, made of 32 random bits, and of more where these would have a bias
// (Lemire, 2019).
func below(src *rng.Source, x, n uint32) uint32 {
	hi, lo := bits.Mul32(x, n)
	if lo < n {
		for floor := -n % n; lo < floor; {
			hi, lo = bits.Mul32(uint32(src.Uint64()), n)
		}
	}
	return hi
}

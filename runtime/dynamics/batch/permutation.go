package batch

import (
	"math/bits"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

const (
	// fewRows is up to where a permutation is one shuffle: its rows stay in the second cache.
	fewRows = 1 << 16
	// manyChunks is how many chunks more rows have at least; the more, the more like a random order
	// is that of a pass.
	manyChunks = 1 << 9
	// largestChunk is how many rows a chunk has at most.
	largestChunk = 512
	// poolRows is how many rows of random chunks are shuffled together. Their numbers stay in the
	// first cache, and their data in the second.
	poolRows = 8 * largestChunk
)

// A permutation is the order of the rows in one pass. Up to fewRows it is a shuffle
// (rng.Source.Perm). More rows are taken in chunks, which are neighbours in the Arrangement. The
// places of the arrangement are a circle; a pass begins its first chunk at a random place of it and
// shuffles the chunks. What does not fill a chunk comes last. Eight chunks are a pool: its rows are
// shuffled when a batch comes to it.
//
// Whatever the arrangement is, each row has the same probability of being at each position of a
// pass, so minibatches have no bias. Rows of a chunk meet in a minibatch more often than others do.
// They are a random sample of all rows, as the arrangement is random; so the mean of a minibatch
// varies as that of a simple random sample, but for the chance in how chunks were put together.
type permutation struct {
	stream rng.Stream
	n      int
	pass   int64    // −1: none
	row    []uint32 // few rows: in the order of the pass

	of     *Arrangement // nil for few rows
	chunk  int          // rows of a chunk
	order  []uint32     // of the chunks in the pass; the last one has the rows that are left
	start  int          // the place of the first row of chunk 0
	pool   int          // the number of the pool in the pass; −1: none
	pooled []uint64     // place and row of each of its rows
	spots  [256]uint32  // where the next rows go to in pooled
}

func newPermutation(n int, stream rng.Stream) *permutation {
	if uint64(n) > 1<<32 {
		panic("batch: more than 2^32 rows in memory")
	}
	p := &permutation{stream: stream, n: n, pass: -1, of: Arrange(n), pool: -1}
	if p.of == nil {
		p.row = make([]uint32, n)
	} else {
		p.chunk = min(1<<(bits.Len(uint(n/manyChunks))-1), largestChunk)
		p.order = make([]uint32, n/p.chunk+1)
		p.pooled = make([]uint64, 0, 2*poolRows)
	}
	return p
}

// begin makes a pass the present one.
func (p *permutation) begin(pass int64) {
	if pass == p.pass {
		return
	}
	p.pass, p.pool = pass, -1
	src := p.stream.At(uint64(pass))
	if p.of == nil {
		src.Perm32(p.row)
		return
	}
	last := len(p.order) - 1
	p.start = src.IntN(p.n)
	src.Perm32(p.order[:last])
	p.order[last] = uint32(last)
}

// rows copies the rows at the positions from lo on of a pass.
func (p *permutation) rows(pass int64, lo int, rows []int) {
	p.begin(pass)
	for i, r := range p.row[lo:][:len(rows)] {
		rows[i] = int(r)
	}
}

// many is rows for more than fewRows, with the place of each in their arrangement.
func (p *permutation) many(pass int64, lo int, rows, places []int) {
	p.begin(pass)
	for len(rows) > 0 {
		k := min(lo/poolRows, p.n/poolRows-1)
		p.fill(k)
		pooled := p.pooled[lo-k*poolRows:]
		m := min(len(rows), len(pooled))
		for i, x := range pooled[:m] {
			rows[i], places[i] = int(uint32(x)), int(x>>32)
		}
		rows, places, lo = rows[m:], places[m:], lo+m
	}
}

// fill makes a pool of the pass the present one. The last pool has the rows that are left.
func (p *permutation) fill(k int) {
	if k == p.pool {
		return
	}
	p.pool = k
	begin, end := k*poolRows, (k+1)*poolRows
	if end+poolRows > p.n {
		end = p.n
	}
	p.pooled = p.pooled[:end-begin]
	src := p.stream.At(uint64(k+1)<<40 + uint64(p.pass))
	for n := 0; n < len(p.pooled); {
		place := p.place(begin + n)
		m := min(len(p.spots), p.chunk-(begin+n)%p.chunk, len(p.pooled)-n, p.n-place)
		spots, rows, list := p.spots[:m], p.of.rows[place:][:m], p.pooled[:n+m]
		src.Spots(spots, n)
		for i, s := range spots {
			list[n+i] = list[s]
			list[s] = uint64(place+i)<<32 | uint64(rows[i])
		}
		n += m
	}
}

// place returns where the row at a position of the pass lies before its pool is shuffled.
func (p *permutation) place(at int) int {
	place := p.start + int(p.order[at/p.chunk])*p.chunk + at%p.chunk
	if place >= p.n {
		place -= p.n
	}
	return place
}

// soon writes the places that the pass reads one pool after the positions from lo on, in the order
// in which they lie in memory. It returns how many it wrote: none at the end of a pass.
func (p *permutation) soon(lo int, places []int) int {
	lo += poolRows
	n := max(0, min(len(places), p.n-lo))
	for i := 0; i < n; {
		place := p.place(lo + i)
		m := min(n-i, p.chunk-(lo+i)%p.chunk, p.n-place)
		for j := range places[i : i+m] {
			places[i+j] = place + j
		}
		i += m
	}
	return n
}

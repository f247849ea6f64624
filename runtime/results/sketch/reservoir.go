package sketch

import "github.com/sgppl/sgppl/runtime/math/rng"

// A Reservoir selects the draws of a chain to store, by systematic sampling (Madow and Madow 1944,
// "On the theory of systematic sampling"). The chain is divided into equal parts, as many as draws
// are to be stored. One draw of each part is stored, at the same relative position in every part.
// The position is drawn from the run's seed, so every draw is equally likely to be stored. Stored
// draws are as far apart as possible, which suits correlated draws better than a random choice. No
// stored draw is overwritten, and an interrupted run has the draws of its parts so far.
type Reservoir struct {
	size, draws int64
	phase       float64 // in [0, 1), of a part
	next        int64   // at most the part whose draw is stored next; Takes advances it
}

// NewReservoir returns the Reservoir of a chain with draws draws. It selects at most size of them.
func NewReservoir(size, draws int64, seed uint64, chain int) *Reservoir {
	src := rng.New(seed, chain, rng.Reservoir).At(0)
	return &Reservoir{size: min(size, draws), draws: draws, phase: src.Float64()}
}

// at returns the number of the draw that is stored of a part.
func (r *Reservoir) at(part int64) int64 {
	if r.size == r.draws {
		return part
	}
	return min(int64((float64(part)+r.phase)*(float64(r.draws)/float64(r.size))), r.draws-1)
}

// Takes reports whether draw number index, counted from 0, is stored. Calls must have rising
// indices; the first may have any.
func (r *Reservoir) Takes(index int64) bool {
	for r.next < r.size && r.at(r.next) < index {
		r.next++
	}
	return r.next < r.size && r.at(r.next) == index
}

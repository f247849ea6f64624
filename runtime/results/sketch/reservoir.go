package sketch

import "github.com/sgppl/sgppl/runtime/math/rng"

// A Reservoir says which of a chain's draws are stored: one of each of as many
// equal parts of the chain as it is to hold, at the same place of every part, which is
// drawn from the run's seed. So every draw is as likely to be there as any
// other (systematic sampling, Madow and Madow 1944, "On the theory of systematic sampling"),
// those that are stand as far from one another as they can, which for
// a chain is better than a random choice, nothing is ever written over, and a run
// that was interrupted has its share.
type Reservoir struct {
	size, draws int64
	phase       float64 // in [0, 1), of a part
	next        int64   // the part whose draw comes next, or one before it: Takes finds it
}

// NewReservoir is that of a chain of so many draws; it takes at most size of them.
func NewReservoir(size, draws int64, seed uint64, chain int) *Reservoir {
	src := rng.New(seed, chain, rng.Reservoir).At(0)
	return &Reservoir{size: min(size, draws), draws: draws, phase: src.Float64()}
}

// at is the draw of a part.
func (r *Reservoir) at(part int64) int64 {
	if r.size == r.draws {
		return part
	}
	return min(int64((float64(part)+r.phase)*(float64(r.draws)/float64(r.size))), r.draws-1)
}

// Takes reports whether draw number index, from 0, is stored. It is asked in the order of the
// draws, from any of them on.
func (r *Reservoir) Takes(index int64) bool {
	for r.next < r.size && r.at(r.next) < index {
		r.next++
	}
	return r.next < r.size && r.at(r.next) == index
}

package run

import "github.com/sgppl/sgppl/runtime/rng"

// A reservoir says which of a chain's draws are stored: one of each of as many
// equal parts of the chain as it is to hold, at the same place of every part, which is
// drawn from the run's seed. So every draw is as likely to be there as any
// other (systematic sampling, Madow and Madow 1944, "On the theory of systematic sampling"),
// those that are stand as far from one another as they can, which for
// a chain is better than a random choice, nothing is ever written over, and a run
// that was interrupted has its share.
type reservoir struct {
	size, draws int64
	phase       float64 // in [0, 1), of a part
	next        int64   // the part whose draw comes next, or one before it
}

func newReservoir(size, draws int64, seed uint64, chain int) *reservoir {
	src := rng.New(seed, chain, rng.Reservoir).At(0)
	return &reservoir{size: min(size, draws), draws: draws, phase: src.Float64()}
}

// at is the draw of a part.
func (r *reservoir) at(part int64) int64 {
	if r.size == r.draws {
		return part
	}
	return min(int64((float64(part)+r.phase)*(float64(r.draws)/float64(r.size))), r.draws-1)
}

// takes says whether draw number index, from 0, is stored.
func (r *reservoir) takes(index int64) bool {
	for r.next < r.size && r.at(r.next) < index {
		r.next++
	}
	return r.next < r.size && r.at(r.next) == index
}

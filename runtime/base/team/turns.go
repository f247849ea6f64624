package team

import (
	"runtime"
	"sync/atomic"
	"time"
)

// nap is how long a member sleeps that has waited in vain for a while.
const nap = 20 * time.Microsecond

// MostTurns is the largest number of places in a job where blocks of work take turns.
const MostTurns = 16

// Turns puts the blocks of a job in order where they add to the same sums. Each member does blocks
// as it comes to them, but at each of some places block b goes on only when block b − 1 has left
// the place. So sums have the bits of one member that takes block after block.
//
// A block must pass all places, and blocks must be begun in their order.
type Turns struct {
	at     [MostTurns]place
	broken atomic.Bool
}

type place struct {
	next atomic.Int64 // the block whose turn it is
	_    [56]byte     // each in its own line of the cache
}

// Reset is called before the first block is begun.
func (t *Turns) Reset() {
	for i := range t.at {
		t.at[i].next.Store(0)
	}
	t.broken.Store(false)
}

// Break lets all blocks go on, in any order. A member that panics calls it.
func (t *Turns) Break() { t.broken.Store(true) }

// A Turn is a block in the order of its Turns. A nil Turn waits for nobody.
type Turn struct {
	of    *Turns
	block int64
}

// Of makes the Turn one of a block.
func (t *Turn) Of(of *Turns, block int) { t.of, t.block = of, int64(block) }

// Begin waits at a place for the blocks before this one.
func (t *Turn) Begin(place int) {
	if t != nil {
		t.wait(place)
	}
}

// End lets the next block go on at a place.
func (t *Turn) End(place int) {
	if t != nil {
		t.of.at[place].next.Store(t.block + 1)
	}
}

func (t *Turn) wait(place int) {
	next := &t.of.at[place].next
	for n := 0; next.Load() != t.block && !t.of.broken.Load(); n++ {
		switch {
		case n > looks*yields:
			time.Sleep(nap) // the member whose turn it is may need this processor
		case n%looks == looks-1:
			runtime.Gosched()
		}
	}
}

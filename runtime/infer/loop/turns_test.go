package loop

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestTurns: where chains share a thread they are about equally far at any time,
// by the clock and without one, and never do more of them run at once than there are
// threads. Without turns the first would end before the last began.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		threads int
		clock   bool
	}{{1, true}, {2, true}, {1, false}} {
		const chains, steps = 5, 8 * 16 * looksOfTurn
		var running, most, ticks atomic.Int64
		var at, ahead [chains]atomic.Int64
		o := Options{Threads: c.threads}
		if c.clock { // a step takes a millisecond
			o.Now = func() time.Time {
				return time.Unix(0, 0).Add(time.Duration(ticks.Load()) * time.Millisecond)
			}
		}
		err := Each(t.Context(), chains, o, func(_ context.Context, i int, o Options) error {
			p := NewPacer(o)
			running.Add(1)
			for range steps {
				running.Add(-1) // Due may wait
				p.Due()
				most.Store(max(most.Load(), running.Add(1)))
				ticks.Add(1)
				now := at[i].Add(1)
				for k := range at {
					if d := now - at[k].Load(); d > ahead[i].Load() && k != i {
						ahead[i].Store(d)
					}
				}
			}
			running.Add(-1)
			return nil
		})
		if err != nil || most.Load() > int64(c.threads) {
			t.Errorf("%+v: %d chains ran at once, %v", c, most.Load(), err)
		}
		for i := range ahead {
			if d := ahead[i].Load(); c.threads == 1 && d > steps/3 {
				t.Errorf("%+v: chain %d was %d of %d steps ahead of another", c, i, d, steps)
			}
		}
	}
}

// TestTurnsFromTheFirstStep: when a chain begins, all others wait already. So the order
// in which chains go on is the same however busy the machine is.
func TestTurnsFromTheFirstStep(t *testing.T) {
	const chains = 5
	for range 5000 {
		var order []int
		err := Each(t.Context(), chains, Options{Threads: 1},
			func(_ context.Context, i int, o Options) error {
				o.turns.lock.Lock()
				defer o.turns.lock.Unlock()
				if n := len(o.turns.waiting); n != chains-1-i {
					t.Errorf("chain %d begins, and %d wait", i, n)
				}
				order = append(order, i)
				return nil
			})
		if err != nil || !slices.IsSorted(order) {
			t.Fatal(order, err)
		}
	}
}

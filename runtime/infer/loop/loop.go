// Package loop has what runs of several chains share, be they of a sampler or
// of an optimiser: goroutines that no result depends on, the clock for
// progress and checkpoints, and the form of a checkpoint.
package loop

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/base/team"
)

// Options are what the results of a run do not depend on.
type Options struct {
	Threads int // 0: as many as there are processors; chains at once, and what they leave helps them
	// Now is the clock for progress and checkpoints; nil: neither, except at
	// the end of a chain and on cancellation.
	Now             func() time.Time
	ProgressEvery   time.Duration // 0: only at the end
	CheckpointEvery time.Duration // 0: only at the end
	// Resume has a checkpoint for each chain, nil for one that is to start.
	Resume [][]byte
	// Only are the numbers of the chains that run; nil: all do. A chain takes the same steps
	// whichever others run.
	Only []int

	// Team shares the steps of the chain, where there are more threads than chains. Each sets it.
	Team *team.Team

	turns *turns // of the chains; nil where each has a thread
}

// State is the checkpoint from which a chain is to go on; nil: it is to start.
func (o *Options) State(chain int) []byte {
	if chain < len(o.Resume) {
		return o.Resume[chain]
	}
	return nil
}

// Takes reports whether a chain runs.
func (o *Options) Takes(chain int) bool { return Takes(o.Only, chain) }

// Takes reports whether a chain is among those that run: all do where only is empty.
func Takes(only []int, chain int) bool { return len(only) == 0 || slices.Contains(only, chain) }

// Each calls run for the chains 0, …, n − 1, as many at once as o.Threads. Where
// there are more chains they take turns: the options that run is given are for
// the Pacer of the chain, which lets others go on. The first error cancels the
// context of the others; of several, that of the lowest chain is returned, and a
// failure goes before the cancellations that it caused.
func Each(
	ctx context.Context, n int, o Options,
	run func(ctx context.Context, chain int, o Options) error,
) error {
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	t := &turns{free: threads}
	if threads < n {
		o.turns = t
	}
	// All wait before the first runs: who goes next depends on no scheduler.
	mine := make([]<-chan struct{}, n)
	for i := range n {
		mine[i] = t.ask()
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-mine[i]
			defer t.end()
			o := o
			o.Team = team.New(members(threads, n, i), o.Now)
			defer o.Team.Close()
			if errs[i] = run(inner, i, o); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	return first(errs)
}

// members is how many of so many threads a chain has, at least one.
func members(threads, chains, chain int) int {
	if chain < threads%chains {
		return threads/chains + 1
	}
	return max(threads/chains, 1)
}

// first prefers a failure to the cancellations that it caused.
func first(errs []error) error {
	var cancelled error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			cancelled = err
		default:
			return err
		}
	}
	return cancelled
}

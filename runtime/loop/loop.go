// Package loop has what runs of several chains share, be they of a sampler or
// of an optimiser: goroutines that no result depends on, the clock for
// progress and checkpoints, and the form of a checkpoint.
package loop

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// Options are what the results of a run do not depend on.
type Options struct {
	Threads int // chains at once; 0: as many as there are processors
	// Now is the clock for progress and checkpoints; nil: neither, except at
	// the end of a chain and on cancellation.
	Now             func() time.Time
	ProgressEvery   time.Duration // 0: only at the end
	CheckpointEvery time.Duration // 0: only at the end
	// Resume has a checkpoint for each chain, nil for one that is to start.
	Resume [][]byte
}

// State is the checkpoint from which a chain is to go on; nil: it is to start.
func (o *Options) State(chain int) []byte {
	if chain < len(o.Resume) {
		return o.Resume[chain]
	}
	return nil
}

// Each calls run for the chains 0, …, n − 1, as many at once as threads (0: as
// there are processors). The first error cancels the context of the others; of
// several, that of the lowest chain is returned, and a failure goes before the
// cancellations that it caused.
func Each(ctx context.Context, n, threads int, run func(ctx context.Context, chain int) error) error {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(threads, n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				if errs[i] = run(inner, i); errs[i] != nil {
					cancel()
				}
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return first(errs)
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

package loop

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls do for 0 … n−1, in at most threads goroutines (0: as many as there are
// processors), which worker counts from 0. What do computes must not depend on which of
// them calls it. It begins no more calls behind an error, or where ctx is done, and returns
// the error of the least number.
func Parallel(ctx context.Context, n, threads int, do func(worker, k int) error) error {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for worker := range min(threads, n) {
		wait.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				if errs[k] = do(worker, k); errs[k] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

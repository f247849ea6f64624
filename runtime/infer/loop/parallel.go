package loop

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls do for 0 … n−1, in at most threads goroutines (0: as many as there are
// processors), which worker counts from 0. The result of do must not depend on the worker that
// calls it. After an error, or when ctx is done, it begins no more calls; it returns the error of
// the smallest number.
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

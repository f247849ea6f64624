package tall

import (
	"runtime"
	"sync"
)

// parallel calls do for the parts [from, to) of 0 … n, in at most threads
// goroutines (0: as many as there are processors). What do computes of an index must
// not depend on the part that it is in. worker counts the goroutines from 0.
func parallel(n, threads int, do func(worker, from, to int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = max(min(threads, n), 1)
	var wg sync.WaitGroup
	for k := range threads {
		from, to := n*k/threads, n*(k+1)/threads
		wg.Go(func() { do(k, from, to) })
	}
	wg.Wait()
}

// Package front has what does the tasks of a pass: a loop in this process, Apache Beam, and
// arrays of jobs. Results do not depend on it.
package front

import (
	"context"
	"errors"
	"sync"

	"github.com/sgppl/sgppl/cluster/pass"
)

// A Loop does tasks in this process, Workers at a time.
type Loop struct {
	Workers int
	Each    func(pass.Task, error) // is told of every task that ended; may be nil
}

// Run implements pass.Front. Tasks that fail do not stop the others.
func (l Loop) Run(ctx context.Context, e *pass.Env, tasks []pass.Task) error {
	var lock sync.Mutex
	var errs []error
	var group sync.WaitGroup
	next := make(chan pass.Task)
	for range max(1, min(l.Workers, len(tasks))) {
		group.Go(func() {
			for t := range next {
				err := e.Do(ctx, t)
				lock.Lock()
				if err != nil {
					errs = append(errs, err)
				}
				if l.Each != nil {
					l.Each(t, err)
				}
				lock.Unlock()
			}
		})
	}
	for _, t := range tasks {
		if ctx.Err() != nil {
			break
		}
		next <- t
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

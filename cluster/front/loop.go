// Package front has what does the tasks of a pass: a loop in this process, Apache Beam, and
// arrays of jobs. Results do not depend on it.
package front

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sgppl/sgppl/cluster/pass"
)

// A Loop does tasks in this process, Workers at a time.
type Loop struct {
	Workers int
	Each    func(pass.Task, error) // is told of every task that ended, one at a time; may be nil
}

// Run implements pass.Front. Tasks that fail do not stop the others, unless many fail one after
// another.
func (l Loop) Run(ctx context.Context, e *pass.Env, tasks []pass.Task) error {
	var found failures
	var telling sync.Mutex
	var group sync.WaitGroup
	next := make(chan pass.Task)
	for range max(1, min(l.Workers, len(tasks))) {
		group.Go(func() {
			for t := range next {
				err := e.Do(ctx, t)
				found.add(err)
				if l.Each != nil {
					telling.Lock()
					l.Each(t, err)
					telling.Unlock()
				}
			}
		})
	}
	for _, t := range tasks {
		if ctx.Err() != nil || found.hopeless() {
			break
		}
		next <- t
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return found.err()
}

// mostInRow is after how many failures in a row no more tasks are begun: the bucket cannot be
// reached, or no task can go well.
const mostInRow = 12

// mostErrors is how many errors are reported; of others their number is.
const mostErrors = 5

// failures are the errors of tasks. Several goroutines use them.
type failures struct {
	lock  sync.Mutex
	first []error
	all   int
	row   int // since a task went well
}

func (f *failures) add(err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if err == nil {
		f.row = 0
		return
	}
	f.all++
	f.row++
	if len(f.first) < mostErrors {
		f.first = append(f.first, err)
	}
}

func (f *failures) hopeless() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.row >= mostInRow
}

// err joins what is reported, once all tasks have ended.
func (f *failures) err() error {
	list := f.first
	if more := f.all - len(list); more > 0 {
		list = append(list, fmt.Errorf("%d more tasks failed", more))
	}
	if f.row >= mostInRow {
		list = append(list, fmt.Errorf("the last %d tasks failed one after another, and no more "+
			"were begun", f.row))
	}
	return errors.Join(list...)
}

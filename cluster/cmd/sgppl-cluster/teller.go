package main

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sgppl/sgppl/cluster/pass"
)

// slowTimes is how many times the median a task takes that is named as slow; it takes
// slowLeast seconds at least.
const (
	slowTimes = 3
	slowLeast = 2
)

// A teller prints how far a pass is, at most once a second, and which tasks were slow.
type teller struct {
	w     *world
	tasks int // of each pass; 0 where that is not known
	lock  sync.Mutex
	last  time.Time // something was printed
	ends  time.Time // of the last task, or of what went before the first
	dir   string    // of the pass
	begun time.Time
	done  int
	wrong int
	rows  int64
	takes []float64 // seconds of tasks, sorted
}

func newTeller(w *world, tasks int) *teller { return &teller{w: w, tasks: tasks, ends: time.Now()} }

// enter begins with a pass, unless it has begun: when the one before it ended.
func (t *teller) enter(dir string) {
	if t.dir == dir {
		return
	}
	t.dir, t.begun, t.done, t.wrong, t.rows, t.takes = dir, t.ends, 0, 0, 0, nil
}

// told is told of a task that this process has done.
func (t *teller) told(task pass.Task, d *pass.Done) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.enter(task.Dir)
	t.rows += d.Rows
	at, _ := slices.BinarySearch(t.takes, d.Seconds)
	t.takes = slices.Insert(t.takes, at, d.Seconds)
	if n := len(t.takes); n > 4 && d.Seconds > slowLeast && d.Seconds > slowTimes*t.takes[n/2] {
		fmt.Fprintf(t.w.stderr, "slow: %v took %.1f s, half of the tasks less than %.1f s\n", task,
			d.Seconds, t.takes[n/2])
	}
}

// ended is told of every task that ended, with its error.
func (t *teller) ended(task pass.Task, err error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.enter(task.Dir)
	t.done++
	if err != nil {
		t.wrong++
	}
	now := time.Now()
	t.ends = now
	if now.Sub(t.last) < time.Second {
		return
	}
	t.last = now
	seconds := now.Sub(t.begun).Seconds()
	fmt.Fprintf(t.w.stderr, "%s: %d", task.Dir, t.done)
	if t.tasks > 0 {
		fmt.Fprintf(t.w.stderr, " of %d", t.tasks)
	}
	fmt.Fprintf(t.w.stderr, " tasks in %.0f s", seconds)
	if t.rows > 0 && seconds > 0 {
		fmt.Fprintf(t.w.stderr, ", %.3g rows/s", float64(t.rows)/seconds)
	}
	if t.wrong > 0 {
		fmt.Fprintf(t.w.stderr, ", %d to be tried again", t.wrong)
	}
	fmt.Fprintln(t.w.stderr)
}

// Package team shares the heavy steps of one chain among processors. A team is made for a run and
// closed at its end. Its goroutines wait for work between the steps: they look for it for about a
// millisecond, then they sleep.
//
// What is shared must not depend on how many share it: a job is cut by its work, and what is added
// up is added in a fixed order (see Turns).
package team

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Job is work that the members of a team do together. Each member calls Do once, with its own
// number from 0 on; the members share the work among themselves, for example by a counter.
type Job interface{ Do(member int) }

// A Team is the goroutine that calls Run and some others that help it. A nil Team has one member.
// Run may be called by one goroutine at a time, and not by a job.
type Team struct {
	size    int
	job     Job
	round   atomic.Uint32 // counts jobs
	left    atomic.Int32  // helpers that are at work
	closed  atomic.Bool
	now     func() time.Time
	sleeper []sleeper // of the helpers, and of the caller at 0
	shares  []share   // of the members, see Deal
	ended   sync.WaitGroup

	lock   sync.Mutex
	broken any // with which a helper panicked
}

// A sleeper lets a goroutine sleep until it is woken.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte // each in its own line of the cache
}

// A goroutine that waits looks so often, which takes about 20 microseconds, before it lets other
// goroutines run, and does that so many times, a millisecond in all, before it sleeps. To let
// others run takes the lock of Go's scheduler, which the members would pass to and fro; a helper
// that sleeps is woken by the system, which takes as long as many of the parts that are shared. So
// it stays awake through what the chain does alone between two of them.
const (
	looks  = 4000
	yields = 50
)

// New makes a team of so many members; nil if that is less than 2. It must be closed. A Pace reads
// the clock now; nil: all work that may be shared is.
func New(members int, now func() time.Time) *Team {
	if members < 2 {
		return nil
	}
	t := &Team{size: members, now: now, sleeper: make([]sleeper, members),
		shares: make([]share, members)}
	for i := range t.sleeper {
		t.sleeper[i].wake = make(chan struct{}, 1)
	}
	for i := 1; i < members; i++ {
		t.ended.Go(func() { t.help(i) })
	}
	return t
}

// Size is the number of members.
func (t *Team) Size() int {
	if t == nil {
		return 1
	}
	return t.size
}

// Close ends the goroutines of the team and waits for that.
func (t *Team) Close() {
	if t == nil || t.closed.Swap(true) {
		return
	}
	t.begin()
	t.ended.Wait()
}

// Run has every member do the job, and returns when all have. A panic of a helper is one of Run.
func (t *Team) Run(j Job) {
	t.job = j
	t.left.Store(int32(t.size - 1))
	t.begin()
	defer t.end() // also if the caller's part panics: the helpers still use its memory
	j.Do(0)
}

// begin starts a round and wakes the helpers that sleep.
func (t *Team) begin() {
	t.round.Add(1)
	for i := 1; i < t.size; i++ {
		t.sleeper[i].rouse()
	}
}

// end waits for the helpers.
func (t *Team) end() {
	t.sleeper[0].until(func() bool { return t.left.Load() == 0 })
	t.job = nil
	t.lock.Lock()
	broken := t.broken
	t.broken = nil
	t.lock.Unlock()
	if broken != nil {
		panic(broken)
	}
}

// help does jobs until the team is closed.
func (t *Team) help(member int) {
	done := uint32(0)
	begun := func() bool { return t.round.Load() != done }
	for {
		t.sleeper[member].until(begun)
		done = t.round.Load()
		if t.closed.Load() {
			return
		}
		t.do(member)
		if t.left.Add(-1) == 0 {
			t.sleeper[0].rouse()
		}
	}
}

// do does a member's part, and keeps what it panics with for Run.
func (t *Team) do(member int) {
	defer func() {
		if p := recover(); p != nil {
			t.lock.Lock()
			t.broken = p
			t.lock.Unlock()
		}
	}()
	t.job.Do(member)
}

// until returns when ready is true. Who makes it true calls rouse after that.
func (s *sleeper) until(ready func() bool) {
	for range yields {
		for range looks {
			if ready() {
				return
			}
		}
		runtime.Gosched()
	}
	for !ready() {
		s.asleep.Store(true)
		if ready() && s.asleep.CompareAndSwap(true, false) {
			return
		}
		<-s.wake
	}
}

// rouse wakes the goroutine if it sleeps.
func (s *sleeper) rouse() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

package team

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A counting job counts who did it, and shares numbers by a counter.
type counting struct {
	next  atomic.Int64
	n     int
	done  []atomic.Int64
	calls []atomic.Int64 // by member
}

func (c *counting) Do(member int) {
	c.calls[member].Add(1)
	for k := int(c.next.Add(1)) - 1; k < c.n; k = int(c.next.Add(1)) - 1 {
		c.done[k].Add(1)
	}
}

// Every member does each job once, also if it slept before it, and no goroutine is left.
func TestTeam(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, size := range []int{2, 3, 8} {
		w := New(size, nil)
		for round := range 300 {
			if round%100 == 0 {
				time.Sleep(3 * time.Millisecond) // long enough to fall asleep
			}
			c := &counting{n: 40, done: make([]atomic.Int64, 40), calls: make([]atomic.Int64, size)}
			w.Run(c)
			for i := range c.calls {
				if n := c.calls[i].Load(); n != 1 {
					t.Fatalf("member %d of %d did a job %d times", i, size, n)
				}
			}
			for k := range c.done {
				if n := c.done[k].Load(); n != 1 {
					t.Fatalf("part %d was done %d times", k, n)
				}
			}
		}
		w.Close()
		w.Close()
	}
	if New(1, nil) != nil || (*Team)(nil).Size() != 1 {
		t.Error("one member makes a team")
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// A job that is run again allocates nothing.
func TestTeamAllocates(t *testing.T) {
	w := New(3, time.Now)
	defer w.Close()
	c := &counting{n: 4, done: make([]atomic.Int64, 4), calls: make([]atomic.Int64, 3)}
	var p Pace
	if n := testing.AllocsPerRun(50, func() {
		if c.next.Store(0); p.Begin(w) {
			w.Run(c)
		}
		p.End(1)
	}); n > 0 {
		t.Errorf("%v allocations a job", n)
	}
}

type panics struct{ who int }

func (p panics) Do(member int) {
	if member == p.who {
		panic("broken")
	}
}

// A panic of any member is one of Run, and the team can be used after it.
func TestTeamPanics(t *testing.T) {
	w := New(3, nil)
	defer w.Close()
	for who := range 3 {
		func() {
			defer func() {
				if p := recover(); p != "broken" {
					t.Errorf("member %d panicked, Run with %v", who, p)
				}
			}()
			w.Run(panics{who})
		}()
	}
	w.Run(panics{-1})
}

// An ordered job notes the order in which blocks pass two places.
type ordered struct {
	turns  Turns
	next   atomic.Int64
	blocks int
	passed [2][]int // written in turns, without a lock
}

func (o *ordered) Do(int) {
	var turn Turn
	for b := int(o.next.Add(1)) - 1; b < o.blocks; b = int(o.next.Add(1)) - 1 {
		turn.Of(&o.turns, b)
		for place := range o.passed {
			if b%3 == place {
				time.Sleep(10 * time.Microsecond) // others come first
			}
			turn.Begin(place)
			o.passed[place] = append(o.passed[place], b)
			turn.End(place)
		}
	}
}

// Blocks pass each place in their order, whoever does them.
func TestTurns(t *testing.T) {
	w := New(4, nil)
	defer w.Close()
	o := &ordered{blocks: 60}
	for range 3 {
		o.turns.Reset()
		o.next.Store(0)
		o.passed = [2][]int{}
		w.Run(o)
		for _, p := range o.passed {
			if len(p) != o.blocks || !slices.IsSorted(p) {
				t.Fatalf("blocks passed in the order %v", p)
			}
		}
	}
	var none *Turn
	none.Begin(0) // waits for nobody
	none.End(0)
}

// A Pace shares where that is faster, works alone where it is not, and finds out when this changes.
// Most pieces are done in the better way.
func TestPace(t *testing.T) {
	now := time.Unix(0, 0)
	w := New(2, func() time.Time { return now })
	defer w.Close()
	var p Pace
	for _, c := range []struct {
		alone, shared time.Duration
		shares        bool
	}{{200, 110, true}, {200, 4000, false}, {200, 195, false}, {200, 110, true}} {
		better := 0
		const pieces = 4 * longest
		for range pieces {
			shared := p.Begin(w)
			if shared == c.shares {
				better++
			}
			if now = now.Add(c.alone * time.Microsecond); shared {
				now = now.Add((c.shared - c.alone) * time.Microsecond)
			}
			p.End(1)
		}
		if better < pieces*6/10 {
			t.Errorf("%+v: %d of %d pieces in the better way", c, better, pieces)
		}
	}
	if p.Begin(nil) {
		t.Error("nobody shares")
	}
}

// A dealing job takes the parts that were dealt.
type dealing struct {
	team *Team
	done []atomic.Int64
	slow bool // the last member takes none until the others have done all
}

func (d *dealing) Do(member int) {
	for d.slow && member == d.team.Size()-1 && d.left() {
		runtime.Gosched()
	}
	for p := d.team.Next(member); p >= 0; p = d.team.Next(member) {
		d.done[p].Add(1)
	}
}

func (d *dealing) left() bool {
	for i := range d.done {
		if d.done[i].Load() == 0 {
			return true
		}
	}
	return false
}

// Every part that is dealt is done once, also those of a member that comes late.
func TestDeal(t *testing.T) {
	for _, size := range []int{2, 3, 5} {
		w := New(size, nil)
		for _, parts := range []int{0, 1, size, 17, 1000} {
			for _, slow := range []bool{false, true} {
				d := &dealing{team: w, done: make([]atomic.Int64, parts), slow: slow}
				w.Deal(parts)
				w.Run(d)
				for k := range d.done {
					if n := d.done[k].Load(); n != 1 {
						t.Errorf("%d members: part %d of %d was done %d times", size, k, parts, n)
					}
				}
			}
		}
		w.Close()
	}
}

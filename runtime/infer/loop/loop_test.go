package loop

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestEach: every chain runs once; a failure goes before the cancellations that
// it causes, and that of the lowest chain before others.
func TestEach(t *testing.T) {
	var runs atomic.Int64
	if err := Each(t.Context(), 9, Options{Threads: 3}, func(context.Context, int, Options) error {
		runs.Add(1)
		return nil
	}); err != nil || runs.Load() != 9 {
		t.Fatalf("%d runs, %v", runs.Load(), err)
	}
	two, three := errors.New("two"), errors.New("three")
	var both sync.WaitGroup
	both.Add(2)
	err := Each(t.Context(), 4, Options{Threads: 4},
		func(ctx context.Context, i int, _ Options) error {
			switch i {
			case 2, 3: // neither returns before the other has failed
				both.Done()
				both.Wait()
				return []error{two, three}[i-2]
			}
			<-ctx.Done()
			return ctx.Err()
		})
	if err != two {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Each(ctx, 2, Options{Threads: 1}, func(ctx context.Context, i int, _ Options) error {
		return ctx.Err()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestPacer: a fast loop looks at the clock ever more rarely, a slow one at
// every step; progress and checkpoints come at their intervals.
func TestPacer(t *testing.T) {
	for _, step := range []time.Duration{time.Microsecond, 80 * time.Millisecond} {
		now, looks := time.Unix(0, 0), 0
		p := NewPacer(Options{Now: func() time.Time { looks++; return now },
			ProgressEvery: 100 * time.Millisecond, CheckpointEvery: time.Second})
		shown, saved := 0, 0
		const total = 2 * time.Second
		for n := 0; n < int(total/step); n++ {
			if p.Due() {
				if p.Progress() {
					shown++
				}
				if p.Checkpoint() {
					saved++
				}
			}
			now = now.Add(step)
		}
		steps := int(total / step)
		if step == time.Microsecond && looks > steps/1000 ||
			step > time.Millisecond && looks < steps {
			t.Errorf("%v: %d looks in %d steps", step, looks, steps)
		}
		if shown < 11 || shown > 20 || saved < 1 || saved > 2 {
			t.Errorf("%v: %d messages, %d checkpoints", step, shown, saved)
		}
		if p.Look(); p.Elapsed() != time.Duration(steps)*step {
			t.Errorf("%v: elapsed %v", step, p.Elapsed())
		}
	}
}

// TestSeal: a checkpoint reads back, and no other is taken for it.
func TestSeal(t *testing.T) {
	type state struct {
		n int64
		x [3]float64
	}
	walk := func(s *state) func(*Codec) {
		return func(d *Codec) { d.Int(&s.n); d.Floats(s.x[:]) }
	}
	want := state{-7, [3]float64{1, math.Inf(1), math.Copysign(0, -1)}}
	label := func(magic string, settings uint64, chain, dim int) Label {
		return Label{Magic: magic, Fingerprint: settings, Chain: chain, Dim: dim}
	}
	l := label("testing1", 5, 2, 3)
	b := Seal([]byte("before"), l, walk(&want))[len("before"):]
	var got state
	if problem := Unseal(b, l, walk(&got)); problem != "" || got != want ||
		!math.Signbit(got.x[2]) {
		t.Errorf("%q, %v", problem, got)
	}
	for _, other := range []Label{label("testing2", 5, 2, 3), label("testing1", 6, 2, 3),
		label("testing1", 5, 1, 3), label("testing1", 5, 2, 4)} {
		if Unseal(b, other, walk(&got)) == "" {
			t.Errorf("%v reads what is %v's", other, l)
		}
	}
	later := label("testing2", 5, 2, 3)
	later.Before = l.Magic
	if problem := Unseal(b, later, walk(&got)); !strings.Contains(problem, "another order") {
		t.Errorf("of an older checkpoint it says %q", problem)
	}
	if Unseal(b, l, func(d *Codec) { d.Int(&got.n) }) == "" {
		t.Error("a longer checkpoint is taken")
	}
	for n := range b {
		if Unseal(b[:n], l, walk(&got)) == "" {
			t.Errorf("%d of %d bytes are taken", n, len(b))
		}
	}
}

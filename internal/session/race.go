package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// patience is how long a run goes on by the VM before a native engine is built for it: shorter
// runs end before a build would pay.
const patience = 250 * time.Millisecond

// RacingEngine runs by the VM at once and builds the native engine meanwhile. When it is built,
// the chains leave their checkpoints and go on by it: engines give the same draws, to the bit, so
// only the time depends on when that is. Where it cannot be built the VM goes on, and a note says
// why. A native engine that was built before runs from the beginning. The record of the run names
// the engine that ended it.
func RacingEngine(e *Session, b *Binding, quiet bool) (*Engine, error) {
	s, err := e.sampler(b)
	if err != nil {
		return nil, err
	}
	if cached, wrong := s.builder.Verify(s.source); cached || wrong != nil { // which is said
		eng, err := NativeEngine(e, b, quiet)
		if err != nil {
			return nil, err
		}
		return OrInProcess(e, b, eng), nil
	}
	if err := s.builder.Usable(); err != nil {
		return nil, err
	}
	build := func(ctx context.Context) (*Engine, error) {
		program, err := s.builder.Build(ctx, s.source)
		if err != nil {
			return nil, err
		}
		return OrInProcess(e, b, s.engine(program)), nil
	}
	return race(VmEngine(e, b), build, patience, quiet, e.Now), nil
}

// race is an engine that begins by one engine and goes on by another when that is built. It
// begins to build after wait.
func race(
	first *Engine, build func(context.Context) (*Engine, error), wait time.Duration, quiet bool,
	now func() time.Time,
) *Engine {
	return &Engine{first.Name, func(ctx context.Context, w run.Work, events func(run.Event)) error {
		var lock sync.Mutex // of events
		event := func(v run.Event) {
			lock.Lock()
			defer lock.Unlock()
			events(v)
		}
		start := now()
		leading, leave := context.WithCancel(ctx)
		defer leave()
		next := begin(ctx, build, wait, func(err error) {
			if err != nil {
				event(run.Event{Event: "note", Text: "sampling in process, by the VM: " + err.Error()})
				return
			}
			leave()
		})
		err := first.Run(leading, w, event)
		second := next()
		if second == nil || ctx.Err() != nil || !errors.Is(err, context.Canceled) {
			return err // the run ended, or was asked to
		}
		if !quiet {
			event(run.Event{Event: "note", Text: "built the sampler in " +
				Duration(now().Sub(start).Seconds()) + ", in which the VM sampled"})
		}
		return second.Run(ctx, w, events)
	}}
}

// begin builds an engine in the background and calls told when that is done or failed. next ends
// what still builds, and returns the engine; nil where there is none.
func begin(
	ctx context.Context, build func(context.Context) (*Engine, error), wait time.Duration,
	told func(error),
) (next func() *Engine) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	var made *Engine
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		eng, err := build(ctx)
		if ctx.Err() != nil {
			return
		}
		made = eng
		told(err)
	}()
	return func() *Engine {
		cancel()
		<-done
		return made
	}
}

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

// RacingEngine returns an engine that runs by the VM first and builds the native engine meanwhile.
// When the build is done, the chains write checkpoints and continue by the native engine. Both
// engines give the same draws, to the bit, so the switch changes only the time. If the build fails,
// the VM continues and a note gives the reason. A native engine that is in the cache runs from the
// start, if Known says that it was built. The record names the engine that ended the run.
func RacingEngine(e *Session, b *Binding, quiet bool) (*Engine, error) {
	if err := b.FitsNative(); err != nil {
		return nil, err
	}
	builder, err := e.Builder()
	if err != nil {
		return nil, err
	}
	build := func(ctx context.Context) (*Engine, error) {
		s, err := e.sampler(b)
		if err != nil {
			return nil, err
		}
		program, err := s.builder.Build(ctx, s.source)
		if err != nil {
			return nil, err
		}
		return OrInProcess(e, b, s.engine(program)), nil
	}
	if builder.Known(b.Src.Text) { // else the package is not needed before the build
		s, err := e.sampler(b)
		if err != nil {
			return nil, err
		}
		if cached, wrong := builder.Verify(s.source); cached || wrong != nil { // which is said
			eng, err := NativeEngine(e, b, quiet)
			if err != nil {
				return nil, err
			}
			return OrInProcess(e, b, eng), nil
		}
	}
	if err := builder.Usable(); err != nil {
		return nil, err
	}
	return race(VmEngine(e, b), build, patience, quiet, e.Now), nil
}

// race returns an engine that starts by first, and continues by the engine of build once it is
// built. The build starts after wait, and ends when no chain has steps left.
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
		building, enough := context.WithCancel(ctx)
		defer enough()
		w.Sampled = enough // what is left takes no engine
		next := begin(building, build, wait, func(err error) {
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

// begin builds an engine in the background after wait, and calls told when the build succeeds or
// fails. next cancels an unfinished build and returns the engine, or nil if there is none.
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

package main

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/run"
)

// An engine continues a prepared run. Engines give the same draws, to the bit.
type engine struct {
	name string
	run  func(ctx context.Context, w run.Work, events func(run.Event)) error
}

// engine picks the engine. Whatever can be wrong with it is found here, before
// a run directory is made.
func (c *sampleCmd) engine(e *env, b *binding) (*engine, error) {
	if c.Engine != "vm" {
		eng, err := nativeEngine(e, b)
		if err == nil {
			return eng, nil
		}
		if c.Engine == "native" {
			return nil, err
		}
	}
	return vmEngine(e, b), nil
}

// vmEngine runs in this process.
func vmEngine(e *env, b *binding) *engine {
	return &engine{"vm", func(ctx context.Context, w run.Work, events func(run.Event)) error {
		_, err := run.Continue(ctx, b.target, w, e.now, events)
		return err
	}}
}

// nativeEngine builds the generated package and runs it in a process of its
// own.
func nativeEngine(*env, *binding) (*engine, error) {
	return nil, fail(exitFiles, "the native engine is not in this build; --engine vm samples in process")
}

// ownStatus gives an error with an exit status of its own that status.
func ownStatus(err error) error {
	var own interface {
		error
		Exit() int
	}
	if errors.As(err, &own) {
		return fail(own.Exit(), "%v", err)
	}
	return err
}

// sample runs a prepared directory under an engine, shows how far it is, and
// prints the summary.
func (c *sampleCmd) sample(e *env, eng *engine, dir string, r *run.Record) error {
	show := e.progress(c.Progress, r)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupted := false
	stop := e.interrupts(func() {
		if interrupted {
			e.quit(exitInterrupted) // the last checkpoint is good, this run's end is not written
		}
		interrupted = true
		show.interrupted()
		cancel()
	})
	err := eng.run(ctx, run.Work{Dir: dir, Version: sgppl.Version, Threads: c.Threads, ProgressEvery: show.every}, show.event)
	stop()
	show.close()
	switch {
	case errors.Is(err, context.Canceled):
		return fail(exitInterrupted, "interrupted; a checkpoint of every chain is written. Go on with: sgppl sample --resume %s", dir)
	case err != nil:
		return ownStatus(err)
	}
	s, err := readSummary(dir, nil, sampleRows)
	if err != nil {
		return err
	}
	if err := s.print(e.stdout); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	e.note("the run is in " + dir)
	return nil
}

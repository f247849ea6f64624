package main

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// engine picks the engine. Whatever can be wrong with it is found here, before
// a run directory is made. Where a native one cannot be had, auto says so and
// samples in process.
func (c *sampleCmd) engine(e *session.Session, b *session.Binding) (*session.Engine, error) {
	if c.Engine == "vm" {
		return session.VmEngine(e, b), nil
	}
	eng, err := session.NativeEngine(e, b, c.Progress == "none")
	switch {
	case err == nil && c.Engine == "auto":
		return session.OrInProcess(e, b, eng), nil
	case err == nil:
		return eng, nil
	case errors.Is(err, context.Canceled):
		return nil, session.Failf(session.ExitInterrupted,
			"interrupted while the sampler was built: nothing is written")
	case c.Engine == "native":
		return nil, session.Failf(session.ExitFiles, "%v; --engine vm samples without one", err)
	}
	e.Note("sampling in process, by the VM: %v", err)
	return session.VmEngine(e, b), nil
}

// sample runs a prepared directory under an engine, shows how far it is, and
// prints the summary.
func (c *sampleCmd) sample(
	e *session.Session, eng *session.Engine, b *session.Binding, dir string, r *run.Record,
) error {
	e.Tidy(dir)
	if err := c.work(e, eng, r,
		run.Work{Dir: dir, ID: r.ID, Version: sgppl.Version, Threads: c.Threads,
			Disk: e.Disk}); err != nil {
		return b.Ended(dir, r, err)
	}
	if r.LogLik {
		ended, err := run.Read(dir) // a run that found its settings wrote them
		if err != nil {
			return session.OwnStatus(err)
		}
		if err := b.SaveLoglik(e, dir, ended, c.Threads); err != nil {
			return err
		}
	}
	return show.Finished(e, dir)
}

// work runs a prepared directory under an engine and shows how far it is. On an
// interrupt the error is context.Canceled.
func (c *sampleCmd) work(e *session.Session, eng *session.Engine, r *run.Record, w run.Work) error {
	shown := show.NewProgress(e, c.Progress, r)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupted := false
	stop := e.Interrupts(func() {
		if interrupted {
			// the last checkpoint is good, this run's end is not written
			e.Quit(session.ExitInterrupted)
		}
		interrupted = true
		shown.Interrupted()
		cancel()
	})
	w.ProgressEvery = shown.Every
	err := eng.Run(ctx, w, shown.Event)
	stop()
	shown.Close()
	return err
}

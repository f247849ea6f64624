package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// An engine continues a prepared run. Engines give the same draws, to the bit.
type engine struct {
	name string
	run  func(ctx context.Context, w run.Work, events func(run.Event)) error
}

// engine picks the engine. Whatever can be wrong with it is found here, before
// a run directory is made. Where a native one cannot be had, auto says so and
// samples in process.
func (c *sampleCmd) engine(e *env, b *binding) (*engine, error) {
	if c.Engine == "vm" {
		return vmEngine(e, b), nil
	}
	eng, err := nativeEngine(e, b, c.Progress == "none")
	switch {
	case err == nil && c.Engine == "auto":
		return orInProcess(e, b, eng), nil
	case err == nil:
		return eng, nil
	case errors.Is(err, context.Canceled):
		return nil, fail(exitInterrupted, "interrupted while the sampler was built: nothing is written")
	case c.Engine == "native":
		return nil, fail(exitFiles, "%v; --engine vm samples without one", err)
	}
	e.note("sampling in process, by the VM: %v", err)
	return vmEngine(e, b), nil
}

// orInProcess is an engine that samples in process where another cannot be started.
func orInProcess(e *env, b *binding, eng *engine) *engine {
	return &engine{eng.name, func(ctx context.Context, w run.Work, events func(run.Event)) error {
		err := eng.run(ctx, w, events)
		var unstarted *native.StartError
		if !errors.As(err, &unstarted) {
			return err
		}
		e.note("sampling in process, by the VM: %v", err)
		return vmEngine(e, b).run(ctx, w, events)
	}}
}

// vmEngine runs in this process.
func vmEngine(e *env, b *binding) *engine {
	return &engine{"vm", func(ctx context.Context, w run.Work, events func(run.Event)) error {
		if b.rows != nil {
			b.rows.source.Keep(run.IndexPath(w.Dir))
		}
		w.Engine = "vm"
		_, err := run.Continue(ctx, b.target, w, e.now, events)
		return err
	}}
}

// builder builds generated packages into the cache.
func (e *env) builder() (*native.Builder, error) {
	cache := e.getenv("SGPPL_CACHE")
	if cache == "" {
		var err error
		if cache, err = native.DefaultCache(); err != nil {
			return nil, fmt.Errorf("there is no directory for builds: %w; set SGPPL_CACHE to one", err)
		}
	}
	return &native.Builder{Cache: cache, Env: e.environ, Wrong: func(err error) { e.note("%v", err) }}, nil
}

// nativeEngine builds the generated package and runs it in a process of its
// own. How long a build took is said unless quiet.
func nativeEngine(e *env, b *binding, quiet bool) (*engine, error) {
	if err := b.fitsNative(); err != nil {
		return nil, err
	}
	builder, err := e.builder()
	if err != nil {
		return nil, err
	}
	files, err := b.compiled.Emit("")
	if err != nil {
		return nil, err
	}
	source := native.Model(files)
	if e.engine != nil {
		source = e.engine(source)
	}
	cached, start := builder.Cached(source), e.now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := e.interrupts(func() {
		if ctx.Err() != nil {
			e.quit(exitInterrupted) // asked twice
		}
		cancel()
	})
	program, err := builder.Build(ctx, source)
	if stop(); err != nil {
		return nil, err
	}
	if !cached && !quiet {
		e.note("built the sampler in %s", duration(e.now().Sub(start).Seconds()))
	}
	return &engine{"native", func(ctx context.Context, w run.Work, events func(run.Event)) error {
		w.Engine = "native"
		work, err := json.Marshal(w)
		if err != nil {
			return err
		}
		job := host.Job{Constants: b.constants, Work: work}
		if b.rows != nil {
			job.Index = run.IndexPath(w.Dir)
		}
		if b.held != nil {
			job.Held, job.HeldConstants = b.held.bound, b.held.constants
		}
		return native.Run(ctx, program, job, b.bound, func(line []byte) {
			if v, is := eventOf(line); is {
				events(v)
			}
		})
	}}, nil
}

// eventOf reads a line that an engine writes; others than events are skipped.
func eventOf(line []byte) (v run.Event, is bool) {
	is = json.Unmarshal(line, &v) == nil
	return v, is
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
func (c *sampleCmd) sample(e *env, eng *engine, b *binding, dir string, r *run.Record) error {
	e.tidy(dir)
	if err := c.work(e, eng, r, run.Work{Dir: dir, ID: r.ID, Version: sgppl.Version, Threads: c.Threads, Disk: e.disk}); err != nil {
		return b.ended(dir, r, err)
	}
	if r.LogLik {
		ended, err := run.Read(dir) // a run that found its settings wrote them
		if err != nil {
			return ownStatus(err)
		}
		if err := b.saveLoglik(e, dir, ended, c.Threads); err != nil {
			return err
		}
	}
	return e.finished(dir)
}

// work runs a prepared directory under an engine and shows how far it is. On an
// interrupt the error is context.Canceled.
func (c *sampleCmd) work(e *env, eng *engine, r *run.Record, w run.Work) error {
	shown := e.progress(c.Progress, r)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupted := false
	stop := e.interrupts(func() {
		if interrupted {
			e.quit(exitInterrupted) // the last checkpoint is good, this run's end is not written
		}
		interrupted = true
		shown.interrupted()
		cancel()
	})
	w.ProgressEvery = shown.every
	err := eng.run(ctx, w, shown.event)
	stop()
	shown.close()
	return err
}

// ended is the error of a run that ended by err.
func (b *binding) ended(dir string, r *run.Record, err error) error {
	switch {
	case !errors.Is(err, context.Canceled):
		return b.whyNoStart(dir, ownStatus(err))
	case run.Unsettled(dir):
		return fail(exitInterrupted, "interrupted in the set-up: no draw is taken yet. Begin it once more with: sgppl %s --resume %s", command(r), dir)
	}
	return fail(exitInterrupted, "interrupted; a checkpoint of every chain is written. Go on with: sgppl %s --resume %s", command(r), dir)
}

// command is the one that made a run.
func command(r *run.Record) string {
	if r.Optimize != nil {
		return "optimize"
	}
	return "sample"
}

// finished prints what a complete run gave.
func (e *env) finished(dir string) error {
	if r, err := run.Read(dir); err == nil && r.Optimize != nil {
		if err := e.found(dir, r, view{limit: sampleRows, words: shownWords}); err != nil {
			return err
		}
		e.note("the run is in %s", dir)
		return nil
	}
	s, err := readSummary(e, dir, view{limit: sampleRows, words: shownWords})
	if err != nil {
		return fail(exitFiles, "the run in %s was whole, and cannot be read any more (has another process replaced it?): %v", dir, err)
	}
	if r, err := run.Read(dir); err == nil {
		e.tuned(r)
	}
	s.warn(e)
	if err := s.print(e.stdout); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	e.note("the run is in %s", dir)
	return nil
}

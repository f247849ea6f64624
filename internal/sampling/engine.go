package sampling

import (
	"context"
	"sync/atomic"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/live"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// sample runs a prepared directory under an engine, shows how far it is, and
// prints the summary.
func (c *Sample) sample(
	e *session.Session, eng *session.Engine, b *session.Binding, dir string, r *run.Record,
) error {
	e.Tidy(dir)
	if err := c.whole(e, eng, b, dir, r); err != nil {
		return err
	}
	if err := c.generate(e, b, dir, r); err != nil {
		return err
	}
	return show.Finished(e, dir)
}

// whole runs a prepared directory, and computes what follows its draws.
func (c *Sample) whole(
	e *session.Session, eng *session.Engine, b *session.Binding, dir string, r *run.Record,
) (err error) {
	a := c.asking(e, r)
	l := c.begins(e, b, dir, r, a)
	defer func() { c.ends(e, l, dir, err) }()
	if err := c.work(e, eng, a, l, run.Work{Dir: dir, ID: r.ID, Version: sgppl.Version,
		Threads: c.Threads, Disk: e.Disk}); err != nil {
		return b.Ended(dir, r, err)
	}
	if !r.LogLik {
		return nil
	}
	ended, err := run.Read(dir) // a run that found its settings wrote them
	if err != nil {
		return session.OwnStatus(err)
	}
	return b.SaveLoglik(e, dir, ended, c.Threads)
}

// An asking ends a run when it is asked to: by an interrupt, or by who watches the run.
type asking struct {
	shown  show.Progress
	ctx    context.Context // cancelled when the run is asked to end, and never else
	cancel context.CancelFunc
	asked  atomic.Bool
}

// asking makes what ends a run, and its display.
func (c *Sample) asking(e *session.Session, r *run.Record) *asking {
	a := &asking{shown: show.NewProgress(e, c.Progress, r)}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a
}

// ask asks the run to end; before says whether that was done before.
func (a *asking) ask() (before bool) {
	if a.asked.Swap(true) {
		return true
	}
	a.shown.Interrupted()
	a.cancel()
	return false
}

// work runs a prepared directory under an engine and shows how far it is, to l too unless it
// is nil. On an interrupt the error is context.Canceled.
func (c *Sample) work(
	e *session.Session, eng *session.Engine, a *asking, l *live.Show, w run.Work,
) error {
	stop := e.Interrupts(func() {
		if a.ask() {
			// the last checkpoint is good, this run's end is not written
			e.Quit(session.ExitInterrupted)
		}
	})
	w.ProgressEvery = a.shown.Every
	events := a.shown.Event
	if l != nil {
		w.Watch = true
		if w.ProgressEvery == 0 || w.ProgressEvery > live.Every {
			w.ProgressEvery = live.Every
			events = a.rarely()
		}
	}
	err := eng.Run(a.ctx, w, func(v run.Event) {
		if l != nil {
			l.Event(v)
		}
		v.Drawn = nil
		events(v)
	})
	stop()
	a.shown.Close()
	return err
}

// rarely shows of each chain only the events that the display asked for: the others are for
// who watches the run.
func (a *asking) rarely() func(run.Event) {
	last := map[int]float64{}
	return func(v run.Event) {
		if v.Event == "progress" && a.ctx.Err() == nil {
			if v.Seconds < last[v.Chain] { // the chain began anew
				last[v.Chain] = v.Seconds
			}
			if a.shown.Every == 0 || v.Seconds-last[v.Chain] < a.shown.Every.Seconds() {
				return
			}
			last[v.Chain] = v.Seconds
		}
		a.shown.Event(v)
	}
}

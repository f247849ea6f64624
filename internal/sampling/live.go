package sampling

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sgppl/sgppl/internal/live"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// liveFlags are the flags of the page that shows a run while it goes on.
type liveFlags struct {
	Serve live.Port `placeholder:"PORT" help:"Show the run on a page of this machine while it goes on, with a button that stops it, at an address with a token that is printed. --serve=PORT chooses the port, else one that is free is taken." group:"Output"`
	Open  bool      `help:"Show the page in the browser; --serve is implied." group:"Output"`

	page *livePage `flag:"-"`
}

// A livePage is the page of a command from its start to its end.
type livePage struct {
	server *live.Server
	stop   atomic.Pointer[func()] // of the run that goes on; nil where there is none
	opened bool                   // --open: a browser is on its way
	shown  bool                   // a run had the page, and ended it
}

// linger is how long the end of a run waits for a browser that was just started.
const linger = 10 * time.Second

// serve serves the page where it is asked for. What it returns ends the page, with the error
// of the command.
func (f *liveFlags) serve(e *session.Session, model string) (end func(err error), err error) {
	if !f.Serve.On && !f.Open {
		return func(error) {}, nil
	}
	p := &livePage{opened: f.Open}
	p.server, err = live.Serve(f.Serve.Number, func() error {
		stop := p.stop.Load()
		if stop == nil {
			return fmt.Errorf("no chain runs that could be stopped")
		}
		(*stop)()
		return nil
	})
	if err != nil {
		return nil, session.Failf(session.ExitFiles,
			"cannot serve the page of the run: %v; --serve=PORT takes another port", err)
	}
	f.page = p
	waits := live.Waiting(model)
	p.server.Send(waits)
	e.Note("the run is shown at %s", p.server.URL())
	if f.Open {
		if err := live.Open(p.server.URL(), e.Getenv); err != nil {
			e.Note("the browser does not start (%v): open the address by hand", err)
		}
	}
	return func(err error) {
		if p.shown {
			return
		}
		v := *waits
		v.State, v.Words = live.Done, "nothing was run"
		if err != nil {
			v.State, v.Words = live.Failed, err.Error()
		}
		p.server.End(nil, &v)
	}, nil
}

// begins shows a run that is prepared: on the page where there is one, and in the pulse.
// a ends it as an interrupt does.
func (f *liveFlags) begins(
	e *session.Session, b *session.Binding, dir string, r *run.Record, a *asking,
) *live.Show {
	ask := func() { a.ask() }
	numbers, of := run.Watched(b.Target.Outputs(), r.Keep)
	if r.Optimize != nil {
		numbers, of = nil, 0
	}
	o := r.Outline()
	head := live.Head{Run: dir, Model: r.Model, Method: o.String(), Stop: true, ID: r.ID}
	if r.Planning() {
		head.Method = fmt.Sprintf("sampler %s, %d chains", o.Method, o.Chains)
	}
	recorder := live.NewRecorder(head, o.Chains, numbers, of)
	if err := recorder.Stored(dir, r); err != nil {
		e.Note("the draws that are stored are not shown: %v", err)
	}
	var pulse *live.Pulse
	if e.Disk == nil {
		pulse = live.NewPulse(dir, r.ID)
	}
	var server *live.Server
	if f.page != nil {
		server = f.page.server
		f.page.stop.Store(&ask)
	}
	return live.Begin(a.ctx, recorder, server, pulse, ask)
}

// ends shows how a run ended, by err.
func (f *liveFlags) ends(e *session.Session, s *live.Show, dir string, err error) {
	ctx := context.Context(nil)
	if p := f.page; p != nil {
		p.stop.Store(nil)
		p.shown = true
		if p.opened {
			of, cancel := context.WithTimeout(context.Background(), linger)
			defer cancel()
			defer e.Interrupts(cancel)()
			ctx = of
		}
	}
	if wrong := s.End(ctx, endedAs(dir, err)); wrong != nil {
		e.Note("the run was shown no longer, by an internal error, which is a bug of sgppl: %v",
			wrong)
	}
}

// endedAs says how the run in a directory ended, by err.
func endedAs(dir string, err error) live.Ended {
	r, wrong := run.Read(dir)
	if wrong != nil {
		return live.Ended{State: live.Failed, Words: printable.Error(cmp.Or(err, wrong))}
	}
	out := live.EndedAs(dir, r)
	if err != nil && r.Status != run.Interrupted {
		out.State, out.Words = live.Failed, printable.Error(err)
	}
	return out
}

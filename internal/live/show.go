package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

const (
	// Every is the time between views, and between questions whether the run is to stop.
	Every = time.Second
	// beatEvery is how many of those there are from one pulse to the next.
	beatEvery = 2
	// unseenEvery is the same for views that no page is open for.
	unseenEvery = 5
)

// A Show takes the events of a run of this process to a page and to the pulse.
type Show struct {
	Recorder *Recorder
	server   *Server // nil without a page
	pulse    *Pulse  // nil without
	stop     func()  // asks the run to stop
	done     chan struct{}
	group    sync.WaitGroup
	heard    bool  // an event came, so the engine has the run
	wrong    error // the mistake that ended the page
	lock     sync.Mutex
}

// Begin begins to show the run whose events r takes. server and pulse may be nil; stop is
// called, once or more often, when another process asks the run to stop. ctx is cancelled when
// it is to stop, whoever asks.
func Begin(ctx context.Context, r *Recorder, server *Server, pulse *Pulse, stop func()) *Show {
	s := &Show{Recorder: r, server: server, pulse: pulse, stop: stop, done: make(chan struct{})}
	if server != nil {
		server.Send(r.View())
	}
	s.group.Go(func() { s.loop(ctx) })
	return s
}

// Event takes an event of the run.
func (s *Show) Event(v run.Event) {
	s.lock.Lock()
	s.heard = true
	s.lock.Unlock()
	s.Recorder.Event(v)
}

func (s *Show) loop(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	cancelled := ctx.Done()
	for n := 0; ; n++ {
		select {
		case <-s.done:
			return
		case <-cancelled:
			cancelled, n = nil, 0
			s.Recorder.Stopping()
		case <-tick.C:
		}
		if s.wrong = s.guarded(n); s.wrong != nil {
			return
		}
	}
}

// guarded is tick, whose mistakes must not end a run: they end the page and the pulse.
func (s *Show) guarded(n int) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%v", x)
			if s.server != nil {
				s.server.Close()
			}
		}
	}()
	s.tick(n)
	return nil
}

// tick shows what is known at second n.
func (s *Show) tick(n int) {
	s.lock.Lock()
	beats := s.heard && s.pulse != nil // before, another process may have the run
	s.lock.Unlock()
	if beats && s.pulse.Asked() {
		s.stop()
	}
	paged := s.server != nil && (s.server.Pages() > 0 || n%unseenEvery == 0)
	if beats = beats && n%beatEvery == 0; !paged && !beats {
		return
	}
	v := s.Recorder.View()
	if paged {
		s.server.Send(v)
	}
	if beats {
		s.pulse.Write(v)
	}
}

// End shows how the run ended, and ends the page; see Server.End for ctx. Its error is a mistake
// of this package that ended the page before.
func (s *Show) End(ctx context.Context, e Ended) error {
	close(s.done)
	s.group.Wait()
	if s.pulse != nil {
		s.lock.Lock()
		heard := s.heard
		s.lock.Unlock()
		if heard {
			s.pulse.Remove()
		}
	}
	if s.server != nil && s.wrong == nil {
		s.server.End(ctx, s.Recorder.End(e))
	}
	return s.wrong
}

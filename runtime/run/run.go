package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
	"github.com/sgppl/sgppl/runtime/trace"
)

// Work is what a process is to do with a prepared directory: the part of a
// run that its draws do not depend on. It is the work of a host.Job.
type Work struct {
	Dir           string        `json:"dir"`
	ID            string        `json:"id"`      // of the run that is meant, see Record; "": whichever is there
	Version       string        `json:"version"` // of the program, which must be the run's
	Threads       int           `json:"threads"` // chains at once; 0: all processors
	ProgressEvery time.Duration `json:"progress_every"`
}

// Child does the work of a job and writes events as lines of JSON: the
// function of package host. It may outlive the reader of its events, since
// what is left then are the checkpoints: a broken pipe must not end it first.
func Child(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error {
	var w Work
	if err := json.Unmarshal(work, &w); err != nil {
		return fail(exitFiles, "job: %v", err)
	}
	stayAlive()
	_, err := Continue(ctx, m, w, time.Now, func(e Event) { WriteEvent(events, e) })
	return err
}

// Execute prepares a directory and runs.
func Execute(ctx context.Context, t target.Target, w Work, r *Record, text string, force bool, now func() time.Time, events func(Event)) (*Record, error) {
	if err := Prepare(w.Dir, r, text, force, now()); err != nil {
		return nil, err
	}
	w.ID = r.ID
	return Continue(ctx, t, w, now, events)
}

// Continue samples until the run in a prepared directory is complete: chains
// with a checkpoint go on from it, bit for bit as if they had never stopped.
// events, which may be nil, is called by one goroutine at a time. The record
// comes back as it was written, with an error too if it was begun. On
// cancellation of ctx every chain leaves a checkpoint and the error is that of
// ctx; others are of type *Error.
func Continue(ctx context.Context, t target.Target, w Work, now func() time.Time, events func(Event)) (*Record, error) {
	if _, err := Read(w.Dir); err != nil { // no lock on what is no run
		return nil, lost(w, err)
	}
	unlock, err := lock(w.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := Read(w.Dir)
	if err != nil {
		return nil, lost(w, err)
	}
	if w.ID != "" && r.ID != w.ID {
		return nil, lost(w, nil)
	}
	if r.Version != w.Version {
		return nil, fail(exitUsage, "%s was begun by sgppl %s, this is %s: draws may differ between versions; use that version, or start a new run", w.Dir, r.Version, w.Version)
	}
	if r.Status == Done {
		return r, nil
	}
	if r.Status == Failed && r.Exit == exitRun {
		return nil, fail(exitUsage, "the run in %s failed and would fail again at the same step: %s", w.Dir, r.Error)
	}
	s, resume, err := open(w.Dir, t, r, now())
	if err != nil {
		return nil, err
	}
	s.events = events
	if r.Status != Running { // as a fresh run's record says already
		r.Status, r.Error, r.Exit, r.Finished = Running, "", 0, ""
		if err := r.write(w.Dir); err != nil {
			return nil, err
		}
	}
	began, before := now(), r.Seconds
	chains, err := sampler.Run(ctx, t, r.Settings, s, sampler.RunOptions{
		Threads: w.Threads, Now: clock(now), Resume: resume, ProgressEvery: w.ProgressEvery,
		CheckpointEvery: time.Duration(r.CheckpointEvery * float64(time.Second)),
	})
	err = s.close(err)
	r.Seconds = before + now().Sub(began).Seconds()
	return r, s.finish(chains, err, now())
}

// lost says that the run which this process prepared is gone; of a run that
// it did not prepare the error stands.
func lost(w Work, err error) error {
	if w.ID == "" {
		return err
	}
	return fail(exitFiles, "the run in %s was replaced by another process before this one began", w.Dir)
}

// clock lets several chains read one clock.
func clock(now func() time.Time) func() time.Time {
	var l sync.Mutex
	return func() time.Time {
		l.Lock()
		defer l.Unlock()
		return now()
	}
}

// open makes the stores, or opens them and puts every chain at its checkpoint.
func open(dir string, t target.Target, r *Record, now time.Time) (*sink, [][]byte, error) {
	s := &sink{dir: dir, cfg: &r.Settings, outputs: kept(t.Outputs(), r.Keep), stats: statColumns(&r.Settings, r.Blocks), record: r}
	points, resume, fresh := make([]checkpoint, r.Settings.Chains), make([][]byte, r.Settings.Chains), true
	for k := range points {
		var err error
		if points[k], err = readCheckpoint(dir, k); err != nil {
			return nil, nil, err
		}
		resume[k] = points[k].state
		if resume[k] != nil { // before a store is rewound to what it says
			if _, err := sampler.ResumeChain(t, r.Settings, k, resume[k]); err != nil {
				return nil, nil, classify(fmt.Errorf("%s: %w", trace.CheckpointPath(dir, k), err))
			}
		}
		fresh = fresh && resume[k] == nil
		s.seconds = append(s.seconds, r.Chains[k].Seconds)
	}
	c := &r.Settings
	draws, err := s.store(filepath.Join(dir, drawsName), int(c.Draws), fresh)
	if err != nil {
		return nil, nil, err
	}
	var warmup *trace.Store
	if c.SaveWarmup {
		if warmup, err = s.store(filepath.Join(dir, warmupName), int(c.Warmup/c.Thin), fresh); err != nil {
			return nil, nil, err
		}
	}
	for k, p := range points {
		cs := &chainSink{}
		if cs.draws, err = draws.Appender(k, p.draws); err != nil {
			return nil, nil, disk(err)
		}
		if warmup != nil {
			if cs.warmup, err = warmup.Appender(k, p.warmup); err != nil {
				return nil, nil, disk(err)
			}
		}
		s.chains = append(s.chains, cs)
	}
	s.stores = []*trace.Store{draws}
	if warmup != nil {
		s.stores = append(s.stores, warmup)
	}
	if !fresh {
		logLine(dir, now, "resumed")
	}
	return s, resume, nil
}

// store opens a store, or makes it anew: without a checkpoint, what a process
// left that was killed is worth nothing.
func (s *sink) store(dir string, draws int, fresh bool) (*trace.Store, error) {
	if !fresh {
		st, err := trace.Open(dir)
		if err != nil {
			return nil, disk(err)
		}
		return st, disk(st.Resize(draws))
	}
	if err := discard(dir); err != nil {
		return nil, disk(err)
	}
	// No time of creation: the same run is the same bytes. run.json has the times.
	st, err := trace.Create(dir, s.variables(), s.cfg.Chains, draws, s.record.Chunk, map[string]any{
		"creation_library_version":  s.record.Version,
		"inference_library_version": s.record.Version, "model": s.record.Model, "sampler": s.cfg.Sampler,
	})
	return st, disk(err)
}

// close flushes what the chains have and cuts the stores to it. The error of
// the run goes before one of closing.
func (s *sink) close(err error) error {
	keep := func(e error) {
		if err == nil && e != nil {
			err = disk(e)
		}
	}
	for _, c := range s.chains {
		keep(c.draws.Close())
		if c.warmup != nil {
			keep(c.warmup.Close())
		}
	}
	for _, st := range s.stores {
		keep(st.Close())
	}
	return err
}

// finish writes how the run ended and returns its error.
func (s *sink) finish(chains []*sampler.Chain, err error, now time.Time) error {
	r := s.record
	r.Finished = now.Format(time.RFC3339)
	for _, c := range chains {
		if c == nil {
			return s.end(Failed, classify(err), now)
		}
		n := c.Number()
		r.Chains[n].Steps, r.Chains[n].Draws = c.Steps(), c.Draws()
	}
	r.Health = healthOf(sampler.Health(chains...))
	switch {
	case err == nil:
		return s.end(Done, nil, now)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return s.end(Interrupted, err, now)
	}
	return s.end(Failed, classify(err), now)
}

func (s *sink) end(status Status, err error, now time.Time) error {
	r := s.record
	r.Status = status
	line := string(status)
	var own *Error
	if errors.As(err, &own) {
		r.Error, r.Exit = own.Message, own.Code
		line += ": " + own.Message
	}
	for _, h := range r.Health {
		line += "\n" + h.String()
	}
	logLine(s.dir, now, "%s", line)
	if e := r.write(s.dir); err == nil {
		return e
	}
	return err
}

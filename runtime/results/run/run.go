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

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Work is what a process needs, besides the prepared directory, to do a run: settings that the
// draws do not depend on. It is the work of a host.Job.
type Work struct {
	Dir string `json:"dir"`
	// of the run that is meant, see Record; "": whichever is there
	ID            string        `json:"id"`
	Version       string        `json:"version"` // of the program, which must be the run's
	Threads       int           `json:"threads"` // chains at once; 0: all processors
	ProgressEvery time.Duration `json:"progress_every"`
	// events tell draws of the numbers that Watched returns
	Watch bool `json:"watch,omitempty"`
	// find how the run is sampled, and end there
	Dry bool `json:"dry,omitempty"`
	// Only are the numbers of the chains that run; nil: all. The record says then that the
	// run is interrupted, and Continue without Only ends it.
	Only []int `json:"only,omitempty"`
	// the chains of Only tell of each checkpoint by an event, and wait until the parent of this
	// process has written a line: of one chain, the directory stays as it is meanwhile
	Holds bool `json:"holds,omitempty"`
	// what runs it, for the record; "": what the record says
	Engine string `json:"engine,omitempty"`

	Disk files.FS `json:"-"` // what the directory is on; nil: the operating system's
}

// Child does the work of a job and writes events as lines of JSON: the
// function of package host. It may outlive the reader of its events, since
// what is left then are the checkpoints: a broken pipe must not end it first.
func Child(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error {
	return ChildOn(ctx, files.OS, m, work, events)
}

// ChildOn is Child on another file system than the operating system's.
func ChildOn(
	ctx context.Context, on files.FS, m *model.Model, work json.RawMessage, events io.Writer,
) error {
	w := Work{Disk: on}
	if err := json.Unmarshal(work, &w); err != nil {
		return fail(exitFiles, "job: %v", err)
	}
	system.StayAlive()
	say := func(e Event) { WriteEvent(events, e) }
	if parent, can := events.(interface{ Wait() }); can && w.Holds {
		h := &holding{FS: files.Or(on), dir: w.Dir, only: w.Only, events: events, wait: parent.Wait}
		say, w.Disk = h.say, h
	}
	_, err := Continue(ctx, m, w, time.Now, say)
	return err
}

// Execute prepares a directory and runs.
func Execute(
	ctx context.Context, t target.Target, w Work, r *Record, text string, force bool,
	now func() time.Time, events func(Event),
) (*Record, error) {
	if err := PrepareOn(files.Or(w.Disk), w.Dir, r, text, force, now()); err != nil {
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
func Continue(
	ctx context.Context, t target.Target, w Work, now func() time.Time, events func(Event),
) (*Record, error) {
	on := files.Or(w.Disk)
	if _, err := ReadOn(on, w.Dir); err != nil { // so that only a run is locked
		return nil, lost(w, err)
	}
	unlock, err := Lock(w.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := reopen(on, w)
	if err != nil {
		return nil, err
	}
	if r.Status == Done {
		return r, nil
	}
	if !r.Resumable() {
		return nil, fail(exitUsage,
			"the run in %s failed and would fail again at the same step: %s", w.Dir, r.Error)
	}
	if r.Settings.Follow {
		r.Settings.FirstRows = r.Dims[t.RowAxis()]
	}
	if err := r.apart(w.Only); err != nil {
		return nil, err
	}
	began, before := now(), r.Seconds
	planning := r.Planning()
	var s stage
	if !planning {
		if s, err = begin(on, w, t, r, began, until(r, began, before)); err != nil {
			return nil, err
		}
		s.listen(events, w.Watch)
	}
	if err := r.goesOn(on, w); err != nil {
		return nil, err
	}
	say := func(e Event) {
		if events != nil {
			events(e)
		}
	}
	if planning {
		if err := plan(ctx, on, w, t, r, now, say); err != nil {
			r.Seconds, r.Finished = before+now().Sub(began).Seconds(), now().Format(time.RFC3339)
			return r, r.ended(on, w.Dir, err, now())
		}
	}
	for first := true; ; first = false {
		if planning || !first { // else it goes on as it was begun
			for _, line := range r.Words(t.RowAxis()) {
				logLine(on, w.Dir, now(), "%s", line)
				say(Event{Event: "note", Text: line})
			}
			if w.Dry {
				return r, nil
			}
			if s, err = begin(on, w, t, r, now(), until(r, began, before)); err != nil {
				return r, r.ended(on, w.Dir, err, now())
			}
			s.listen(events, w.Watch)
		}
		err = s.close(s.run(ctx, t, loop.Options{
			Threads: w.Threads, Now: clock(now), ProgressEvery: w.ProgressEvery,
			CheckpointEvery: time.Duration(r.CheckpointEvery * float64(time.Second)), Only: w.Only,
		}))
		r.Seconds = before + now().Sub(began).Seconds()
		if !r.Anchored() {
			return r, s.finish(err, now())
		}
		anew, e := again(on, w.Dir, t, r, err)
		if !anew {
			return r, s.finish(e, now())
		}
		say(Event{Event: "note", Text: s.(*rounds).why(err) + ": " + r.nextAttempt()})
	}
}

// reopen reads the record of a prepared directory, whose lock is held, and puts away what
// processes that died have left.
func reopen(on files.FS, w Work) (*Record, error) {
	r, err := ReadOn(on, w.Dir)
	if err != nil {
		return nil, lost(w, err)
	}
	if w.ID != "" && r.ID != w.ID {
		return nil, lost(w, nil)
	}
	if err := noLinks(on, w.Dir); err != nil {
		return nil, err
	}
	if _, err := on.Lstat(filepath.Join(w.Dir, preparing)); err == nil {
		// the process that prepared the run died behind its record
		if err := unmark(on, w.Dir); err != nil {
			return nil, disk(err)
		}
	}
	tidy(on, w.Dir)
	if r.Version != w.Version {
		return nil, fail(exitUsage,
			"%s was begun by sgppl %s, this is %s: draws may differ between versions; use that "+
				"version, or start a new run", w.Dir, r.Version, w.Version)
	}
	return r, nil
}

// goesOn has the record say that the run is running, and by which engine.
func (r *Record) goesOn(on files.FS, w Work) error {
	other := w.Engine != "" && w.Engine != r.Engine // one was chosen, and another took its place
	if other {
		r.Engine = w.Engine
	}
	if r.Status != Running || other { // else the record of a fresh run says it already
		r.Status, r.Error, r.Exit, r.Finished = Running, "", 0, ""
		if err := r.write(on, w.Dir); err != nil {
			return err
		}
	}
	return nil
}

// nextAttempt says what comes after draws that are dropped.
func (r *Record) nextAttempt() string {
	if r.Anchored() {
		return "the draws so far are dropped, and the run begins once more with less noise and a " +
			"smaller step"
	}
	return "the draws so far are dropped, and the run goes on by full passes"
}

// until is when the time that a run may take is over: before seconds of it were taken
// before this process began. It is zero where there is no limit.
func until(r *Record, began time.Time, before float64) time.Time {
	if r.Settings.TimeLimit <= 0 {
		return time.Time{}
	}
	return began.Add(time.Duration((r.Settings.TimeLimit - before) * float64(time.Second)))
}

// A stage is what runs, with the stores it writes: a sampler or an optimiser.
type stage interface {
	// listen has events called; watch says that they tell draws too.
	listen(events func(Event), watch bool)
	// run goes on from the checkpoints until all chains are complete.
	run(ctx context.Context, t target.Target, o loop.Options) error
	// close flushes the stores. The error of the run goes before one of closing.
	close(err error) error
	// finish writes how the run ended and returns its error.
	finish(err error, now time.Time) error
}

func begin(
	on files.FS, w Work, t target.Target, r *Record, now, until time.Time,
) (stage, error) {
	dir := w.Dir
	if r.Optimize != nil {
		return openPoints(on, dir, t, r, now)
	}
	if r.Anchored() {
		return openRounds(on, dir, t, r, now, until)
	}
	if r.Surrogate != nil {
		return openSurrogates(on, dir, t, r, now)
	}
	if r.Approximate != nil {
		return openApproximation(on, dir, t, r, now)
	}
	if r.Whitened() {
		return openWhitened(on, dir, t, r, now)
	}
	return open(on, w, t, r, now)
}

func (s *sink) listen(events func(Event), watch bool) {
	if s.events = events; !watch || events == nil {
		return
	}
	numbers, _ := Watched(s.outputs, nil)
	for _, c := range s.chains {
		if c != nil {
			c.window = newWindow(numbers)
		}
	}
}

func (s *sink) run(ctx context.Context, t target.Target, o loop.Options) (err error) {
	o.Resume = s.resume
	s.ran, err = sampler.Run(ctx, t, *s.cfg, s, o)
	return err
}

// lost says that the run which this process prepared is gone; of a run that
// it did not prepare the error stands.
func lost(w Work, err error) error {
	if w.ID == "" {
		return err
	}
	return fail(exitFiles, "the run in %s was replaced by another process before this one began",
		w.Dir)
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
func open(on files.FS, w Work, t target.Target, r *Record, now time.Time) (*sink, error) {
	return openFrom(on, w.Dir, t, r, now, w.Only, func(k int, state []byte) error {
		_, err := sampler.ResumeChain(t, r.Settings, k, state)
		return err
	})
}

// openFrom is open with what says why a chain cannot go on from its checkpoint. The chains
// that only leaves out are nil in the sink.
func openFrom(
	on files.FS, dir string, t target.Target, r *Record, now time.Time, only []int,
	resumes func(chain int, state []byte) error,
) (*sink, error) {
	s := &sink{on: on, dir: dir, only: only, cfg: &r.Settings, outputs: kept(t.Outputs(), r.Keep),
		stats: statColumns(&r.Settings, r.Blocks), record: r}
	var err error
	if s.rows, err = heldOut(t, r); err != nil {
		return nil, err
	}
	if s.rows != nil {
		s.series = Series{Rows: s.rows.Model.Rows(), Every: r.HeldOut.Every,
			Chains: make([]ChainSeries, r.Settings.Chains)}
		for k := range s.series.Chains { // never null in JSON
			s.series.Chains[k] = ChainSeries{Draws: []int64{}, LPDMean: []Float{},
				DrawLPDMean: []Float{}}
		}
	}
	points, fresh := make([]checkpoint, r.Settings.Chains), true
	s.resume = make([][]byte, r.Settings.Chains)
	for k := range points {
		if points[k], err = readCheckpoint(on, dir, k); err != nil {
			return nil, err
		}
		s.resume[k] = points[k].state
		if s.resume[k] != nil { // before a store is rewound to what it says
			if err := resumes(k, s.resume[k]); err != nil {
				return nil, classify(fmt.Errorf("%s: %w", trace.CheckpointPath(dir, k), err))
			}
		}
		fresh = fresh && s.resume[k] == nil
		s.seconds = append(s.seconds, r.Chains[k].Seconds)
	}
	c := &r.Settings
	draws, err := s.store(filepath.Join(dir, drawsName), int(s.length()), fresh)
	if err != nil {
		return nil, err
	}
	var warmup *trace.Store
	if c.SaveWarmup {
		if warmup, err = s.store(filepath.Join(dir, warmupName), int(c.Warmup/c.Thin),
			fresh); err != nil {
			return nil, err
		}
	}
	for k, p := range points {
		if !loop.Takes(only, k) {
			s.chains = append(s.chains, nil)
			continue
		}
		cs := &chainSink{}
		if r.KeepLast > 0 {
			cs.draws, err = draws.LastAppender(k, p.draws, int(c.Draws))
		} else {
			cs.draws, err = draws.Appender(k, p.draws)
		}
		if err != nil {
			return nil, disk(err)
		}
		if warmup != nil {
			if cs.warmup, err = warmup.Appender(k, p.warmup); err != nil {
				return nil, disk(err)
			}
		}
		if err := s.extras(cs, k, p); err != nil {
			return nil, err
		}
		s.chains = append(s.chains, cs)
	}
	s.stores = []*trace.Store{draws}
	for k, cs := range s.chains {
		if cs == nil {
			continue
		}
		// a chain that has not begun, or is complete, has something to read too
		if cs.moments != nil {
			if err := cs.moments.write(draws, k); err != nil {
				return nil, disk(err)
			}
		}
		if cs.running != nil {
			if err := s.writeHeldOut(k); err != nil {
				return nil, err
			}
		}
	}
	if warmup != nil {
		s.stores = append(s.stores, warmup)
	}
	if !fresh {
		logLine(on, dir, now, "resumed")
	}
	return s, nil
}

// store opens a store of the run, or makes it.
func (s *sink) store(dir string, draws int, fresh bool) (*trace.Store, error) {
	return openStore(s.on, dir, s.record, s.variables(), draws, fresh)
}

// openStore opens a store, or makes it anew: without a checkpoint, what a
// process left that was killed is worth nothing.
func openStore(
	on files.FS, dir string, r *Record, vars []trace.Variable, draws int, fresh bool,
) (*trace.Store, error) {
	if !fresh {
		st, err := trace.OpenOn(on, dir)
		if err != nil {
			return nil, disk(err)
		}
		if err := r.owns(dir, st); err != nil {
			return nil, err
		}
		for _, group := range afterGroups { // of fewer draws, where more were asked for
			if err := st.Remove(group); err != nil {
				return nil, disk(err)
			}
		}
		return st, disk(st.Resize(draws))
	}
	if err := discard(on, dir); err != nil {
		return nil, disk(err)
	}
	names, err := Labels(filepath.Dir(dir), r)
	if err != nil {
		return nil, err
	}
	for i := range vars {
		vars[i].Label(names)
	}
	// No time of creation: the same run is the same bytes. run.json has the times.
	attrs := map[string]any{
		"creation_library_version":  r.Version,
		"inference_library_version": r.Version, "model": r.Model, "sampler": r.Outline().Method,
		runAttr: r.drawsOf(),
	}
	if r.Exactness != nil { // that of a surrogate is known when it has draws
		attrs[exactnessAttr] = r.Exactness.String()
	}
	o, chunk := r.Outline(), r.Chunk
	if r.KeepLast > 0 { // files are written over, those of a draw together
		chunk = trace.Chunk(vars, draws, chunk)
	}
	st, err := trace.CreateOn(on, dir, vars, o.Chains, draws, chunk, attrs)
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
		if c == nil {
			continue
		}
		keep(c.draws.Close())
		if c.warmup != nil {
			keep(c.warmup.Close())
		}
	}
	keep(closeStores(s.stores, err == nil))
	return err
}

// closeStores cuts the stores of a run to what every chain has. Those of a run
// that is complete are durable then, before the record says that it is.
func closeStores(stores []*trace.Store, complete bool) error {
	var err error
	for _, st := range stores {
		e := st.Close()
		if e == nil && complete {
			e = st.Sync()
		}
		if err == nil {
			err = e
		}
	}
	return err
}

// finish writes how the run ended and returns its error.
func (s *sink) finish(err error, now time.Time) error {
	r, chains := s.record, s.ran
	r.Finished = now.Format(time.RFC3339)
	for k, c := range chains {
		if c == nil && !loop.Takes(s.only, k) {
			continue
		}
		if c == nil {
			return s.end(Failed, classify(err), now)
		}
		n := c.Number()
		r.Chains[n].Steps, r.Chains[n].Draws, r.Chains[n].Tuned = c.Steps(), c.Draws(), c.Tuned()
		r.Chains[n].Adapted = c.Adapted()
	}
	if len(s.only) > 0 { // how well chains mix is said when all are there
		if err == nil {
			return s.end(Interrupted, nil, now)
		}
		return s.ended(err, now)
	}
	r.Health = healthOf(sampler.Health(chains...))
	if e := s.scoreHeldOut(); err == nil {
		err = e
	}
	if err == nil { // of an unfinished run `summary` computes them
		rows, looked, all, e := Convergence(s.dir, r)
		if r.Health, err = append(r.Health, rows...), e; looked < all {
			r.Judged = looked
		}
	}
	return s.ended(err, now)
}

// ended writes that the run ended by err, which may be nil, and returns it.
func (s *sink) ended(err error, now time.Time) error {
	return s.record.ended(s.on, s.dir, err, now)
}

func (r *Record) ended(on files.FS, dir string, err error, now time.Time) error {
	switch {
	case err == nil:
		return r.end(on, dir, Done, nil, now)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return r.end(on, dir, Interrupted, err, now)
	}
	return r.end(on, dir, Failed, classify(err), now)
}

func (s *sink) end(status Status, err error, now time.Time) error {
	return s.record.end(s.on, s.dir, status, err, now)
}

// end writes how a run ended and returns its error.
func (r *Record) end(on files.FS, dir string, status Status, err error, now time.Time) error {
	r.Status = status
	line := string(status)
	var own *Error
	if errors.As(err, &own) {
		r.Error, r.Exit = own.Message, own.Code
		line += ": " + own.Message
	}
	var start *sampler.InitError
	if errors.As(err, &start) {
		r.NoStart = &start.Chain
	}
	for _, h := range r.Health {
		line += "\n" + h.String()
	}
	logLine(on, dir, now, "%s", line)
	if e := r.write(on, dir); err == nil {
		return e
	}
	return err
}

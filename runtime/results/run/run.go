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

// Work describes what a process does with a prepared run directory. The draws do not depend on it.
// It is the work of a host.Job.
type Work struct {
	Dir string `json:"dir"`
	// ID of the expected run, see Record; "": any run
	ID            string        `json:"id"`
	Version       string        `json:"version"` // of the program, which must be the run's
	Threads       int           `json:"threads"` // chains at once; 0: all processors
	ProgressEvery time.Duration `json:"progress_every"`
	// Watch adds draws of the numbers that Watched returns to events
	Watch bool `json:"watch,omitempty"`
	// Dry ends the run after its plan is made
	Dry bool `json:"dry,omitempty"`
	// Only has the numbers of the chains to run; nil: all. The record then has the status Interrupted,
	// and a later Continue without Only completes the run.
	Only []int `json:"only,omitempty"`
	// Holds makes the chains of Only write an event at each checkpoint and wait until the parent
	// process has written a line. With one chain, the directory does not change meanwhile
	Holds bool `json:"holds,omitempty"`
	// name of the engine, for the record; "": the name in the record
	Engine string `json:"engine,omitempty"`

	Disk files.FS `json:"-"` // file system of the directory; nil: the operating system's
	// Sampled, unless it is nil, is called when all chains are complete. What follows takes no steps
	Sampled func() `json:"-"`
}

// Child does the work of a job in a child process and writes events as lines of JSON. Package host
// calls it. A closed pipe of events does not end it, so that it can still write its checkpoints.
func Child(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error {
	return ChildOn(ctx, files.OS, m, work, events)
}

// ChildOn is Child on the file system on.
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

// Execute prepares a run directory and runs it.
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

// Continue runs the chains of a prepared directory until they are complete. Chains with a
// checkpoint continue from it, and their draws are the same bits as without the interruption.
// events, which may be nil, is called by one goroutine at a time. If the run was begun, Continue
// returns its record as it was written, with an error too. If ctx is cancelled, every chain writes
// a checkpoint and the error is that of ctx; other errors are of type *Error.
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
		err = s.run(ctx, t, loop.Options{
			Threads: w.Threads, Now: clock(now), ProgressEvery: w.ProgressEvery,
			CheckpointEvery: time.Duration(r.CheckpointEvery * float64(time.Second)), Only: w.Only,
		})
		if err == nil && w.Sampled != nil && !r.Anchored() { // such a run may begin again
			w.Sampled()
		}
		err = s.close(err)
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

// reopen reads the record of a prepared directory and removes the unfinished files of killed
// processes. The caller holds the lock of the directory.
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

// goesOn writes into the record that the run is running, and by which engine.
func (r *Record) goesOn(on files.FS, w Work) error {
	other := w.Engine != "" && w.Engine != r.Engine // the run continues by another engine
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

// nextAttempt describes in words how the run continues after its draws were dropped.
func (r *Record) nextAttempt() string {
	if r.Anchored() {
		return "the draws so far are dropped, and the run begins once more with less noise and a " +
			"smaller step"
	}
	return "the draws so far are dropped, and the run goes on by full passes"
}

// until returns the time at which the time limit of a run is reached, or zero if it has no limit.
// before is the number of seconds that earlier processes spent.
func until(r *Record, began time.Time, before float64) time.Time {
	if r.Settings.TimeLimit <= 0 {
		return time.Time{}
	}
	return began.Add(time.Duration((r.Settings.TimeLimit - before) * float64(time.Second)))
}

// A stage runs the chains of a run and writes their stores. Each kind of run has its own: of
// samplers, optimisers, surrogates and so on.
type stage interface {
	// listen sets the function that is called with each event. watch adds draws to the events.
	listen(events func(Event), watch bool)
	// run continues from the checkpoints until all chains are complete.
	run(ctx context.Context, t target.Target, o loop.Options) error
	// close flushes the stores. It returns err, the error of run, if that is not nil, and else its
	// own.
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

// lost returns the error for a run that another process replaced after this process prepared it. If
// this process did not prepare the run (Work.ID is empty), it returns err.
func lost(w Work, err error) error {
	if w.ID == "" {
		return err
	}
	return fail(exitFiles, "the run in %s was replaced by another process before this one began",
		w.Dir)
}

// clock returns a function that calls now and is safe for concurrent use.
func clock(now func() time.Time) func() time.Time {
	var l sync.Mutex
	return func() time.Time {
		l.Lock()
		defer l.Unlock()
		return now()
	}
}

// open makes the stores, or opens them and restores every chain from its checkpoint.
func open(on files.FS, w Work, t target.Target, r *Record, now time.Time) (*sink, error) {
	s, err := openFrom(on, w.Dir, t, r, now, w.Only, func(k int, state []byte) error {
		_, err := sampler.ResumeChain(t, r.Settings, k, state)
		return err
	})
	if err == nil { // others are not complete when all their chains have ended, or write more
		s.once = len(w.Only) == 0 && s.rows == nil && !r.KeepMoments
	}
	return s, err
}

// openFrom is open with a function resumes, which returns an error if a chain cannot continue from
// the state of its checkpoint. Chains that only excludes are nil in the sink.
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
		if s.resume[k] != nil { // checked before a store is rewound to it
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

// openStore opens a store and sets its number of draws. If fresh is true, which means that there
// are no checkpoints, it makes a new store and discards an old one.
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

// close flushes the appenders of all chains and closes the stores. It returns err if that is not
// nil, and else the first error of closing.
func (s *sink) close(err error) error {
	if err == nil && s.once {
		if err = s.settle(); err == nil {
			return nil
		}
	}
	keep := func(e error) {
		if err == nil && e != nil {
			err = disk(e)
		}
	}
	if err == nil {
		keep(s.commit())
	}
	keep(s.commitEach()) // of chains that ended while others failed
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

// closeStores cuts the stores of a run to the draws that their chains have (see trace.Store.Close).
// If the run is complete, it also makes the stores durable, before the record says that the run is
// done.
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
	// what follows reads the files
	s.ran, s.chains, s.resume = nil, nil, nil
	if err == nil { // of an unfinished run `summary` computes them
		rows, looked, all, e := Convergence(s.dir, r)
		if err = s.settled(); err != nil {
			return s.ended(err, now)
		}
		if r.Health, err = append(r.Health, rows...), e; looked < all {
			r.Judged = looked
		}
	}
	return s.ended(err, now)
}

// ended writes the status of a run that ended with err, which may be nil, and returns the error.
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

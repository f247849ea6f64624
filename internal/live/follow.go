package live

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const (
	// silence is how long a pulse may stay the same before its process is looked for.
	silence = 6 * time.Second
	// answerTime is how long a process may take to hear that it is to stop.
	answerTime = 15 * time.Second
	// readShare is the share of the time that reading the store again may take.
	readShare = 0.05
)

// A Follower makes views of the run in a directory, which another process may be writing. It
// writes nothing but the wish to stop.
type Follower struct {
	dir  string
	host string
	now  func() time.Time

	number  int64 // of the newest beat
	process int   // that wrote it
	changed time.Time
	alive   bool      // the beat changed while this one looked
	asked   time.Time // when the run was asked to stop; zero: it was not, or has answered
	stored  *View     // of what is stored
	of      string    // what the run was like then
	next    time.Time // when it may be read again
}

// Follow follows the run in a directory.
func Follow(dir string) (*Follower, error) {
	if _, err := run.Read(dir); err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return &Follower{dir: dir, host: host, now: time.Now}, nil
}

// Ask asks the process of the run to stop.
func (f *Follower) Ask() error {
	r, err := run.Read(f.dir)
	if err != nil {
		return err
	}
	if r.Status != run.Running {
		return errors.New("the run has ended")
	}
	if err := Ask(f.dir, r.ID); err != nil {
		return fmt.Errorf("the wish cannot be written: %w", err)
	}
	f.asked = f.now()
	return nil
}

// View is what is known now.
func (f *Follower) View() (*View, error) {
	r, err := run.Read(f.dir)
	if err != nil {
		return nil, err
	}
	if r.Status != run.Running {
		f.asked, f.alive = time.Time{}, false
		return f.ended(r)
	}
	b, err := readBeat(f.dir, r.ID)
	if err != nil {
		return f.withoutBeat(r)
	}
	if b.Number != f.number || b.Process != f.process {
		f.alive = f.number != 0
		f.number, f.process, f.changed = b.Number, b.Process, f.now()
	}
	quiet := f.now().Sub(f.changed)
	if !f.alive || quiet > silence {
		switch f.lock() {
		case free:
			return f.killed(r)
		case unknown:
			if quiet > silence {
				return f.silent(r, b, quiet)
			}
		}
	}
	v := *b.View
	v.Run = f.dir
	if quiet > silence {
		v.Notes = append(slices.Clone(v.Notes), fmt.Sprintf("Its process, %d, is there, and has "+
			"said nothing for %s.", b.Process, session.Duration(quiet.Seconds())))
	}
	f.answer(&v)
	return &v, nil
}

// answer says what became of the wish to stop.
func (f *Follower) answer(v *View) {
	switch waits := f.now().Sub(f.asked); {
	case f.asked.IsZero() || v.State == Stopping:
	case waits < answerTime:
		v.State, v.Stop, v.Words = Stopping, false, "asked to stop: its process looks each second"
	default:
		v.Notes = append(slices.Clone(v.Notes), fmt.Sprintf("The process has not answered the "+
			"wish to stop for %s.", session.Duration(waits.Seconds())))
	}
}

// Whether somebody has the lock of a run.
const (
	free = iota
	taken
	unknown
)

// lock reports whether a process writes the run, where the system can tell.
func (f *Follower) lock() int {
	unlock, err := system.TryLock(f.dir)
	switch {
	case errors.Is(err, system.ErrLocked):
		return taken
	case err != nil || !system.Locks:
		return unknown
	}
	unlock()
	if b, err := os.ReadFile(run.PulseFile(f.dir)); err == nil && f.elsewhere(b) {
		return unknown // its lock is not seen here
	}
	return free
}

// elsewhere reports whether a beat is of a process on another machine.
func (f *Follower) elsewhere(b []byte) bool {
	p, err := parseBeat(b)
	return err == nil && p.Host != f.host
}

// withoutBeat is the view of a run that goes on, or did, and tells nothing but what it stores.
func (f *Follower) withoutBeat(r *run.Record) (*View, error) {
	if f.lock() == free {
		return f.killed(r)
	}
	v, err := f.read(r)
	if err != nil {
		return nil, err
	}
	v.State = Running
	v.Words = "its process tells nothing: this is what it has stored so far"
	return v, nil
}

// killed is the view of a run whose process is gone.
func (f *Follower) killed(r *run.Record) (*View, error) {
	v, err := f.read(r)
	if err != nil {
		return nil, err
	}
	f.asked = time.Time{}
	v.State = Killed
	if b, err := readBeat(f.dir, r.ID); err == nil {
		v.lastWords(b.View)
	} else if r.Optimize == nil {
		v.From += "; what the dynamics of the chains were like is not stored"
	}
	v.Words = "its process is gone, and did not say how the run ended: this is what it has stored"
	v.Resume = session.ResumeCommand(f.dir, r)
	return v, nil
}

// lastWords adds to the view of a run that was killed what its process said last of the dynamics,
// which is not stored: draws whose chains agree may be off for all that.
func (v *View) lastWords(said *View) {
	for _, h := range said.Health {
		if h.Chain >= 0 {
			v.Health = append(v.Health, h)
		}
	}
	verdict, text := sentence(v.Health, fewDraws, 0)
	if v.Verdict != "early" || verdict == "off" {
		v.Verdict, v.Sentence = verdict, text
	}
}

// silent is the view of a run whose process, on another machine, does not say anything.
func (f *Follower) silent(r *run.Record, b *beat, quiet time.Duration) (*View, error) {
	v := *b.View
	v.Run, v.State, v.Stop = f.dir, Silent, false
	v.Words = fmt.Sprintf("nothing was heard for %s of process %d on %s: it was killed, its "+
		"machine is down, or the disk is cut off. Where it is gone, the command below goes on",
		session.Duration(quiet.Seconds()), b.Process, b.Host)
	v.Resume = session.ResumeCommand(f.dir, r)
	return &v, nil
}

// ended is the view of a run that said how it ended.
func (f *Follower) ended(r *run.Record) (*View, error) {
	v, err := f.read(r)
	if err != nil {
		return nil, err
	}
	e := EndedAs(f.dir, r)
	v.State, v.Words, v.Resume = e.State, e.Words, e.Resume
	v.judged(e)
	return v, nil
}

// EndedAs says how a run ended, by its record.
func EndedAs(dir string, r *run.Record) Ended {
	out := Ended{State: Done, Words: "all draws are stored", Method: r.Outline().String()}
	if r.Optimize != nil {
		out.Words = "the best point is stored"
	}
	switch r.Status {
	case run.Done:
		out.Words += ", in " + session.Duration(r.Seconds)
		if r.Optimize == nil {
			out.Judgement = JudgementOf(r, show.Verdict(r.Health))
		}
		return out
	case run.Interrupted:
		out.State, out.Words = Interrupted, "a checkpoint of every chain is written"
		if run.Unsettled(dir) {
			out.Words = "it was in the set-up, and no draw is taken yet"
		}
	case run.Failed:
		out.State, out.Words = Failed, r.Error
	}
	if r.Resumable() {
		out.Resume = session.ResumeCommand(dir, r)
	}
	return out
}

// read is the view of what is stored; it is read again where the run has changed, as often as
// its share of the time allows.
func (f *Follower) read(r *run.Record) (*View, error) {
	of := fmt.Sprint(r.ID, r.Status, r.Finished, r.Seconds)
	s, err := openStore(f.dir, r)
	if err != nil && r.Status != run.Running {
		return nil, err
	}
	if s != nil {
		of += fmt.Sprint(s.written)
	}
	now := f.now()
	if f.stored == nil || of != f.of && (r.Status != run.Running || !now.Before(f.next)) {
		v, err := storedView(f.dir, r, s)
		if err != nil && f.stored == nil {
			return nil, err
		}
		if err == nil {
			f.stored, f.of = v, of
		}
		f.next = now.Add(time.Duration(float64(f.now().Sub(now)) / readShare))
	}
	v := *f.stored
	return &v, nil
}

// storedView is the view of what a run has stored. s is nil where that is nothing.
func storedView(dir string, r *run.Record, s *store) (*View, error) {
	var numbers []run.Number
	of := 0
	if s != nil && r.Optimize == nil {
		numbers, of = run.Watched(s.outputs(), nil)
	}
	o := r.Outline()
	rec := NewRecorder(Head{Run: dir, Model: r.Model, Method: o.String(), ID: r.ID}, o.Chains,
		numbers, of)
	rec.heldOut(dir)
	if s != nil && r.Optimize == nil {
		if err := rec.take(s); err != nil {
			return nil, err
		}
	}
	rec.notes = append(rec.notes, r.Words(r.RowDim)...)
	for k := range r.Chains {
		c := ChainView{Chain: k, Step: r.Chains[k].Steps, Steps: o.Steps, Warmup: o.Warmup,
			Draws: r.Chains[k].Draws, Of: o.Draws}
		e := run.Event{Event: "progress", Chain: k, Step: c.Step, Steps: c.Steps,
			Warmup: c.Warmup, Draws: c.Draws, Of: c.Of, StepsRate: nan, RowsRate: nan, Left: nan,
			StepSize: nan, LogDensity: nan}
		if s != nil && k < len(s.written) && r.Optimize == nil && e.Draws < int64(s.written[k]) {
			e.Draws = int64(s.written[k])
			e.Step = max(e.Step, o.Warmup+e.Draws*o.Thin)
		}
		if r.Status == run.Done {
			e.Event = "end"
		}
		rec.Event(e)
	}
	v := rec.View()
	v.Seconds, v.Stop = r.Seconds, false
	return v, nil
}

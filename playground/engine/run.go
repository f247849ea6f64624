//go:build js

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// runDir is the directory of the run, in the page's file system.
const runDir = "/run"

// A request is what the page asks for. Fields that are missing have the defaults of
// sgppl sample.
type request struct {
	Model   string   `json:"model"` // its text
	Name    string   `json:"name"`  // of its file, which places in messages have
	Data    []string `json:"data"`  // names of files
	Set     []string `json:"set"`   // NAME=VALUE
	Levels  []string `json:"levels"`
	NA      string   `json:"na"`
	Sampler string   `json:"sampler"`
	Chains  int      `json:"chains"`
	Warmup  int64    `json:"warmup"`
	Draws   int64    `json:"draws"`
	Thin    int64    `json:"thin"`
	Seed    uint64   `json:"seed"`
}

// An answer is what a run printed, its summary, and the page of its report.
type answer struct {
	Status int    `json:"status"` // as that of the command
	Out    string `json:"out"`
	Err    string `json:"err"`
	Report string `json:"report,omitempty"`
	// Summary is what sgppl summary --json prints, of as many numbers as the report has.
	Summary *show.Summary `json:"summary,omitempty"`
}

// A runner does one run at a time.
type runner struct {
	lock   sync.Mutex
	cancel context.CancelFunc
}

// stop ends the run that goes on. What was drawn is summarised.
func (r *runner) stop() {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.cancel != nil {
		r.cancel()
	}
}

// sample answers a request. event is given a line of JSON for every event of the run.
func (r *runner) sample(text string, event func(line string)) string {
	var out, err bytes.Buffer
	e := &session.Session{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
		Getenv: os.Getenv, Now: time.Now, Quit: func(int) {},
		Interrupts: func(func()) func() { return func() {} },
	}
	a := answer{}
	a.Status = e.Guarded(func() int {
		var q request
		if wrong := json.Unmarshal([]byte(text), &q); wrong != nil {
			return e.Report(session.Usagef("%v", wrong))
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		r.lock.Lock()
		r.cancel = cancel
		r.lock.Unlock()
		return e.Report(q.run(ctx, e, event, &a))
	})
	a.Out, a.Err = out.String(), err.String()
	line, wrong := json.Marshal(a)
	if wrong != nil {
		return fmt.Sprintf(`{"status": %d, "err": %q}`, session.ExitRun, wrong)
	}
	return string(line)
}

// settings are those of sgppl sample, with what the page asked for.
func (q *request) settings() sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Seed, c.LogDensityEstimate = q.Sampler, q.Seed, true
	for _, s := range []struct {
		to   *int64
		from int64
	}{{&c.Warmup, q.Warmup}, {&c.Draws, q.Draws}, {&c.Thin, q.Thin}} {
		if s.from > 0 {
			*s.to = s.from
		}
	}
	if q.Chains > 0 {
		c.Chains = q.Chains
	}
	return c
}

// run samples, prints the summary, and makes the report.
func (q *request) run(
	ctx context.Context, e *session.Session, event func(line string), a *answer,
) error {
	cfg := q.settings()
	b := &session.Binding{
		Given: session.Given{Data: q.Data, Set: q.Set, Levels: q.Levels, NA: q.NA},
		How:   session.How{Sampled: show.Stochastic(cfg.Sampler)},
	}
	if err := b.Compile(e, source.New(q.Name, q.Model)); err != nil {
		return err
	}
	if err := b.Bind(e); err != nil {
		return err
	}
	if err := b.Moves(); err != nil {
		return err
	}
	cfg, err := cfg.Resolve(b.Target)
	if err != nil {
		return session.Refused(err)
	}
	r := b.Record(cfg)
	r.Threads, r.Engine = 1, "vm"
	if err := os.RemoveAll(runDir); err != nil {
		return err
	}
	if err := run.Prepare(runDir, r, q.Model, false, e.Now()); err != nil {
		return err
	}
	w := run.Work{Dir: runDir, ID: r.ID, Version: sgppl.Version, Threads: 1,
		ProgressEvery: 100 * time.Millisecond}
	err = session.VmEngine(e, b).Run(ctx, w, func(v run.Event) {
		var line bytes.Buffer
		run.WriteEvent(&line, v)
		event(line.String())
		// Lets the page send what it has, such as a stop. A shorter sleep may be over before
		// the scheduler looks, and would not give way.
		time.Sleep(time.Millisecond)
	})
	if ctx.Err() == nil && err != nil {
		return b.Ended(runDir, r, err)
	}
	if err := show.Finished(e, runDir); err != nil {
		return err
	}
	if err := a.describe(e); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return session.Failf(session.ExitInterrupted,
			"stopped: the tables have the draws up to here")
	}
	return nil
}

// describe gives the answer the run's summary, and its report as sgppl report writes it.
func (a *answer) describe(e *session.Session) error {
	quiet := *e
	quiet.Stdout, quiet.Stderr = io.Discard, io.Discard
	s, err := show.ReadSummary(&quiet, runDir,
		show.View{Limit: show.ReportRows, Words: show.ShownWords})
	if err != nil || s.Empty() {
		return err
	}
	a.Summary = s
	r, err := run.Read(runDir)
	if err != nil {
		return err
	}
	text, err := run.ReadModel(runDir, r)
	if err != nil {
		return err
	}
	store, err := run.OpenDraws(runDir, r)
	if err == nil {
		_, err = run.Choose(store, r, run.SummarisedAsDrawn(store))
	}
	if err != nil {
		return err
	}
	p := &show.Page{}
	if err := p.Run(&show.Report{Dir: runDir, Record: r, Summary: s, Store: store,
		Model: text}); err != nil {
		return err
	}
	a.Report = string(p.Document(r.Model))
	return nil
}

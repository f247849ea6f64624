package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A fitting is a run of sample from its passes to its run directory.
type fitting struct {
	*sampleCmd
	w        *world
	e        *session.Session
	src      *source.File
	compiled *driver.Compiled
	env      *pass.Env
	asks     *asker // of an array; nil of other runners
}

// run samples, unless that has been done.
func (f *fitting) run() error {
	if done, err := f.found(); done || err != nil {
		return err
	}
	by, err := f.by()
	if err != nil {
		return err
	}
	method := f.Method
	if f.Combine != "none" {
		method = pass.Surrogate // what suits one suits the other
	}
	choice, err := pass.Choose(f.w.ctx, f.env, method)
	if err != nil {
		return f.reason(err)
	}
	whole, err := pass.WholeOf(f.w.ctx, f.env, by, 1, choice, f.Seed)
	if err != nil {
		return f.reason(err)
	}
	rec, err := f.record(whole)
	if err != nil {
		return err
	}
	if err := f.sample(whole.Target, rec); err != nil {
		return f.reason(err)
	}
	if err := f.env.Bucket.PutDirectory(f.w.ctx, f.staging(), runRecord); err != nil {
		return err
	}
	return f.show()
}

// tidy removes what was made on this machine, once the bucket has it.
func (f *fitting) tidy() error { return os.RemoveAll(f.staging()) }

// by is what does the tasks.
func (f *fitting) by() (pass.Front, error) {
	if f.Runner == "array" {
		f.asks = &asker{w: f.w, out: f.Out}
		return f.asks, nil
	}
	t := newTeller(f.w, len(f.env.Run.Manifest.Shards))
	f.env.Told = t.told
	return f.telling(t)
}

// reason is the error of a run as it is reported: what an array is asked for is none.
func (f *fitting) reason(err error) error {
	if f.asks != nil && f.asks.asked {
		return nil
	}
	if no := (*pass.Refused)(nil); errors.As(err, &no) {
		return refused(no.Why)
	}
	return err
}

// staging is the directory of this machine in which the run is made.
func (f *fitting) staging() string {
	at := f.Out
	if abs, err := filepath.Abs(at); err == nil && !strings.Contains(at, "://") {
		at = abs
	}
	sum := sha256.Sum256([]byte(at + " " + f.env.Identity()))
	return filepath.Join(f.env.Cache, "runs", hex.EncodeToString(sum[:8]))
}

// record is what the run directory says of the run.
func (f *fitting) record(whole *pass.Whole) (*run.Record, error) {
	cfg := sampler.DefaultConfig()
	cfg.Seed, cfg.Chains, cfg.Warmup, cfg.Draws = f.Seed, f.Chains, f.Warmup, f.Draws
	cfg.LogDensityEstimate = true
	like := whole.Target
	if whole.Exact == nil {
		cfg.Sampler, like = "nuts", surrogate.Like(whole.Target)
	}
	if cfg.Draws == 0 {
		cfg.Draws = 1000
		if whole.Exact == nil {
			cfg.Draws = 250
		}
	}
	cfg, err := cfg.Resolve(like)
	if err != nil {
		return nil, session.Refused(err)
	}
	if whole.Exact != nil {
		cfg.Init, err = pass.Starts(f.w.ctx, whole.Target, f.Seed, f.Chains)
		if err != nil {
			return nil, err
		}
	}
	b := &session.Binding{Given: session.Given{Data: f.Data, Set: f.Set, Levels: f.Levels, NA: f.NA,
		Axis: f.Axis},
		Src: f.src, Compiled: f.compiled, Bound: whole.Bound, Target: whole.Model}
	r := b.Record(cfg)
	for i, spec := range f.Data {
		if strings.Contains(spec, "://") {
			r.Inputs[i] = spec
		}
	}
	r.Data, r.Labels = nil, whole.Settled.Labels // the manifest has the files
	r.Dims[f.compiled.Spec.RowDim] = whole.Target.Rows()
	r.CheckpointEvery, r.Engine = 60, "vm"
	if r.Exactness = whole.Exact; whole.Exact == nil {
		r.Surrogate = &run.Surrogate{Rows: surrogate.DefaultRows, Correct: f.Correct,
			Accept: f.Accept, Shards: len(f.env.Run.Manifest.Shards)}
		if f.Combine != "none" {
			r.Surrogate.Combine = surrogate.Combination(f.Combine)
		}
		if f.Rows != nil {
			if r.Surrogate.Rows = *f.Rows; *f.Rows == 0 {
				r.Surrogate.Rows = -1
			}
		}
	}
	return r, nil
}

// sample has the chains run in a directory of this machine. A run that stopped there goes on
// from its checkpoints.
func (f *fitting) sample(t target.Target, r *run.Record) error {
	dir := f.staging()
	w := run.Work{Dir: dir, Version: sgppl.Version, Engine: "vm"}
	events := func(v run.Event) {
		if (v.Event == "phase" || v.Event == "note") && f.w.ctx.Err() == nil {
			fmt.Fprintf(f.w.stderr, "%s\n", v.Text)
		}
	}
	old, err := run.Read(dir)
	if err == nil && old.Status == run.Done {
		return nil
	}
	if err == nil && r.Surrogate == nil && old.Resumable() {
		w.ID = old.ID
		_, err = run.Continue(f.w.ctx, t, w, time.Now, events)
	} else {
		_, err = run.Execute(f.w.ctx, t, w, r, f.src.Text, true, time.Now, events)
	}
	if ran := (*run.Error)(nil); errors.As(err, &ran) && ran.Code == session.ExitRun {
		return session.Failf(session.ExitRun, "%s%s", ran.Message, elseChains)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return session.OwnStatus(err)
}

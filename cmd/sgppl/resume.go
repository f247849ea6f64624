package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/lang/source"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// resumable are the flags that mean something with --resume: draws do not
// depend on them.
var resumable = map[string]bool{"resume": true, "threads": true, "engine": true, "progress": true}

// resume goes on with a run from its directory alone.
func (c *sampleCmd) resume(e *env, ctx *kong.Context) error {
	for _, p := range ctx.Path {
		switch {
		case p.Flag != nil && !p.Resolved && !resumable[p.Flag.Name]:
			return usage("--%s does not go with --resume, which takes every setting from the run", p.Flag.Name)
		case p.Positional != nil:
			return usage("--resume takes the model from the run; leave %s away", c.Model)
		}
	}
	owes := false
	if r, err := run.Read(c.Resume); err == nil && r.Status == run.Done {
		if owes, err = owesLoglik(c.Resume, r); err != nil {
			return err
		}
		if !owes {
			e.tidy(c.Resume)
			e.note("the run in %s is complete", c.Resume)
			return e.finished(c.Resume)
		}
		e.note("the draws in %s are complete; their log likelihoods, which --log-lik asked for, are computed now", c.Resume)
	}
	r, b, err := e.reopen(c.Resume)
	if err != nil {
		return err
	}
	if owes {
		e.tidy(c.Resume)
		if err := b.saveLoglik(e, c.Resume, r, c.Threads); err != nil {
			return err
		}
		return e.finished(c.Resume)
	}
	if c.Engine == "auto" && r.Engine == "vm" {
		c.Engine = "vm" // as it was begun
	}
	if err := b.fits(r.Outline().Chains, c.Threads); err != nil {
		return err
	}
	eng, err := c.engine(e, b)
	if err != nil {
		return err
	}
	return c.sample(e, eng, b, c.Resume, r)
}

// reopen compiles the model of a run and binds its data as they were.
func (e *env) reopen(dir string) (*run.Record, *binding, error) {
	r, src, err := openRun(dir)
	if err != nil {
		return nil, nil, err
	}
	b := &binding{data: r.Inputs, set: r.Set, axis: r.RowDim, precision: r.Precision, sampled: r.Sampled, charts: r.Charts, constants: r.Values()}
	if b.labels, err = run.Labels(dir, r); err != nil {
		return nil, nil, ownStatus(err)
	}
	if err := b.reopenRows(e, dir, r); err != nil {
		return nil, nil, err
	}
	if err := b.compile(e, src); err != nil {
		return nil, nil, err
	}
	if err := b.bind(e); err != nil {
		return nil, nil, err
	}
	if err := sameData(r.Data, b.bound.Files); err != nil || r.HeldOut == nil {
		return r, b, err
	}
	if err := b.holdOut(e, "--held-out", r.HeldOut.Inputs, r.Set); err != nil {
		return nil, nil, err
	}
	return r, b, sameData(r.HeldOut.Data, b.held.bound.Files)
}

// openRun reads the record and the model of a run. It refuses those of
// another version, whose model may mean something else.
func openRun(dir string) (*run.Record, *source.File, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, nil, ownStatus(err)
	}
	if r.Version != sgppl.Version {
		return nil, nil, usage("%s was made by sgppl %s, this is %s; use that version, or start a new run", dir, r.Version, sgppl.Version)
	}
	text, err := run.ReadModel(dir, r)
	if err != nil {
		return nil, nil, ownStatus(err)
	}
	return r, source.New(r.Source, text), nil
}

// sameData holds the files of a run against those that are there now, in whatever
// order they were read.
func sameData(then, now []formats.Fingerprint) error {
	var changed []string
	left := slices.Clone(now)
	for _, f := range then {
		at := slices.IndexFunc(left, func(g formats.Fingerprint) bool { return f.SHA256 == g.SHA256 && f.Bytes == g.Bytes })
		if at < 0 {
			changed = append(changed, f.Name)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(changed) > 0 || len(left) > 0 {
		return fail(exitData, "%s", fmt.Sprintf("the data changed since the run began: %s; put the files back, or start a new run", strings.Join(changed, ", ")))
	}
	return nil
}

package main

import (
	"fmt"

	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// fitted are the flags of commands that look at rows by the draws of a run.
type fitted struct {
	Dir   string `arg:"" name:"run" help:"A run directory of sgppl sample."`
	Draws int    `placeholder:"N" help:"Use at most N draws, evenly spread (default: all)."`
	NA    string `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries, as for sample."`
	plan
}

// begin makes the run whose tasks look at rows by draws. What is observed may be absent
// where predictions are asked for.
func (f *fitted) begin(w *world, what string, absent bool) (*pass.Env, error) {
	m, err := f.cut(w)
	if err != nil {
		return nil, err
	}
	if f.Dry {
		return nil, f.dry(w, m, what)
	}
	rec, src, err := session.OpenRun(f.Dir)
	if err != nil {
		return nil, err
	}
	r := &pass.Run{Name: src.Name, Model: src.Text, Set: rec.Set, Axis: rec.RowDim, NA: f.NA,
		Levels: rec.Levels, Manifest: m, Single: rec.Precision == run.Single,
		Constants: map[string][]float64{}}
	if r.Labels, err = run.Labels(f.Dir, rec); err != nil {
		return nil, err
	}
	c, list := driver.Compile(src, driver.Options{Set: pass.Numbers(rec.Set), RowDim: rec.RowDim,
		Exact: true})
	if c == nil {
		return nil, &pass.Permanent{Err: fmt.Errorf("%s: %s", src.Name, list[0].Message)}
	}
	if c.Spec.RowDim == "" || c.Spec.Chain != nil {
		return nil, usage("the rows of %s have no likelihood of their own each: %s", rec.Model,
			session.Coupled(c.Check))
	}
	r.Dims = session.SharedDims(c, rec.Dims)
	for _, name := range c.Fitted {
		if x, ok := rec.Values()[name]; ok {
			r.Constants[name] = x
		}
	}
	if absent {
		for _, s := range c.Spec.Sites {
			r.Absent = append(r.Absent, s.Name)
		}
	}
	e, err := f.open(w, r)
	if err != nil {
		return nil, err
	}
	return e, f.putDraws(w, e, rec)
}

// putDraws puts the draws of the run where tasks read them.
func (f *fitted) putDraws(w *world, e *pass.Env, rec *run.Record) error {
	m, _, err := e.Rows(w.ctx, 0)
	if err != nil {
		return err
	}
	stored, err := session.OpenDraws(f.Dir, rec, m, session.Choice{Limit: f.Draws}, "a pass over rows")
	if err != nil {
		return err
	}
	d := &worker.Draws{Chains: stored.Chains, Each: stored.Each}
	for i := range stored.Total() {
		x, err := stored.Read(i)
		if err != nil {
			return err
		}
		d.Dim = len(x.X)
		d.X = append(d.X, x.X...)
	}
	return pass.PutDraws(w.ctx, e, d)
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/session"
	samplers "github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

type testCmd struct {
	Model string `arg:"" help:"The model file."`
	calibrate.Flags
	taskFlags
	JSON bool `name:"json" help:"Print one JSON object, with every rank."`
}

// taskFlags are those of commands whose tasks are replications.
type taskFlags struct {
	Out     string `required:"" placeholder:"BUCKET" help:"Where results go: a directory, or the URL of a bucket and a prefix."`
	Each    int    `default:"20" placeholder:"N" help:"Replications of a task (default ${default})."`
	Runner  string `default:"loop" enum:"loop,prism,beam,array" placeholder:"NAME" help:"loop, prism, beam or array, as for sample (default ${default})."`
	Workers int    `placeholder:"N" help:"Tasks at once; 0 is as many as there are processors."`
	Engine  string `default:"auto" enum:"auto,native,vm" placeholder:"NAME" help:"native, vm or auto, as for sample (default ${default})."`
	Cache   string `placeholder:"DIR" help:"Copies of data on this machine."`
	beamFlags
}

func (f *taskFlags) check() error {
	if f.Each < 1 {
		return usage("--each %d: at least 1", f.Each)
	}
	return f.beamFlags.check(f.Runner)
}

// plan has the flags as those of commands that run passes.
func (f *taskFlags) plan(data []string) *plan {
	return &plan{Data: data, Out: f.Out, Runner: f.Runner, beamFlags: f.beamFlags,
		Workers: f.Workers, Engine: f.Engine, Cache: f.Cache}
}

// frontOf is what does so many tasks. asks is not nil where an array does.
func (p *plan) frontOf(w *world, e *pass.Env, tasks int) (by pass.Front, asks *asker, err error) {
	if p.Runner == "array" {
		asks = &asker{w: w, out: p.Out}
		return asks, asks, nil
	}
	t := newTeller(w, tasks)
	e.Told = t.told
	by, err = p.telling(t)
	return by, nil, err
}

// testVars are the variables of its tags.
func testVars() kong.Vars {
	o := calibrate.DefaultOptions()
	return kong.Vars{"samplers": strings.Join(samplers.Names(), ", "),
		"friction": fmt.Sprint(o.Config.Friction), "thin": fmt.Sprint(o.Config.Thin)}
}

func (c *testCmd) Help() string {
	return `What sgppl test does, with the same report: replications of the calibration are tasks, in bundles of --each. Covariates
of --data are read whole by every task.

  sgppl cluster test model.sg --set N=200 --replications 2000 --out s3://lake/model-test`
}

// Run tests.
func (c *testCmd) Run(w *world) error {
	if err := c.taskFlags.check(); err != nil {
		return err
	}
	if _, err := c.Options(); err != nil {
		return &usageError{err.Error()}
	}
	text, err := os.ReadFile(c.Model)
	if err != nil {
		return err
	}
	m, err := shards.Whole(w.ctx, c.Data)
	if err != nil {
		return err
	}
	p := c.plan(c.Data)
	e, err := p.open(w, &pass.Run{Name: filepath.Base(c.Model), Model: string(text), Set: c.Set,
		Manifest: m})
	if err != nil {
		return err
	}
	defer e.Close()
	s := pass.Study{Flags: c.Flags, Each: c.Each}
	by, asks, err := p.frontOf(w, e, s.Tasks())
	if err != nil {
		return err
	}
	r, err := pass.TestOf(w.ctx, e, by, s)
	if asks != nil && asks.asked {
		return nil
	}
	if err != nil {
		return err
	}
	return reportTest(w, e, r, c.Model, c.JSON)
}

// reportTest puts and prints what was found of a model. A failed check is an error.
func reportTest(
	w *world, e *pass.Env, r *calibrate.Report, model string, asJSON bool,
) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := e.Bucket.Put(w.ctx, "report.json", append(text, '\n')); err != nil {
		return err
	}
	shown := calibrate.Text(r)
	if asJSON {
		shown = string(text) + "\n"
	}
	if _, err := fmt.Fprint(w.stdout, shown); err != nil {
		return err
	}
	if r.Verdict != calibrate.Passed {
		return session.Failf(session.ExitModel, "%s: %s", model, strings.Join(r.Failures(), "; "))
	}
	return nil
}

package main

import (
	"context"
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
	Out    string `required:"" placeholder:"BUCKET" help:"Where results go: a directory, or the URL of a bucket and a prefix."`
	Each   int    `default:"20" placeholder:"N" help:"Replications of a task (default ${default})."`
	Runner string `default:"loop" enum:"loop,prism,beam,array" placeholder:"NAME" help:"loop, prism, beam or array, as for sample (default ${default})."`
	beamFlags
	Workers int    `placeholder:"N" help:"Tasks at once; 0 is as many as there are processors."`
	Engine  string `default:"auto" enum:"auto,native,vm" placeholder:"NAME" help:"native, vm or auto, as for sample (default ${default})."`
	Cache   string `placeholder:"DIR" help:"Copies of data on this machine."`
	JSON    bool   `name:"json" help:"Print one JSON object, with every rank."`
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
	if c.Each < 1 {
		return usage("--each %d: at least 1", c.Each)
	}
	if err := c.beamFlags.check(c.Runner); err != nil {
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
	p := plan{Data: c.Data, Out: c.Out, Runner: c.Runner, beamFlags: c.beamFlags,
		Workers: c.Workers,
		Engine:  c.Engine, Cache: c.Cache}
	e, err := p.open(w, &pass.Run{Name: filepath.Base(c.Model), Model: string(text), Set: c.Set,
		Manifest: m})
	if err != nil {
		return err
	}
	defer e.Close()
	s := pass.Study{Flags: c.Flags, Each: c.Each}
	asks := &asker{w: w, out: c.Out}
	var by pass.Front = asks
	if c.Runner != "array" {
		t := newTeller(w, s.Tasks())
		e.Told = t.told
		if by, err = p.front(w); err != nil {
			return err
		}
	}
	r, err := pass.TestOf(w.ctx, e, by, s)
	if asks.asked {
		return nil
	}
	if err != nil {
		return err
	}
	return c.report(w.ctx, w, e, r)
}

// report puts and prints what was found. A failed check is an error.
func (c *testCmd) report(ctx context.Context, w *world, e *pass.Env, r *calibrate.Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := e.Bucket.Put(ctx, "report.json", append(text, '\n')); err != nil {
		return err
	}
	shown := calibrate.Text(r)
	if c.JSON {
		shown = string(text) + "\n"
	}
	if _, err := fmt.Fprint(w.stdout, shown); err != nil {
		return err
	}
	if r.Verdict != calibrate.Passed {
		return session.Failf(session.ExitModel, "%s: %s", c.Model, strings.Join(r.Failures(), "; "))
	}
	return nil
}

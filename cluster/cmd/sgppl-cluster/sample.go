package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

type sampleCmd struct {
	Model string `arg:"" help:"The model file."`
	plan
	Set    []string    `sep:"none" placeholder:"NAME=VALUE" help:"A const, a dim or a scalar input. May be repeated."`
	Axis   string      `placeholder:"NAME" help:"The axis that the rows have, where the model has several."`
	NA     string      `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries, as for sgppl sample."`
	Levels []string    `sep:"none" placeholder:"DIM=ORDER" help:"The order of the words of a column, as for sgppl sample. May be repeated."`
	Method pass.Method `default:"auto" enum:"auto,statistics,surrogate" placeholder:"NAME" help:"statistics: rows enter by sums, exactly; surrogate: nuts on a surrogate, held against all rows; auto: statistics where the likelihood collapses (default ${default})."`

	Rows    *int   `placeholder:"N" help:"About how many rows a surrogate takes as they are, by their leverage (default ${surrogate_rows}; 0: none)."`
	Correct int    `placeholder:"R" help:"Move each draw of a surrogate by R proposals, each tested against all rows: a pass each."`
	Accept  bool   `name:"accept-approximation" help:"Keep draws of a surrogate that cannot stand for the posterior; summary says so in its first line."`
	Combine string `enum:"none,consensus,wasp" default:"none" placeholder:"NAME" help:"consensus draws from the consensus of subposteriors of shards in the place of a surrogate, wasp from their Wasserstein barycentre; both hold the draws against all rows, and are approximations (default ${default})."`
	Chains  int    `default:"4" help:"Chains (default ${default})."`
	Warmup  int64  `default:"1000" help:"Steps of the warm-up of each chain (default ${default})."`
	Draws   int64  `placeholder:"N" help:"Draws of each chain (default 1000; of a surrogate 250, since a pass computes the likelihood of all rows at each)."`
	Seed    uint64 `default:"1" placeholder:"S" help:"Draws are a function of it, the model, the data and the manifest of shards (default ${default})."`

	Price float64 `placeholder:"P" help:"With --dry: what an hour of a processor costs, to estimate what the run costs."`
}

// sampleVars are the variables of its tags.
var sampleVars = map[string]string{"surrogate_rows": fmt.Sprint(surrogate.DefaultRows)}

func (c *sampleCmd) Help() string {
	return `Draws from the posterior given rows in any number of files, into a run directory that summary, export, report, score
and predict of sgppl read. Where the likelihood collapses one pass adds up sums, and nuts takes them: that is exact. Else
nuts draws from a surrogate, which has the prior as it is, the likelihood to second order and some rows as they are; one
pass holds the draws against all rows, and draws that cannot stand for the posterior are refused (status 4). A command
that stopped goes on when it is given again.

  sgppl cluster sample claims.sg --data 's3://lake/claims/*.parquet' --out s3://lake/run1
  sgppl cluster sample claims.sg --data 'rows/*.csv' --out run1 --dry --price 0.04`
}

// Run samples.
func (c *sampleCmd) Run(w *world) error {
	if err := c.check(); err != nil {
		return err
	}
	e := w.session()
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	compiled, err := e.Compile(src, driver.Options{Set: session.Numbers(c.Set), RowDim: c.Axis})
	if err != nil {
		return err
	}
	if err := c.suits(compiled); err != nil {
		return err
	}
	if c.Dry {
		return c.estimate(w, src)
	}
	env, err := c.begin(w, src)
	if err != nil {
		return err
	}
	defer env.Close()
	f := &fitting{sampleCmd: c, w: w, e: e, src: src, compiled: compiled, env: env}
	return f.run()
}

func (c *sampleCmd) check() error {
	switch {
	case c.Chains < 1 || c.Draws < 0 || c.Warmup < 0 || c.Correct < 0:
		return usage("--chains is 1 or more, --draws, --warmup and --correct are not negative")
	case c.Rows != nil && *c.Rows < 0:
		return usage("--rows %d: at least 0", *c.Rows)
	case c.Method == pass.Statistics && (c.Rows != nil || c.Correct > 0 || c.Accept):
		return usage("--rows, --correct and --accept-approximation are for a surrogate")
	case c.Combine != "none" &&
		(c.Method == pass.Statistics || c.Rows != nil || c.Correct > 0 || c.Dry):
		return usage("--combine takes the place of statistics and of a surrogate: it goes without " +
			"--method statistics, --rows, --correct and --dry")
	case c.Price < 0 || c.Price > 0 && !c.Dry:
		return usage("--price goes with --dry, and is not negative")
	}
	return nil
}

// suits refuses models whose rows have latent values that chains draw.
func (c *sampleCmd) suits(compiled *driver.Compiled) error {
	if compiled.Spec.Chain == nil {
		return nil
	}
	return refused("the rows have latent values that chains draw, so the posterior of all rows has " +
		"no density of the params alone")
}

// begin makes the run in its bucket, or goes on with it.
func (c *sampleCmd) begin(w *world, src *source.File) (*pass.Env, error) {
	m, err := c.cut(w)
	if err != nil {
		return nil, err
	}
	settings := map[string]any{"command": "sample", "method": c.Method, "rows": c.Rows,
		"correct": c.Correct, "accept": c.Accept, "chains": c.Chains, "warmup": c.Warmup,
		"draws": c.Draws, "seed": c.Seed}
	if c.Combine != "none" {
		settings["combine"] = c.Combine
	}
	asked, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	return c.open(w, &pass.Run{Name: src.Name, Model: src.Text, Set: c.Set, Axis: c.Axis,
		NA: c.NA, Levels: c.Levels, Manifest: m, Asked: asked})
}

// refused is the error of a posterior that the driver cannot sample.
func refused(why string) error {
	return session.Failf(session.ExitRun, "refused: %s%s", why, elseChains)
}

const elseChains = ". `sgppl cluster chains` runs chains, each of which reads all shards"

// session is what the commands of sgppl see of the world.
func (w *world) session() *session.Session {
	return &session.Session{Stdin: os.Stdin, Stdout: w.stdout, Stderr: w.stderr,
		Verbatim: w.stdout, Screen: w.stderr, Getenv: w.getenv, Now: time.Now,
		Interrupts: func(func()) func() { return func() {} }, Quit: os.Exit}
}

// found shows a run that is complete; false where it is not.
func (f *fitting) found() (bool, error) {
	_, err := f.env.Bucket.Stat(f.w.ctx, runRecord)
	if errors.Is(err, bucket.ErrMissing) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.show()
}

const runRecord = "run.json"

// show prints the summary of the run, from a copy where it is in a bucket.
func (f *fitting) show() error {
	dir := f.Out
	if strings.Contains(dir, "://") {
		dir = f.staging()
		if _, err := os.Stat(filepath.Join(dir, runRecord)); err != nil {
			if err := fetchRun(f.w.ctx, f.env.Bucket, dir); err != nil {
				return err
			}
		}
	}
	if err := show.Finished(f.e, dir); err != nil {
		return err
	}
	if err := f.tidy(); err != nil {
		return err
	}
	if dir != f.Out {
		f.e.Note("sgppl cluster fetch %s DIR copies the run to a directory, for summary, export and "+
			"report", f.Out)
	}
	return nil
}

// fetchRun copies the files of a run directory, without those of its passes.
func fetchRun(ctx context.Context, b *bucket.Bucket, dir string) error {
	return b.FetchDirectory(ctx, dir, runRecord, func(name string) bool {
		return !strings.HasPrefix(name, "pass/") && !strings.HasPrefix(name, "chain/") &&
			!strings.HasPrefix(name, "prepared/")
	})
}

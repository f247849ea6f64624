package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

type testCmd struct {
	Model string `arg:"" help:"The model file, or - for standard input."`
	calibrate.Flags

	Engine   string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm: what draws from posteriors. auto builds a native one for 200 replications and more. Draws are the same."`
	Threads  int    `help:"Replications at once; 0 is as many as there are processors. Results do not depend on it."`
	JSON     bool   `name:"json" help:"Print one JSON object, with every rank."`
	Out      string `placeholder:"FILE" help:"Also write the JSON to a file."`
	Force    bool   `help:"Replace a file that exists."`
	Progress string `default:"auto" enum:"auto,plain,none" help:"auto, plain or none."`
}

func (c *testCmd) Help() string {
	return `Tests a model against itself, and exits 1 when a check fails:

  gradient     the gradient that samplers use, against central differences at draws from the prior and at random points
  terms        every term of the log density and the gradient are finite at draws from the prior
  calibration  parameters and data are drawn from the model and the posterior of the data is sampled, over and over: where model
               and sampler agree, the rank of each parameter among its posterior draws is uniform. Ranks must stay inside
               simultaneous bands that hold with 99 % for all quantities together; the log likelihood is one of them.

A model with a flat prior or a factor cannot be simulated: what needs draws from the prior is left out, and said to be.

  sgppl test eight_schools.sg --set J=8
  sgppl test logistic.sg --set N=200 --set P=10 --replications 500 --out logistic.json`
}

// Run tests.
func (c *testCmd) Run(e *session.Session) error {
	o, err := c.Options()
	if err != nil {
		return session.Usagef("%v", err)
	}
	o.Threads = c.Threads
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	set := session.Numbers(c.Set)
	if err := set.Sizes(src); err != nil {
		return err
	}
	o.Set, o.Progress = set, show.Replications(e, c.Progress)
	if c.Out != "" {
		if _, err := os.Stat(c.Out); err == nil && !c.Force {
			return session.Usagef("%s exists; --force replaces it", c.Out)
		}
	}
	if o.Native, err = session.Replicator(e, c.Engine, c.Replications); err != nil {
		return err
	}
	t, diags, errs, err := calibrate.New(src, o)
	e.Diagnose(diags)
	switch {
	case errs != nil:
		return e.DataErrors(errs)
	case err != nil:
		return session.Failf(session.ExitModel, "%v", err)
	case t == nil:
		return &session.ExitError{Code: session.ExitModel}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := e.Interrupts(func() {
		if ctx.Err() != nil {
			e.Quit(session.ExitInterrupted) // asked twice
		}
		cancel()
	})
	r, errs, err := t.Run(ctx)
	stop()
	var config *sampler.ConfigError
	var block *sampler.BlockError
	switch {
	case errors.Is(err, context.Canceled):
		return session.Failf(session.ExitInterrupted, "interrupted: nothing was judged")
	case errors.As(err, &config), errors.As(err, &block):
		return session.Usagef("%v", err)
	case errs != nil:
		return e.DataErrors(errs)
	case err != nil:
		if own := session.OwnStatus(err); own != err {
			return own
		}
		return session.Failf(session.ExitData, "%v", err)
	}
	return c.report(e, r)
}

// report prints what was found. A failed check is an error.
func (c *testCmd) report(e *session.Session, r *calibrate.Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if c.Out != "" {
		if err := e.WriteOut(c.Out, text); err != nil {
			return err
		}
	}
	if c.JSON {
		err = e.Print("%s", text)
	} else {
		err = e.Print("%s", calibrate.Text(r))
	}
	if err != nil {
		return err
	}
	if r.Verdict != calibrate.Passed {
		return session.Failf(session.ExitModel, "%s: %s", c.Model, strings.Join(r.Failures(), "; "))
	}
	return nil
}

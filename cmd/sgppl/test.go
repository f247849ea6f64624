package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/native"
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
	o.Set, o.Progress = set, c.show(e)
	if c.Out != "" {
		if _, err := os.Stat(c.Out); err == nil && !c.Force {
			return session.Usagef("%s exists; --force replaces it", c.Out)
		}
	}
	if o.Native, err = c.native(e); err != nil {
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

// manyReplications pay for the build of a native engine.
const manyReplications = 200

// native is the builder of the native engine; nil for the VM.
func (c *testCmd) native(e *session.Session) (*native.Builder, error) {
	if c.Engine == "vm" || c.Engine == "auto" && c.Replications < manyReplications {
		return nil, nil
	}
	b, err := e.Builder()
	if err == nil {
		err = b.Usable()
	}
	switch {
	case err == nil:
		return b, nil
	case c.Engine == "native":
		return nil, session.Failf(session.ExitFiles, "%v; --engine vm samples without one", err)
	}
	e.Note("sampling in process, by the VM: %v", err)
	return nil, nil
}

// show tells how far the replications are: a line that stays in its place on a
// terminal, elsewhere one every ten seconds.
func (c *testCmd) show(e *session.Session) func(done, of int) {
	if c.Progress == "none" {
		return nil
	}
	start := e.Now()
	last := start
	return func(done, of int) {
		every, end := show.PlainEvery, "\n"
		if moving := c.Progress == "auto" && e.Terminal; moving {
			every, end = time.Second/10, "\x1b[K\r"
			if done == of {
				end = "\x1b[K\n"
			}
		} else if done == of {
			return
		}
		now := e.Now()
		if now.Sub(last) < every && done < of {
			return
		}
		last = now
		left := now.Sub(start).Seconds() / float64(done) * float64(of-done)
		fmt.Fprintf(e.Screen, "calibration: %d of %d replications, %s left%s", done, of,
			session.Duration(left), end)
	}
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

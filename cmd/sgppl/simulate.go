package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

type simulateCmd struct {
	Model        string   `arg:"" help:"The model file, or - for standard input."`
	Data         []string `name:"data" placeholder:"SPEC" sep:"none" help:"Covariates and sizes, as for sample."`
	Set          []string `name:"set" placeholder:"NAME=VALUE" sep:"none" help:"A dim, a const or a scalar input."`
	Params       string   `placeholder:"FILE" help:"JSON with values of params; the others are drawn from their priors."`
	Replications int      `default:"1" placeholder:"R" help:"Data sets; with the same covariates, and unknowns of their own."`
	Seed         uint64   `default:"1" help:"Seed of the draws."`
	Out          string   `required:"" placeholder:"FILE" help:"Where the data go: FILE.json, or - for standard output; of several data sets what was drawn is a list of them. FILE.zarr is an ArviZ store with the groups prior and prior_predictive."`
	ParamsOut    string   `placeholder:"FILE" help:"Where the parameters go, as JSON, and for x drawn from a mixture the labels, as x.component."`
	Force        bool     `help:"Replace files that exist."`
}

func (c *simulateCmd) Help() string {
	return `Draws data from the model: params from their priors, observed names from their distributions, and covariates that are
not given from simple laws, which are told. One data set goes into a file that sample reads.

  sgppl simulate logistic.sg --set N=1000 --set P=5 --seed 3 --out data.json --params-out truth.json
  sgppl simulate line.sg --data x.json --replications 1000 --out prior.zarr`
}

func (c *simulateCmd) Run(e *session.Session) error {
	src, err := e.ReadModelFor(c.Model, c.Data, c.Set, c.Seed)
	if err != nil {
		return err
	}
	o := driver.SimulateOptions{Data: c.Data, Seed: c.Seed}
	set := session.Numbers(c.Set)
	if err := set.Sizes(src); err != nil {
		return err
	}
	o.Set, o.Sets = set, c.Set
	if c.Params != "" {
		if o.Params, err = readParams(e, c.Params); err != nil {
			return err
		}
	}
	store := strings.HasSuffix(c.Out, ".zarr")
	switch {
	case c.ParamsOut != "" && sameFile(c.Out, c.ParamsOut):
		return session.Usagef("--out and --params-out are the same, %s: the parameters go apart "+
			"from the data", c.Out)
	case c.Replications < 1:
		return session.Usagef("--replications %d: at least 1", c.Replications)
	case store && c.ParamsOut != "":
		return session.Usagef("--params-out: %s holds the parameters too, in its group prior",
			c.Out)
	}
	for _, path := range []string{c.Out, c.ParamsOut} {
		if _, err := os.Stat(path); err == nil && !c.Force {
			return session.Usagef("%s exists; --force replaces it", path)
		}
	}
	s, diags, dataErrs, err := driver.NewSimulator(src, o)
	var first *driver.Simulated
	if s != nil {
		first, dataErrs, err = s.Draw(c.Seed)
	}
	e.Diagnose(diags)
	switch {
	case dataErrs != nil:
		return e.DataErrors(dataErrs)
	case err != nil:
		return session.Failf(session.ExitData, "%v", err)
	case first == nil:
		return &session.ExitError{Code: session.ExitModel}
	}
	for _, n := range first.Notes {
		e.Note("%s", n)
	}
	if c.Replications > 1 || store {
		r := &predict.Replications{Simulator: s.Keep(first), First: first, Seed: c.Seed,
			N: c.Replications}
		var release func()
		r.Stop, release = e.Stopper()
		defer release()
		if store {
			return session.FilesError(trace.WriteStore(c.Out,
				func(temp string) error { return r.Zarr(temp, driver.Name(src.Name)) }))
		}
		return session.FilesError(r.JSON(e, c.Out, c.ParamsOut))
	}
	list := func(values []driver.Named) func(b *bufio.Writer) error {
		return func(b *bufio.Writer) error {
			return session.WriteError(driver.WriteJSON(b, values))
		}
	}
	if err := e.Stream(c.Out, list(first.Data)); err != nil || c.ParamsOut == "" {
		return session.FilesError(err)
	}
	return session.FilesError(e.Stream(c.ParamsOut,
		list(append(first.Params, first.Components...))))
}

// sameFile reports whether two paths that may not exist are one.
func sameFile(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil && os.SameFile(x, y) {
			return true
		}
	}
	if p, err := filepath.Abs(a); err == nil {
		a = p
	}
	if p, err := filepath.Abs(b); err == nil {
		b = p
	}
	return a == b
}

// readParams reads values of unknowns on the model's own scale.
func readParams(e *session.Session, path string) (map[string]*data.Value, error) {
	table, errs := formats.ReadFile(path)
	if errs != nil {
		return nil, e.DataErrors(errs)
	}
	out := map[string]*data.Value{}
	for _, name := range table.Fields {
		v, errs := table.Field(name)
		if errs != nil {
			return nil, e.DataErrors(errs)
		}
		v.Canonical = true
		out[name] = v
	}
	return out, nil
}

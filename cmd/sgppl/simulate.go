package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/trace"
)

type simulateCmd struct {
	Model     string   `arg:"" help:"The model file, or - for standard input."`
	Data      []string `name:"data" placeholder:"SPEC" sep:"none" help:"Covariates and sizes, as for sample."`
	Set       []string `name:"set" placeholder:"NAME=VALUE" sep:"none" help:"A dim, a const or a scalar input."`
	Params    string   `placeholder:"FILE" help:"JSON with values of params; the others are drawn from their priors."`
	Seed      uint64   `default:"1" help:"Seed of the draws."`
	Out       string   `required:"" placeholder:"FILE" help:"Where the data go, as JSON; - for standard output."`
	ParamsOut string   `placeholder:"FILE" help:"Where the parameters go, as JSON, and for x drawn from a mixture the labels, as x.component."`
	Force     bool     `help:"Replace files that exist."`
}

func (c *simulateCmd) Run(e *env) error {
	src, err := e.readModel(c.Model)
	if err != nil {
		return err
	}
	o := driver.SimulateOptions{Data: c.Data, Seed: c.Seed}
	set := numbers(c.Set)
	if err := set.sizes(src); err != nil {
		return err
	}
	o.Set, o.Sets = set, c.Set
	if c.Params != "" {
		if o.Params, err = readParams(e, c.Params); err != nil {
			return err
		}
	}
	if c.ParamsOut != "" && sameFile(c.Out, c.ParamsOut) {
		return usage("--out and --params-out are the same, %s: the parameters go apart from the data", c.Out)
	}
	for _, path := range []string{c.Out, c.ParamsOut} {
		if _, err := os.Stat(path); err == nil && !c.Force {
			return usage("%s exists; --force replaces it", path)
		}
	}
	out, diags, dataErrs, err := driver.Simulate(src, o)
	e.diagnose(diags)
	switch {
	case dataErrs != nil:
		return e.dataErrors(dataErrs)
	case err != nil:
		return fail(exitData, "%v", err)
	case out == nil:
		return &exitError{code: exitModel}
	}
	for _, n := range out.Notes {
		e.note(n)
	}
	if err := e.writeOut(c.Out, driver.JSON(out.Data)); err != nil {
		return err
	}
	if c.ParamsOut != "" {
		return e.writeOut(c.ParamsOut, driver.JSON(append(out.Params, out.Components...)))
	}
	return nil
}

// writeOut writes a whole file at once, or to standard output for "-".
func (e *env) writeOut(path string, text []byte) error {
	if path == "-" {
		return e.print("%s", text)
	}
	if err := trace.WriteFileAtomic(path, text); err != nil {
		return fail(exitFiles, "%v", err)
	}
	return nil
}

// sameFile says whether two paths that may not exist are one.
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
func readParams(e *env, path string) (map[string]*data.Value, error) {
	table, errs := data.ReadFile(path)
	if errs != nil {
		return nil, e.dataErrors(errs)
	}
	out := map[string]*data.Value{}
	for _, name := range table.Fields {
		v, errs := table.Field(name)
		if errs != nil {
			return nil, e.dataErrors(errs)
		}
		v.Canonical = true
		out[name] = v
	}
	return out, nil
}

// dataErrors prints what is wrong with data and returns the exit status.
func (e *env) dataErrors(errs []*data.Error) error {
	for _, err := range errs {
		fmt.Fprintln(e.stderr, err.Error())
	}
	return &exitError{code: errs[0].Exit()}
}

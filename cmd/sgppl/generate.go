package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/stan"
)

// generateCmd has the fields of derived.Generation, as flags.
type generateCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory, or the file of a model without params, of which a run is made."`
	Data    []string `sep:"none" placeholder:"SPEC" help:"Other data than those of the run, with --out, or those of the model. May be repeated."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these data. Consts are the run's."`
	Out     string   `placeholder:"FILE" help:"Write the values as FILE.json, FILE.csv or FILE.zarr instead of storing them in the run. Of a model: the run directory."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all). Of a model: take K draws."`
	Seed    uint64   `default:"1" help:"Seed of what is drawn at random (default ${default})."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	Force   bool     `help:"Replace the FILE of --out, or what the run holds already."`
}

func (c *generateCmd) Help() string {
	return `The values of the lines generate NAME = EXPRESSION of the model, once for each draw of the run. They may draw at random by
LAW.sample(arguments); what is drawn depends on the seed, the chain, the draw and the line alone. The values are stored in the run:
summary shows them, export writes them with the params. Generated quantities of programs of Stan become such lines.

A model without params, such as a simulation, has no run before: sgppl generate MODEL makes one, as sgppl sample does.

  sgppl generate runs/eight_schools-1
  sgppl summary runs/eight_schools-1 --vars 'y_rep*'
  sgppl generate runs/eight_schools-1 --draws 100 --out y_rep.json
  sgppl generate simulation.stan --data sizes.json --draws 100`
}

// Run computes the values.
func (c *generateCmd) Run(e *session.Session) error {
	if isModel(c.Dir) {
		return c.ofModel(e)
	}
	o := derived.Generation(*c)
	return o.Run(e)
}

// isModel reports whether a path is the file of a model, and no run.
func isModel(path string) bool {
	if !stan.Is(path) && !strings.HasSuffix(path, ".sg") {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// ofModel makes a run of a model without params, as `sgppl sample` does.
func (c *generateCmd) ofModel(e *session.Session) error {
	args := []string{"sample", c.Dir, fmt.Sprintf("--seed=%d", c.Seed),
		fmt.Sprintf("--threads=%d", c.Threads)}
	for _, d := range c.Data {
		args = append(args, "--data="+d)
	}
	for _, s := range c.Set {
		args = append(args, "--set="+s)
	}
	switch {
	case c.Draws < 0:
		return session.Usagef("--draws %d: at least 1", c.Draws)
	case c.Draws > 0:
		args = append(args, "--chains=1", fmt.Sprintf("--draws=%d", c.Draws))
	}
	if c.Out != "" {
		if derived.IsFile(c.Out) {
			return session.Usagef("--out %s: %s is a model, and --out names the directory of its run; "+
				"`sgppl export` writes files of a run", c.Out, c.Dir)
		}
		args = append(args, "--out="+c.Out)
	}
	if c.Force {
		args = append(args, "--force")
	}
	own := *e
	own.Args = args
	l := takeLine(args)
	defer l.release()
	ctx, code := l.parse(&own)
	if ctx == nil {
		return &session.ExitError{Code: code}
	}
	l.Sample.Generates = true
	return runCommand(&own, ctx)
}

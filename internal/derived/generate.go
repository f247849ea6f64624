package derived

import (
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A Generation computes the `generate` lines of a model at the draws of a run.
type Generation struct {
	Dir     string   // of the run
	Data    []string // other data than the run's
	Set     []string // dims and scalar inputs of these data
	Out     string   // a file of the draws; "": they are stored in the run
	Draws   int      // how many are used; 0: all
	Seed    uint64
	Threads int  // 0: as many as there are processors
	Force   bool // replace a file, or what is stored
}

// Run computes the values and stores them.
func (c *Generation) Run(e *session.Session) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	o := opened{dir: c.Dir, data: c.Data, set: c.Set, choice: session.Choice{Limit: c.Draws},
		what: "generate"}
	if err := o.open(e, driver.Generate); err != nil {
		return err
	}
	stop, release := e.Stopper()
	defer release()
	o.draws.Stop = stop
	workers := make([]*driver.Generator, session.ThreadsOf(c.Threads, o.draws.Total()))
	for i := range workers {
		workers[i] = o.posterior.Generator(o.target.Target)
	}
	sites := workers[0].Sites
	if len(sites) == 0 {
		return session.Usagef("the model of %s has no `generate` line: generate y_rep = "+
			"normal.sample(mu, sigma)", c.Dir)
	}
	draw := func(take func(session.Drawn, []float64) error) error {
		return o.draws.ForEach(c.Threads, workers[0].Len(),
			func(worker int, p session.Drawn, out []float64) error {
				workers[worker].Draw(p.X, rng.New(c.Seed, p.Chain, rng.Generate), uint64(p.Draw), out)
				return nil
			}, take)
	}
	if c.Out != "" {
		w := &predict.Draws{Sites: sites, Chains: o.draws.Chains, Each: o.draws.Each,
			Numbers: o.draws.Numbers(), Record: o.record, Bound: o.target.Bound}
		return w.Write(e, c.Out, format, draw)
	}
	k := &keeper{group: trace.GeneratedGroup, holds: "generated values", dir: c.Dir,
		record: o.record, draws: o.draws, bound: o.target.Bound, sites: sites}
	if err := k.may(c.Force); err != nil {
		return err
	}
	if err := k.save(e, c.Force, draw); err != nil {
		return err
	}
	var names []string
	for _, s := range sites {
		names = append(names, s.Name)
	}
	return e.Print("%s: %s at %d chains of %d draws\n", c.Dir, strings.Join(names, ", "),
		o.draws.Chains, o.draws.Each)
}

// check checks the flags that say what is written.
func (c *Generation) check() (format string, err error) {
	switch {
	case c.Draws < 0:
		return "", session.Usagef("--draws %d: at least 1", c.Draws)
	case c.Out == "" && (c.Draws > 0 || len(c.Data)+len(c.Set) > 0):
		return "", session.Usagef("the run stores a value for every draw, at its own data: " +
			"--draws, --data and --set go with --out FILE")
	case c.Out == "":
		return "", nil
	}
	return fileFormat(c.Out, c.Force)
}

// fileFormat is the format that the ending of a file asks for.
func fileFormat(out string, force bool) (string, error) {
	for _, format := range []string{"json", "csv", "zarr"} {
		if strings.HasSuffix(out, "."+format) {
			return format, session.RefuseExisting(out, force)
		}
	}
	return "", session.Usagef("--out %s: the ending says what is written, and is one of .json, "+
		".csv and .zarr", out)
}

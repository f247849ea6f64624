package derived

import (
	"slices"
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

// Run computes the values, stores them, and says so.
func (c *Generation) Run(e *session.Session) error {
	g, err := c.open(e)
	if err != nil {
		return err
	}
	if c.Out != "" {
		return g.write(e)
	}
	if err := g.store(e); err != nil {
		return err
	}
	var names []string
	for _, s := range g.sites {
		names = append(names, s.Name)
	}
	return e.Print("%s: %s at %d chains of %d draws\n", c.Dir, strings.Join(names, ", "),
		g.draws.Chains, g.draws.Each)
}

// Store computes the values, and stores them in the run.
func (c *Generation) Store(e *session.Session) error {
	g, err := c.open(e)
	if err != nil {
		return err
	}
	return g.store(e)
}

// A generation is a Generation whose run is open.
type generation struct {
	*Generation
	opened
	format  string
	workers []*driver.Generator
	sites   []driver.Predicted
}

// open opens the run, and compiles what is generated.
func (c *Generation) open(e *session.Session) (*generation, error) {
	g := &generation{Generation: c}
	var err error
	if g.format, err = c.check(); err != nil {
		return nil, err
	}
	g.opened = opened{dir: c.Dir, data: c.Data, set: c.Set,
		choice: session.Choice{Limit: c.Draws}, what: "generate"}
	if err := g.opened.open(e, driver.Generate); err != nil {
		return nil, err
	}
	g.workers = make([]*driver.Generator, session.ThreadsOf(c.Threads, g.draws.Total()))
	for i := range g.workers {
		g.workers[i] = g.posterior.Generator(g.target.Target)
	}
	if g.sites = g.workers[0].Sites; len(g.sites) == 0 {
		return nil, session.Usagef("the model of %s has no `generate` line: generate y_rep = "+
			"normal.sample(mu, sigma)", c.Dir)
	}
	return g, nil
}

// draw gives the values of every draw.
func (g *generation) draw(take func(session.Drawn, []float64) error) error {
	return g.draws.ForEach(g.Threads, g.workers[0].Len(),
		func(worker int, p session.Drawn, out []float64) error {
			g.workers[worker].Draw(p.X, rng.New(g.Seed, p.Chain, rng.Generate), uint64(p.Draw), out)
			return nil
		}, take)
}

// write writes the values into a file.
func (g *generation) write(e *session.Session) error {
	stop, release := e.Stopper()
	defer release()
	g.draws.Stop = stop
	w := &predict.Draws{Sites: g.sites, Chains: g.draws.Chains, Each: g.draws.Each,
		Numbers: g.draws.Numbers(), Record: g.record, Bound: g.target.Bound}
	return w.Write(e, g.Out, g.format, g.draw)
}

// store stores the values in the run.
func (g *generation) store(e *session.Session) error {
	stop, release := e.Stopper()
	defer release()
	g.draws.Stop = stop
	k := &keeper{group: trace.GeneratedGroup, holds: "generated values", dir: g.Dir,
		record: g.record, draws: g.draws, bound: g.target.Bound, sites: g.sites}
	if err := k.may(g.Force); err != nil {
		return err
	}
	return k.save(e, g.Force, g.draw)
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

// IsFile reports whether a path ends as a file of draws does.
func IsFile(path string) bool {
	return slices.ContainsFunc(formats, func(f string) bool { return strings.HasSuffix(path, "."+f) })
}

// formats are the endings of files of draws.
var formats = []string{"json", "csv", "zarr"}

// fileFormat is the format that the ending of a file asks for.
func fileFormat(out string, force bool) (string, error) {
	for _, format := range formats {
		if strings.HasSuffix(out, "."+format) {
			return format, session.RefuseExisting(out, force)
		}
	}
	return "", session.Usagef("--out %s: the ending says what is written, and is one of .json, "+
		".csv and .zarr", out)
}

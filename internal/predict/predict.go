// Package predict has what is computed at the draws of a run for rows: posterior predictive
// draws, latent values of rows, scores of rows that were not fitted; and the data sets that
// are simulated from a model. It writes them as JSON, CSV and stores of ArviZ.
package predict

import (
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Options say what is predicted, and where it goes.
type Options struct {
	Dir      string   // of the run
	Data     []string // the new rows; none: those of the run
	Set      []string // dims and scalar inputs of the rows
	Names    []string // of the entries of dims
	Out      string   // a file that ends in .json, .csv or .zarr, or -
	Observed []string // the known entries of rows whose latent values are drawn
	Latent   []string // the latent values to write, instead of observed names

	LocalBurnIn   int // sweeps over a row before the one that is taken
	LocalLeapfrog int // steps of a trajectory

	NewLevels bool // words may be new levels

	Mean    bool // write means and quantiles instead of draws
	Draws   int  // how many are used; 0: all
	Seed    uint64
	Threads int  // 0: as many as there are processors
	Force   bool // replace a file

	Point     string // of a run of optimize
	AllChains bool   // points of all chains of a run of optimize
}

// Run predicts.
func (c *Options) Run(e *session.Session) error {
	format, err := c.format()
	if err != nil {
		return err
	}
	r, src, err := session.OpenRun(c.Dir)
	if err != nil {
		return err
	}
	if len(c.Latent) > 0 {
		return c.latents(e, r, src, format)
	}
	p, b, err := c.bind(e, r, src)
	if err != nil {
		return err
	}
	choice := session.Choice{Limit: c.Draws, Point: c.Point, AllChains: c.AllChains, Seed: c.Seed}
	if choice.New, err = session.NewLevels(e, b, r); err != nil {
		return err
	}
	e.NoteExactness(r)
	draws, err := session.OpenDraws(c.Dir, r, b.Target, choice, "predicting")
	if err != nil {
		return err
	}
	draws.Note(e, r)
	stop, release := e.Stopper()
	defer release()
	draws.Stop = stop
	var known *knownRows
	if len(c.Observed) > 0 {
		if known, err = c.known(e, r, b, draws); err != nil {
			return err
		}
	}
	return c.predict(e, r, p, b, draws, known, format)
}

// Drawn reports whether a run drew what could join the unknowns though it was not
// asked to: since rows of an unknown cannot be compiled otherwise.
func Drawn(e *session.Session, src *source.File, r *run.Record) bool {
	c, _ := driver.Compile(src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled})
	return c != nil && c.Spec.Chain != nil
}

// format checks the flags that say what is written.
func (c *Options) format() (string, error) {
	if c.Draws < 0 {
		return "", session.Usagef("--draws %d: at least 1", c.Draws)
	}
	format := strings.TrimPrefix(filepath.Ext(c.Out), ".")
	if c.Out == "-" {
		format = "json"
	}
	switch {
	case format != "json" && format != "csv" && format != "zarr":
		return "", session.Usagef("--out %s: the ending says what is written, and is one of "+
			".json, .csv and .zarr", c.Out)
	case format == "zarr" && c.Mean:
		return "", session.Usagef("--mean writes .json or .csv; a .zarr holds draws")
	}
	if c.NewLevels && len(c.Latent)+len(c.Observed) > 0 {
		return "", session.Usagef("--new-levels is for rows whose latent values are not asked for " +
			"or given: without --latent and --observed")
	}
	if c.LocalBurnIn < 0 || c.LocalLeapfrog < 1 {
		return "", session.Usagef("--local-burn-in %d, --local-leapfrog %d: at least 0 and 1",
			c.LocalBurnIn, c.LocalLeapfrog)
	}
	return format, session.RefuseExisting(c.Out, c.Force)
}

// FittedValues are what depends on the data of the run alone, such as mean(x):
// out of its record, or computed from its data once more.
func FittedValues(
	e *session.Session, dir string, p *driver.Posterior, r *run.Record,
) (map[string][]float64, error) {
	known, all := p.Known(session.Recorded(r))
	if all {
		return known, nil
	}
	var sets []string
	for _, s := range r.Set {
		if session.ConstsStay(p.Check, []string{s}) == nil {
			sets = append(sets, s)
		}
	}
	names, err := run.Labels(dir, r)
	if err != nil {
		return nil, session.OwnStatus(err)
	}
	bound, _, errs := data.Bind(p.FitSchema(), r.Inputs, sets,
		data.Options{Labels: names, Levels: r.Levels, NA: r.NA})
	if len(errs) > 0 {
		e.Note("predictions need values of the run's data, such as a mean, and these data cannot " +
			"be read any more:")
		return nil, e.DataErrors(errs)
	}
	if err := session.SameData(r.Data, bound.Files); err != nil {
		return nil, err
	}
	values, err := p.Fit(bound)
	if err != nil {
		return nil, session.Failf(session.ExitData, "%v", err)
	}
	return values, nil
}

// predict draws and writes.
func (c *Options) predict(
	e *session.Session, r *run.Record, p *driver.Posterior, b *session.Binding,
	draws *session.RunDraws, known *knownRows, format string,
) error {
	workers := make([]*driver.Predictor, session.ThreadsOf(c.Threads, draws.Total()))
	for i := range workers {
		var err error
		if workers[i], err = p.Predictor(b.Target, b.Bound); err != nil {
			return session.Failf(session.ExitData, "%v", err)
		}
	}
	if err := known.start(workers); err != nil {
		return err
	}
	width := workers[0].Len()
	work := func(worker int, p session.Drawn, out []float64) error {
		known.give(worker, p)
		err := workers[worker].Draw(p.X, rng.New(c.Seed, p.Chain, rng.Predict), uint64(p.Draw), out)
		if err != nil {
			return session.Failf(session.ExitRun, "draw %d of chain %d: %v", p.Draw, p.Chain, err)
		}
		return nil
	}
	if c.Mean {
		s, err := newMeans(workers[0].Sites, width, draws)
		if err != nil {
			return err
		}
		s.name(b)
		take := func(p session.Drawn, out []float64) error {
			s.take(workers[0], p.X, out)
			return nil
		}
		if err := draws.ForEach(c.Threads, width, work, take); err != nil {
			return err
		}
		return s.write(e, c.Out, format)
	}
	w := &Draws{Sites: workers[0].Sites, Chains: draws.Chains, Numbers: draws.Numbers(),
		Each: draws.Each, Record: r, Bound: b.Bound}
	return w.Write(e, c.Out, format, func(take func(p session.Drawn, out []float64) error) error {
		return draws.ForEach(c.Threads, width, work, take)
	})
}

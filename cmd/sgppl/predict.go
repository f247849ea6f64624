package main

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

type predictCmd struct {
	Dir      string   `arg:"" name:"run" help:"A run directory."`
	Data     []string `sep:"none" placeholder:"SPEC" help:"The new rows, as for sample; observed names may be missing. May be repeated."`
	Set      []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	Names    []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, as for sample, instead of the run's own. May be repeated."`
	Out      string   `required:"" placeholder:"FILE" help:"FILE.json, FILE.csv or FILE.zarr; - is JSON on standard output."`
	Observed []string `sep:"none" placeholder:"SPEC" help:"The known entries of rows, as --data has those to predict: the rows' latent values are drawn given them. May be repeated." group:"Latent values of rows"`
	Latent   []string `placeholder:"NAME" help:"Instead of observed names write the latent values of the rows: their posterior given the rows. May be repeated." group:"Latent values of rows"`

	LocalBurnIn   int `default:"20" placeholder:"N" help:"Sweeps over a row before the one that is taken (default ${default})." group:"Latent values of rows"`
	LocalLeapfrog int `default:"10" placeholder:"L" help:"Steps of a trajectory of a continuous one (default ${default})." group:"Latent values of rows"`

	NewLevels bool `help:"Words that are no levels of the run are new levels: their unknowns are drawn from their prior."`

	Mean    bool   `help:"Instead of draws: mean, sd and quantiles of every entry, probabilities of classes."`
	Draws   int    `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Seed    uint64 `default:"1" help:"Seed of the predictions (default ${default})."`
	Threads int    `help:"Draws at once; 0 is as many as there are processors."`
	Force   bool   `help:"Replace a file that exists."`

	Point     string `placeholder:"POINT" help:"Of a run of optimize: best (the default), last, average or iterates."`
	AllChains bool   `help:"Of a run of optimize: the points of all chains, not only of the best one."`
}

func (c *predictCmd) Help() string {
	return `Posterior predictive draws of the observed names for new rows: for every draw of the run one of the data. Without --data
and --set they are for the run's own data, which is what posterior predictive checks compare with it. Sizes of the parameters
and values such as mean(x) are those of the fitted run. A name that another's distribution reads is taken from the data.
A row of a group that was not fitted is refused; with --new-levels the unknowns of such a group are drawn from their prior,
given the draws of what groups share.

Where rows have latent values of their own, such as the topics of a document, new rows draw theirs from their laws. With --observed,
which has other entries of the same rows, they are drawn given those. --latent NAME writes the latent values themselves, of the rows of --data given
all that is observed of them.

JSON has lists by chain and draw, CSV a line a draw, Zarr is an ArviZ store with the group posterior_predictive. With --mean
JSON and CSV hold mean, sd, q5, q50 and q95 of every entry; of classes the probability of each and the most probable one.

  sgppl predict runs/logistic-1 --data x=a9a.t.gz:features --out y.csv --mean
  sgppl predict runs/eight_schools-1 --out replicated.zarr
  sgppl predict runs/lda-1 --latent theta --out theta.csv --mean
  sgppl predict runs/lda-1 --observed w=docs.ldac:words=0%2 --data w=docs.ldac:words=1%2 --out words.json`
}

// Run predicts.
func (c *predictCmd) Run(e *session.Session) error {
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

// drawn reports whether a run drew what could join the unknowns though it was not
// asked to: since rows of an unknown cannot be compiled otherwise.
func drawn(e *session.Session, src *source.File, r *run.Record) bool {
	c, _ := driver.Compile(src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled})
	return c != nil && c.Spec.Chain != nil
}

// format checks the flags that say what is written.
func (c *predictCmd) format() (string, error) {
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

// fittedValues are what depends on the data of the run alone, such as mean(x):
// out of its record, or computed from its data once more.
func fittedValues(
	e *session.Session, dir string, p *driver.Posterior, r *run.Record,
) (map[string][]float64, error) {
	known, all := p.Known(r.Values())
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
func (c *predictCmd) predict(
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
		s, err := newPredictedMeans(workers[0].Sites, width, draws)
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
	w := &predictedDraws{sites: workers[0].Sites, chains: draws.Chains, numbers: draws.Numbers(),
		each: draws.Each, record: r, seed: c.Seed, bound: b.Bound}
	return w.write(e, c.Out, format, func(take func(p session.Drawn, out []float64) error) error {
		return draws.ForEach(c.Threads, width, work, take)
	})
}

package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/checks"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/stacking"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type looCmd struct {
	Dirs      []string `arg:"" name:"run" help:"Run directories; of several the difference to the best is given, and their weights."`
	Data      []string `sep:"none" placeholder:"SPEC" help:"The data of the run, where they are not any more what it read. May be repeated."`
	Axis      string   `placeholder:"N" help:"Leave out rows of this axis, of a model with several."`
	Pointwise string   `placeholder:"FILE" help:"Also write every observation, as FILE.csv."`
	Save      bool     `help:"Also store the log likelihoods in the run, as the groups log_likelihood and observed_data of ArviZ."`
	Draws     int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads   int      `help:"Workers; 0 is as many as there are processors."`
	Seed      uint64   `default:"1" help:"Of the replications of pseudo-BMA+ (default ${default})."`
	Force     bool     `help:"Replace the FILE of --pointwise."`
	JSON      bool     `name:"json" help:"Print one JSON object."`
}

func (c *looCmd) Help() string {
	return `Leave-one-out cross-validation of a run from its own draws: Pareto smoothed importance sampling (PSIS-LOO; Vehtari et al.
2017, 2024) and WAIC. An observation is a row of the axis that can be minibatched; of a model without one an entry of what
is observed. Where the Pareto k of an observation is above its threshold the draws say too little of leaving it out. The
expected log predictive density elpd_loo is a sum over observations; larger is better. Several runs have weights for their
mixture: by stacking, the mixture that predicts best, and by pseudo-BMA+.

  sgppl loo runs/logistic-1
  sgppl loo runs/linear-1 runs/robust-1 --json`
}

// Run cross-validates.
func (c *looCmd) Run(e *session.Session) error {
	switch {
	case c.Draws < 0:
		return session.Usagef("--draws %d: at least 1", c.Draws)
	case c.Pointwise != "" && len(c.Dirs) > 1:
		return session.Usagef("--pointwise writes the observations of one run, not of %d",
			len(c.Dirs))
	case c.Pointwise != "" && !strings.HasSuffix(c.Pointwise, ".csv"):
		return session.Usagef("--pointwise %s: the file ends in .csv", c.Pointwise)
	case len(c.Data) > 0 && len(c.Dirs) > 1:
		return session.Usagef("--data is the data of one run, not of %d", len(c.Dirs))
	}
	if c.Pointwise != "" {
		if err := session.RefuseExisting(c.Pointwise, c.Force); err != nil {
			return err
		}
	}
	var all []*looResult
	for _, dir := range c.Dirs {
		r, err := c.one(e, dir)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	if err := compareLOO(all, c.Seed); err != nil {
		return err
	}
	if c.Pointwise != "" {
		if err := all[0].pointwise(c.Pointwise); err != nil {
			return session.FilesError(err)
		}
	}
	for _, r := range all {
		r.warn(e)
	}
	var err error
	switch {
	case c.JSON && len(all) == 1:
		err = json.NewEncoder(e.Stdout).Encode(all[0].JSON())
	case c.JSON:
		list := []looJSON{}
		for _, r := range all {
			list = append(list, r.JSON())
		}
		err = json.NewEncoder(e.Stdout).Encode(map[string]any{"runs": list})
	case len(all) == 1:
		err = all[0].print(e)
	default:
		err = printComparison(e, all)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// A looResult is the cross-validation of a run.
type looResult struct {
	dir, model string
	axis       string
	loglik     *session.Loglik
	draws      int
	points     []diagnose.LOOPoint
	index      []int // of the points among the observations of loglik
	sum        diagnose.LOOSummary
	observed   [sha256.Size]byte
	diff       *diagnose.Estimate // to the best of several
	stacking   float64            // weight among several
	pseudoBMA  float64
}

// one cross-validates a run.
func (c *looCmd) one(e *session.Session, dir string) (*looResult, error) {
	r, l, err := observations(e, dir, c.Data, c.Axis)
	if err != nil {
		return nil, err
	}
	if l.N < 2 {
		return nil, fewObservations(dir, l.N)
	}
	if r.Optimize != nil {
		return nil, session.Usagef("%s is a run of optimize: it has a point, and "+
			"cross-validation needs draws of the posterior; sgppl score scores the point", dir)
	}
	if c.Save {
		if r.Status != run.Done {
			return nil, session.Failf(session.ExitData,
				"--save: the run in %s is not complete (%s); go on with it first: sgppl sample "+
					"--resume %s", dir, r.Status, dir)
		}
		if err := l.Save(e, dir, r, c.Threads); err != nil {
			return nil, err
		}
	}
	e.NoteExactness(r)
	draws, err := session.OpenDraws(dir, r, l.B.Target, session.Choice{Limit: c.Draws},
		"cross-validation")
	if err != nil {
		return nil, err
	}
	draws.Note(e, r)
	if t := r.Settings.Temperature; t != 0 && t != 1 {
		e.Note("%s was sampled at temperature %g: its draws are not of the posterior, and "+
			"cross-validation by them is not that of the model", dir, t)
	}
	if l.Axis != "" && len(l.Rest) > 0 {
		e.Note("%s stays in when a row of %s is left out: it does not go by that axis",
			strings.Join(l.Rest, ", "), l.Axis)
	}
	stop, release := e.Stopper()
	defer release()
	draws.Stop = stop
	points, err := checks.Cross(l, draws, c.Threads)
	if err != nil {
		return nil, err
	}
	out := &looResult{dir: dir, model: r.Model, axis: l.Axis, loglik: l, draws: draws.Total(),
		observed: hash(l)}
	for i, p := range points {
		if p.LPD == 0 && p.PWAIC == 0 { // no statement observes the row
			continue
		}
		out.points, out.index = append(out.points, p), append(out.index, i)
	}
	if n := len(points) - len(out.points); n > 0 {
		e.Note("%d of %d rows have no part in the likelihood, and are not counted", n, len(points))
	}
	if len(out.points) < 2 {
		return nil, fewObservations(dir, len(out.points))
	}
	out.sum = diagnose.SumLOO(out.points, draws.Total())
	return out, nil
}

func fewObservations(dir string, n int) error {
	return session.Failf(session.ExitData,
		"cross-validation wants at least 2 observations to leave out, and the model of %s has "+
			"%d; what one statement observes along the axes of its distribution is one observation",
		dir, n)
}

// name is what observation i is called.
func (r *looResult) name(i int) string { return checks.Name(r.loglik, r.index[i]) }

// observations binds a run's model to its data once more, to evaluate the log
// likelihood of what it observes.
func observations(
	e *session.Session, dir string, specs []string, axis string,
) (*run.Record, *session.Loglik, error) {
	return checks.Observations(e, dir, specs, axis,
		func(c *driver.Compiled) error { return batchable(c, axis, true) })
}

// hash identifies what was observed.
func hash(l *session.Loglik) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range slices.SortedFunc(slices.Values(l.Sites), func(a, b driver.Predicted) int {
		return strings.Compare(a.Name, b.Name)
	}) {
		v := l.B.Bound.Values[s.Name]
		if v == nil {
			continue
		}
		x := v.Floats()
		if v.CSR != nil {
			x = v.CSR.Values()
		}
		var word [8]byte
		for _, y := range x {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(y))
			h.Write(word[:])
		}
	}
	h.Sum(sum[:0])
	return sum
}

// compareLOO sorts several results, the best first, with the differences to it and the weights
// of their mixture.
func compareLOO(all []*looResult, seed uint64) error {
	if len(all) < 2 {
		return nil
	}
	for _, r := range all[1:] {
		if len(r.points) != len(all[0].points) || r.observed != all[0].observed {
			return session.Failf(session.ExitData,
				"%s and %s did not observe the same data (%d and %d observations): they cannot "+
					"be compared",
				all[0].dir, r.dir, len(all[0].points), len(r.points))
		}
	}
	slices.SortStableFunc(all, func(a, b *looResult) int {
		switch {
		case a.sum.ELPD.Value > b.sum.ELPD.Value:
			return -1
		case a.sum.ELPD.Value < b.sum.ELPD.Value:
			return 1
		}
		return 0
	})
	elpd := make([][]float64, len(all))
	for k, r := range all {
		d := diagnose.DifferenceLOO(r.points, all[0].points)
		r.diff = &d
		for _, p := range r.points {
			elpd[k] = append(elpd[k], p.ELPD)
		}
	}
	weights, err := stacking.Weights(elpd)
	if err != nil {
		return session.Failf(session.ExitRun, "%v", err)
	}
	pseudo := stacking.PseudoBMA(elpd, seed)
	for k, r := range all {
		r.stacking, r.pseudoBMA = weights[k], pseudo[k]
	}
	return nil
}

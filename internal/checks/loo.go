package checks

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// LeaveOneOut says which runs are cross-validated by leaving out observations one by one.
type LeaveOneOut struct {
	Dirs      []string // of the runs; of several the best comes first
	Data      []string // the data of the run, where they are not any more what it read
	Axis      string   // whose rows are left out; "" is the run's
	Pointwise string   // a file of every observation; "" for none
	Save      bool     // store the log likelihoods in the run
	Draws     int      // how many are used; 0: all
	Threads   int      // 0: as many as there are processors
	Seed      uint64
	Force     bool // replace the file
	JSON      bool // print one JSON object
}

// Run cross-validates.
func (c *LeaveOneOut) Run(e *session.Session) error {
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
func (c *LeaveOneOut) one(e *session.Session, dir string) (*looResult, error) {
	r, l, err := Observations(e, dir, c.Data, c.Axis)
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
	points, err := Cross(l, draws, c.Threads)
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
func (r *looResult) name(i int) string { return Name(r.loglik, r.index[i]) }

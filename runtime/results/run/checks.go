package run

import (
	"math"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// checksName is the name of the store with the results of the checks of an optimiser, of a run
// with a trace.
const checksName = "checks.zarr"

// Checks returns the path of the store with the results of an optimiser's checks, and false if the
// run stores none. The group sample_stats has one row per check: step, step_size, temperature, lp,
// held_out, and accuracy or rmse of the held-out rows where these apply.
func Checks(dir string, r *Record) (path string, ok bool) {
	return filepath.Join(dir, checksName), r.Optimize != nil && r.Optimize.Trace
}

// traced returns the number of checks per chain that are stored.
func (s *points) traced() int {
	if !s.record.Optimize.Trace {
		return 0
	}
	return int(s.record.Optimize.Checks())
}

// checked returns the arrays of the store of checks.
func (s *points) checked() []trace.Variable {
	vars := statsOfPoints()
	if s.rows == nil {
		return vars
	}
	accuracy, rmse := applies(s.rows)
	if accuracy {
		vars = append(vars, trace.Variable{Group: "sample_stats", Name: "accuracy",
			Doc: "share of the held-out rows whose class has the largest probability"})
	}
	if rmse {
		vars = append(vars, trace.Variable{Group: "sample_stats", Name: "rmse",
			Doc: "root of the mean squared error of the held-out rows"})
	}
	return vars
}

// check appends the results of one check to the chain's store of checks.
func (s *points) check(c *pointChain, out []float64, stats *optimize.Stats) error {
	for i := range pointStats {
		c.one[0] = pointStats[i].get(stats)
		c.checks.Put(i, c.one[:])
	}
	if s.rows == nil {
		return disk(c.checks.Next())
	}
	at, score := len(pointStats), s.score(out)
	accuracy, rmse := applies(s.rows)
	for _, x := range []struct {
		applies bool
		get     func(*Score) *Float
	}{{accuracy, func(s *Score) *Float { return s.Accuracy }},
		{rmse, func(s *Score) *Float { return s.RMSE }}} {
		if !x.applies {
			continue
		}
		c.one[0] = math.NaN()
		if score != nil && x.get(score) != nil {
			c.one[0] = float64(*x.get(score))
		}
		c.checks.Put(at, c.one[:])
		at++
	}
	return disk(c.checks.Next())
}

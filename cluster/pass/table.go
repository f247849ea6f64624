package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/internal/driver"
)

// A Result is what a task makes.
type Result struct {
	Bytes []byte
	Rows  int64 // that were worked on, for the progress
}

// A Kind is a kind of pass. Do is a pure function of the objects of the run, the body of the
// request and the number of the task: it gives the same bytes wherever and whenever it runs.
type Kind struct {
	Name string
	Doc  string
	Do   func(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error)
	// Compiled is the model that tasks evaluate, whose engine is built before; nil: none.
	Compiled func(ctx context.Context, e *Env, body json.RawMessage) (*driver.Compiled, error)
	// Light says that a row costs less than to send it to an engine, so that one is built only
	// if it was asked for by name.
	Light bool
}

// Kinds lists what tasks can do.
var Kinds = []Kind{
	{"sizes", "how many rows a piece has, and the sizes that its rows settle", doSizes, nil, false},
	{"statistics", "the sums by which the rows of a piece enter a likelihood", doStatistics,
		ofRun, true},
	{"pilot", "what the rows of a piece settle, and some of them, drawn evenly", doPilot, nil, false},
	{"gradient", "the second order of the log likelihood of a piece at an anchor", doGradient,
		ofRun, false},
	{"fold", "the sums of the results of tasks of another pass", doFold, nil, false},
	{"leverage", "rows of a piece, drawn by their leverage", doLeverage, ofRun, false},
	{"check", "the log likelihood of a piece at draws", doCheck, ofRun, false},
	{"distinct", "the different rows of a piece, with the number of each", doDistinct, nil, false},
	{"subposterior", "moments of the posterior of a piece, with its share of the prior",
		doSubposterior, ofRun, false},
	{"score", "the log predictive density of the rows of a piece under draws",
		underDraws("score"), ofRun, false},
	{"log-lik", "the log likelihood of the rows of a piece at draws", underDraws("log-lik"),
		ofRun, false},
	{"loo", "Pareto-smoothed leave-one-out densities of the rows of a piece", underDraws("loo"),
		ofRun, false},
	{"predict", "means and quantiles of predictions for the rows of a piece",
		underDraws("predict"), ofRun, false},
	{"split", "the rows of a piece by the part that their key belongs to", doSplit, nil, false},
	{"fleet", "a posterior for each key of a part", doFleet, ofRun, false},
	{"replicate", "posteriors of simulated data sets, for calibration", doReplicate, ofRun, false},
	{"sweep", "posteriors of simulated data sets, by several settings", doSweep, ofRun, false},
	{"chain", "the steps of a chain until it is complete, or its time is over", doChain,
		ofPrepared, false},
}

// ofRun is the model of the run.
func ofRun(_ context.Context, e *Env, _ json.RawMessage) (*driver.Compiled, error) {
	return e.Compiled()
}

// underDraws is the work of a kind of package worker that looks at the rows of a piece by the
// draws of the run.
func underDraws(
	kind string,
) func(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	return func(ctx context.Context, e *Env, _ json.RawMessage, index int) (Result, error) {
		d, err := e.draws(ctx)
		if err != nil {
			return Result{}, err
		}
		return e.EvaluatePiece(ctx, index, kind, nil, d)
	}
}

// Lookup finds a kind by its name; nil where there is none.
func Lookup(name string) *Kind {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i]
		}
	}
	return nil
}

package pass

import (
	"context"
	"encoding/json"
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
	// Evaluates says that the model is evaluated, so that its engine is built before.
	Evaluates bool
}

// Kinds lists what tasks can do.
var Kinds = []Kind{
	{"sizes", "how many rows a piece has, and the sizes that its rows settle", doSizes, false},
	{"statistics", "the sums by which the rows of a piece enter a likelihood", doStatistics, false},
	{"pilot", "what the rows of a piece settle, and some of them, drawn evenly", doPilot, false},
	{"gradient", "the second order of the log likelihood of a piece at an anchor", doGradient, false},
	{"leverage", "rows of a piece, drawn by their leverage", doLeverage, false},
	{"check", "the log likelihood of a piece at draws", doCheck, false},
	{"score", "the log predictive density of the rows of a piece under draws",
		underDraws("score"), true},
	{"log-lik", "the log likelihood of the rows of a piece at draws", underDraws("log-lik"), true},
	{"loo", "Pareto-smoothed leave-one-out densities of the rows of a piece", underDraws("loo"),
		true},
	{"predict", "means and quantiles of predictions for the rows of a piece",
		underDraws("predict"), true},
	{"split", "the rows of a piece by the part that their key belongs to", doSplit, false},
	{"fleet", "a posterior for each key of a part", doFleet, true},
	{"replicate", "posteriors of simulated data sets, for calibration", doReplicate, false},
	{"chain", "the steps of a chain until it is complete, or its time is over", doChain, false},
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

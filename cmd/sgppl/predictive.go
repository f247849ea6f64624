package main

import (
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// scoreRows averages over draws: within a chain draw by draw, then the chains
// in their order. Draws are evaluated by several goroutines, and summed up in
// their order: the result does not depend on their number.
func scoreRows(b *binding, draws *runDraws, threads int) (*run.Score, error) {
	rows := predictive.Of(b.target)
	workers := make([]*model.Evaluator, threadsOf(threads, draws.Total()))
	for i := range workers {
		workers[i] = b.target.Evaluator(0)
	}
	// Draws come chain by chain: one is added up at a time.
	all, chain, at := rows.Average(), rows.Average(), -1
	err := draws.each(threads, rows.Width(), func(worker int, x drawn, out []float64) error {
		rows.Predict(workers[worker], x.X, out)
		return nil
	}, func(x drawn, out []float64) error {
		if x.Chain != at {
			if at >= 0 {
				all.Merge(chain)
			}
			chain, at = rows.Average(), x.Chain
		}
		chain.Add(out)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all.Merge(chain)
	return run.ScoreOf(all.Score(nil), rows), nil
}

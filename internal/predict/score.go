package predict

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Score averages over draws: within a chain draw by draw, then the chains
// in their order. Draws are evaluated by several goroutines, and summed up in
// their order: the result does not depend on their number.
func Score(b *session.Binding, draws *session.RunDraws, threads int) (*run.Score, error) {
	rows := predictive.Of(b.Target)
	workers := make([]*model.Evaluator, session.ThreadsOf(threads, draws.Total()))
	for i := range workers {
		workers[i] = b.Target.Evaluator(0)
	}
	// Draws come chain by chain: one is added up at a time.
	all, chain, at := rows.Average(), rows.Average(), -1
	err := draws.ForEach(threads, rows.Width(),
		func(worker int, x session.Drawn, out []float64) error {
			rows.Predict(workers[worker], x.X, out)
			return nil
		}, func(x session.Drawn, out []float64) error {
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

package main

import (
	"math"

	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/special"
)

// A prediction is what one draw says of every row.
type prediction struct {
	loglik []float64
	sites  [][]float64 // by site: means, or log probabilities of classes
}

// predictionIn lays a prediction into room for all its numbers.
func predictionIn(room []float64, rows int, sites []*site) prediction {
	p := prediction{loglik: room[:rows]}
	room = room[rows:]
	for _, s := range sites {
		p.sites, room = append(p.sites, room[:len(s.sum)]), room[len(s.sum):]
	}
	return p
}

// scoreRows averages over draws. Draws are evaluated by several goroutines,
// and summed up in their order: the result does not depend on their number.
func scoreRows(b *binding, draws *runDraws, threads int) (*score, error) {
	sites := scoredSites(b)
	n := b.target.Rows()
	width := n
	for _, s := range sites {
		width += len(s.sum)
	}
	workers := make([]*model.Evaluator, threadsOf(threads, draws.Total()))
	for i := range workers {
		workers[i] = b.target.Evaluator(0)
	}
	top, sum := make([]float64, n), make([]float64, n) // Σ exp(l) = sum exp(top)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	err := draws.each(threads, width, func(worker int, x drawn, out []float64) error {
		p := predictionIn(out, n, sites)
		p.predict(workers[worker], x.X, sites)
		return nil
	}, func(_ drawn, out []float64) error {
		p := predictionIn(out, n, sites)
		logSumExp(top, sum, p.loglik)
		for k, s := range sites {
			s.take(p.sites[k])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	total, s := 0.0, float64(draws.Total())
	for i := range top {
		total += top[i] + special.Log(sum[i]/s)
	}
	out := &score{Rows: n, Draws: draws.Total(), LPDMean: run.Float(total / float64(n))}
	out.fill(b, sites, s)
	return out, nil
}

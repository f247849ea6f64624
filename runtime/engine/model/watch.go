package model

import (
	"math"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// mostWatched bounds the coordinates of a row that are watched.
const mostWatched = 64

// Watch implements target.LocalEvaluator.
func (e *Evaluator) Watch(x []float64, rows []int, starts, draws int) []target.LocalTrace {
	l := e.locals
	if l == nil {
		return nil
	}
	rows = e.local(rows)
	o := l.options
	o.Kept, o.Thin = draws, 1
	w := &locals{e: e, options: o, stream: rng.New(l.seed, l.chain, rng.Watch),
		localTuning: localTuning{current: l.tuned},
		localPlaces: localPlaces{steps: l.steps, accepted: l.accepted}}
	w.randomLaws()
	w.hire(min(o.Threads, len(rows)), chainDims(e.m.Dims, o))
	links := e.m.Spec.Chain.Links
	out := make([]target.LocalTrace, len(links))
	seen := make([][]watched, len(links))
	for i, k := range links {
		out[i] = target.LocalTrace{Name: k.Name, Step: math.NaN(), Acceptance: math.NaN(),
			Rows: make([][][][]float64, len(rows))}
		seen[i] = make([]watched, len(rows)*starts)
	}
	for start := range starts {
		w.visit = uint64(start)
		var wait sync.WaitGroup
		for part, worker := range w.workers {
			wait.Go(func() {
				worker.begin(x)
				for r := len(rows) * part / len(w.workers); r <
					len(rows)*(part+1)/len(w.workers); r++ {
					worker.run(rows[r])
					for i := range links {
						seen[i][r*starts+start] = worker.look(i, rows[r])
					}
				}
			})
		}
		wait.Wait()
	}
	for i, k := range links {
		for r := range rows {
			out[i].Rows[r] = coordinates(seen[i][r*starts:(r+1)*starts], draws)
		}
		if k.Step == "" {
			continue
		}
		out[i].Step, out[i].Acceptance = math.Exp(w.current[2*slices.Index(l.steps,
			e.m.filled(k.Step))]), 0
		for _, s := range seen[i] {
			out[i].Acceptance += s.accepted / float64(len(seen[i]))
		}
	}
	return out
}

// watched are the draws of a chain, by entry and sweep.
type watched struct {
	draws    []float64
	accepted float64
}

// look copies what the chain of a row left, without its padding.
func (w *localWorker) look(link, row int) watched {
	e, k := w.e, &w.e.m.Spec.Chain.Links[link]
	at := e.m.filled(k.Value)
	n := e.buffers[at].Width
	if e.trim != nil {
		inner := e.m.Spec.Data[at].Shape[1:]
		for i, d := range e.trim.dims {
			if name, _ := inner[0].Name(); name == d {
				n = int(e.trim.lengths[i][row]) * product(inner[1:], e.trim.now)
			}
		}
	}
	out := watched{draws: slices.Clone(e.frame.Dense[at][:n])}
	if k.Accepted != "" {
		out.accepted = e.frame.Dense[e.m.filled(k.Accepted)][0]
	}
	return out
}

// coordinates are what a row's chains are watched by. Draws of a discrete latent
// value are whole numbers, and of a continuous one not all of them are.
func coordinates(starts []watched, draws int) [][][]float64 {
	entries, values, discrete := len(starts[0].draws)/draws, 0, true
	for _, s := range starts {
		for _, v := range s.draws {
			values, discrete = max(values, int(v)+1), discrete && v == math.Trunc(v) && v >= 0
		}
	}
	n, of := min(entries, mostWatched),
		func(entry int, v float64) (int, float64) { return entry % mostWatched, v }
	switch {
	case !discrete: // some of many
		n, of = min(entries, mostWatched), func(entry int, v float64) (int, float64) {
			if entry >= mostWatched {
				return -1, 0
			}
			return entry, v
		}
	case values > 2 && entries*values <= mostWatched:
		n, of = entries*values,
			func(entry int, v float64) (int, float64) { return entry*values + int(v), 1 }
	case values > 2:
		n, of = min(values, mostWatched),
			func(entry int, v float64) (int, float64) { return int(v) % mostWatched, 1 }
	}
	out := make([][][]float64, n)
	for c := range out {
		out[c] = make([][]float64, len(starts))
		for s := range starts {
			out[c][s] = make([]float64, draws)
		}
	}
	for s := range starts {
		for i, v := range starts[s].draws {
			if c, add := of(i/draws, v); c >= 0 {
				out[c][s][i%draws] += add
			}
		}
	}
	return out
}

package main

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/special"
	"github.com/sgppl/sgppl/runtime/trace"
)

// readPoints reads the draws of a run as states of a model, at most limit of
// them (0: all), evenly spread over those of all chains.
func readPoints(dir string, m *model.Model, limit int) ([][]float64, error) {
	store, err := trace.Open(run.Draws(dir))
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	common, err := store.Common()
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	total := common * store.Chains()
	if total == 0 {
		return nil, fail(exitData, "%s has no draws", dir)
	}
	if limit == 0 || limit > total {
		limit = total
	}
	values := make([][]float64, limit)
	for i := range values {
		values[i] = make([]float64, m.OutputLen())
	}
	for _, o := range m.Outputs() {
		if o.Track {
			continue
		}
		v, ok := store.Lookup("posterior", o.Name)
		if !ok || v.Len() != o.Len {
			return nil, fail(exitData, "%s does not hold %s, which scoring needs: the run stored only what --keep named", dir, o.Name)
		}
		if err := spread(store, v, common, total, values, o.Offset); err != nil {
			return nil, fail(exitFiles, "%v", err)
		}
	}
	eval := m.NewEvaluator(1)
	points := make([][]float64, limit)
	for i, out := range values {
		points[i] = make([]float64, m.Dim())
		if err := eval.Unconstrain(out, points[i]); err != nil {
			return nil, fail(exitData, "draw %d cannot be evaluated: %v", i, err)
		}
	}
	return points, nil
}

// spread reads as many draws of a variable as there are values, evenly spread
// over the chains, into their entries from offset on. Draws come in blocks,
// since a file holds many.
func spread(store *trace.Store, v trace.Variable, common, total int, values [][]float64, offset int) error {
	const block = 512
	n := v.Len()
	var buf []float64
	loaded := -1 // the first draw of the block in buf
	for i, out := range values {
		at := int((2*int64(i) + 1) * int64(total) / (2 * int64(len(values))))
		chain, draw := at/common, at%common
		from := draw - draw%block
		if first := chain*common + from; first != loaded {
			to := min(from+block, common)
			buf = slices.Grow(buf[:0], (to-from)*n)[:(to-from)*n]
			if err := store.ReadDraws(v, chain, from, to, buf); err != nil {
				return err
			}
			loaded = first
		}
		copy(out[offset:offset+n], buf[(draw-from)*n:])
	}
	return nil
}

// A prediction is what one draw says of every row.
type prediction struct {
	loglik []float64
	sites  [][]float64 // by site: means, or log probabilities of classes
}

// scoreRows averages over draws. Draws are evaluated by several goroutines,
// and summed up in their order: the result does not depend on their number.
func scoreRows(b *binding, points [][]float64, threads int) (*score, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, len(points))
	sites := scoredSites(b)
	n := b.target.Rows()
	workers := make([]struct {
		eval *model.Evaluator
		p    prediction
	}, threads)
	for i := range workers {
		w := &workers[i]
		w.eval, w.p.loglik = b.target.Evaluator(0), make([]float64, n)
		for _, s := range sites {
			w.p.sites = append(w.p.sites, make([]float64, n*max(s.classes, 1)))
		}
	}
	top, sum := make([]float64, n), make([]float64, n) // Σ exp(l) = sum exp(top)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	for from := 0; from < len(points); from += threads {
		var wg sync.WaitGroup
		batch := points[from:min(from+threads, len(points))]
		for i, x := range batch {
			wg.Go(func() { workers[i].p.predict(workers[i].eval, x, sites) })
		}
		wg.Wait()
		for i := range batch {
			p := &workers[i].p
			logSumExp(top, sum, p.loglik)
			for k, s := range sites {
				s.take(p.sites[k])
			}
		}
	}
	total, s := 0.0, float64(len(points))
	for i := range top {
		total += top[i] + special.Log(sum[i]/s)
	}
	out := &score{Rows: n, Draws: len(points), LPDMean: run.Float(total / float64(n))}
	out.fill(b, sites, s)
	return out, nil
}

package diagnose

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A Summary describes the draws of one number.
type Summary struct {
	Mean, SD         float64
	MCSEMean, MCSESD float64
	Q5, Q50, Q95     float64
	ESSBulk, ESSTail float64
	Rhat             float64
}

// Summarize summarises the draws of one number, a slice a chain. A constant
// has its mean, quantiles and the standard deviation 0, the rest being NaN; a
// draw that is not finite makes all NaN.
func Summarize(chains [][]float64) Summary { return new(Workspace).Summarize(chains) }

// Summarize is the function of that name.
func (w *Workspace) Summarize(chains [][]float64) Summary {
	nan := math.NaN()
	s := Summary{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	for _, c := range chains {
		for _, x := range c {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return s
			}
		}
	}
	if _, total := shape(chains); total == 0 {
		return s
	}
	s.Mean, s.SD = moments(chains)
	w.sortDraws(chains)
	s.Q5, s.Q50, s.Q95 = quantile7(w.sorted, 0.05), quantile7(w.sorted, 0.5),
		quantile7(w.sorted, 0.95)
	if undefined(chains) {
		return s
	}
	s.MCSEMean = s.SD / math.Sqrt(w.ess(w.split(chains)))
	s.MCSESD = w.mcseSD(w.squares(chains, s.Mean))
	s.ESSTail = min(w.essBelow(chains, s.Q5), w.essBelow(chains, s.Q95))
	bulk := w.bulk(chains)
	s.ESSBulk = w.ess(bulk)
	s.Rhat = w.rhat(chains, bulk)
	return s
}

// SummarizeMany summarises n numbers with workers goroutines (0: as many as
// processors). load writes the draws of number i, by chain, into dst, which
// holds chains slices of the given number of draws; it is called from several
// goroutines at once. The first error, in the order of the numbers, ends it.
// Of draws that it has summarised before it gives the summary again.
func SummarizeMany(
	n, chains, draws, workers int, load func(i int, dst [][]float64) error,
) ([]Summary, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	out, errs := make([]Summary, n), make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			var w Workspace
			dst := make([][]float64, chains)
			for c := range dst {
				dst[c] = make([]float64, draws)
			}
			for i := int(next.Add(1)) - 1; i < n && !failed.Load(); i = int(next.Add(1)) - 1 {
				if errs[i] = load(i, dst); errs[i] != nil {
					failed.Store(true)
					return
				}
				out[i] = w.recall(dst)
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

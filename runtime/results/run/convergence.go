package run

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const (
	// judgedDraws bounds the number of values (draws times elements) that Convergence reads, so that a
	// run with very many elements does not end with minutes of sorting. judgedLeast is the number of
	// elements that it checks in any case.
	judgedDraws = 1 << 21
	judgedLeast = 64
	// judgedBlock is the number of neighbouring elements of a large array that are read together.
	judgedBlock = 16
)

// Convergence returns the rows of health computed from the draws that Choose selects: R-hat and
// effective sample sizes. If the run has very many elements it checks a subset, spread evenly over
// every array: looked is the number of elements checked, all their total number. It returns no rows
// for a run of an optimiser, and of a model without params, whose draws are independent.
func Convergence(dir string, r *Record) (rows []Health, looked, all int, err error) {
	if r.Optimize != nil || r.Still() {
		return nil, 0, 0, nil
	}
	store, err := trace.Open(filepath.Join(dir, drawsName))
	if err != nil {
		return nil, 0, 0, disk(err)
	}
	moments := SummarisedAsDrawn(store)
	if _, err := Choose(store, r, moments); err != nil {
		return nil, 0, 0, err
	}
	draws, err := store.Common()
	if err != nil {
		return nil, 0, 0, disk(err)
	}
	var arrays []trace.Variable
	for _, v := range store.Variables() {
		switch {
		case moments && v.Group == MomentsGroup && strings.HasSuffix(v.Name, meanSuffix),
			!moments && v.Group == "posterior" && !v.Static:
			arrays = append(arrays, v)
			all += v.Len()
		}
	}
	if moments {
		if draws, err = LeastCount(store); err != nil {
			return nil, 0, 0, disk(err)
		}
	}
	most := max(judgedDraws/max(draws*store.Chains(), 1), judgedLeast)
	var list []health.Quantity
	for _, v := range arrays {
		ranges := picks(v.Len(), all, most)
		for _, p := range ranges {
			var q []health.Quantity
			if moments {
				q, err = streamedQuantities(store, cutMean(v.Name), p[0], p[1])
			} else {
				q, err = quantities(store, v, p[0], p[1])
			}
			if err != nil {
				return nil, 0, 0, disk(err)
			}
			list = append(list, q...)
		}
		nameElements(v, ranges, list)
	}
	return Judge(store, list, draws), len(list), all, nil
}

// Judge returns the rows of health for the quantities of list, which were computed from draws draws
// of each chain of the store.
func Judge(store *trace.Store, list []health.Quantity, draws int) []Health {
	return healthOf(health.Convergence(list, store.Chains(), draws,
		func(i int) float64 { return within(store, list[i].Name) }))
}

// within returns the sum over chains of the effective sample size of the named element, computed
// for each chain separately. It is NaN if the element is not in the store or cannot be read.
func within(store *trace.Store, name string) float64 {
	param, _, _ := strings.Cut(name, "[")
	v, ok := store.Lookup("posterior", param)
	moments := SummarisedAsDrawn(store)
	if moments {
		v, ok = store.Lookup(MomentsGroup, param+meanSuffix)
		v.Name = param
	}
	if !ok {
		return math.NaN()
	}
	for i, element := range v.Elements() {
		if element != name {
			continue
		}
		if moments {
			return withinMoments(store, param, i)
		}
		a, err := store.ReadElements(v.Group, v.Name, i, i+1)
		if err != nil {
			return math.NaN()
		}
		return new(diagnose.Workspace).ESSWithin(series(a, 0))
	}
	return math.NaN()
}

// withinMoments is within for an element of which the run kept moments. It estimates the effective
// sample sizes by batch means.
func withinMoments(store *trace.Store, name string, element int) float64 {
	m, err := ReadMoments(store, name, element, element+1)
	if err != nil {
		return math.NaN()
	}
	m.Join(element)
	sum := 0.0
	for k := range m.Chains {
		sum += sketch.Join(m.Chains[k : k+1]).ESSMean
	}
	return sum
}

// picks returns the index ranges [from, to) of an array's n elements to check, where the arrays of
// the store have all elements together and about most of them are to be checked.
func picks(n, all, most int) [][2]int {
	if all <= most || n <= judgedBlock {
		return [][2]int{{0, n}}
	}
	blocks := max(int(int64(n)*int64(most)/int64(all))/judgedBlock, 1)
	out := make([][2]int, blocks)
	for i := range out { // a block in the middle of its share; a share is at least as long
		lo, hi := int(int64(n)*int64(i)/int64(blocks)), int(int64(n)*int64(i+1)/int64(blocks))
		from := lo + (hi-lo-judgedBlock)/2
		out[i] = [2]int{from, from + judgedBlock}
	}
	return out
}

// quantities returns the convergence statistics of the elements lo … hi−1 of an array of draws.
func quantities(store *trace.Store, v trace.Variable, lo, hi int) ([]health.Quantity, error) {
	a, err := store.ReadElements(v.Group, v.Name, lo, hi)
	if err != nil {
		return nil, err
	}
	all, err := diagnose.SummarizeMany(hi-lo, a.Chains, a.Draws, 0,
		func(i int, dst [][]float64) error {
			if a.Draws > 0 {
				a.Series(i, dst)
			}
			return nil
		})
	out := make([]health.Quantity, len(all))
	for i, x := range all {
		out[i] = health.Quantity{Rhat: x.Rhat, ESSBulk: x.ESSBulk, ESSTail: x.ESSTail,
			ESSMean: math.NaN()}
	}
	return out, err
}

// series returns the draws of one element as a slice per chain.
func series(a *trace.Array, element int) [][]float64 {
	out := make([][]float64, a.Chains)
	for c := range out {
		out[c] = make([]float64, a.Draws)
	}
	a.Series(element, out)
	return out
}

// streamedQuantities returns the convergence statistics of the elements lo … hi−1 of an array of
// which the run kept moments.
func streamedQuantities(store *trace.Store, name string, lo, hi int) ([]health.Quantity, error) {
	out := make([]health.Quantity, 0, hi-lo)
	for lo < hi {
		end := min(hi, lo+momentsAtOnce)
		m, err := ReadMoments(store, name, lo, end)
		if err != nil {
			return nil, err
		}
		for ; lo < end; lo++ {
			x := m.Join(lo)
			out = append(out, health.Quantity{Rhat: x.Rhat, ESSBulk: math.NaN(), ESSTail: math.NaN(),
				ESSMean: x.ESSMean})
		}
	}
	return out, nil
}

// momentsAtOnce is of how many elements moments are read at once: those of one take some hundred
// bytes with a sketch.
const momentsAtOnce = 1 << 13

// nameElements sets the names of the last quantities in list, which belong to the given ranges of
// elements of v.
func nameElements(v trace.Variable, ranges [][2]int, list []health.Quantity) {
	next := len(list)
	for _, r := range ranges {
		next -= r[1] - r[0]
	}
	if v.Group == MomentsGroup {
		v.Name = cutMean(v.Name)
	}
	for i, element := range v.Elements() {
		if len(ranges) == 0 {
			return
		}
		if i >= ranges[0][0] {
			list[next].Name = element
			next++
		}
		if i+1 == ranges[0][1] {
			ranges = ranges[1:]
		}
	}
}

func cutMean(name string) string { return strings.TrimSuffix(name, meanSuffix) }

const meanSuffix = ".mean"

// SummarisedAsDrawn reports whether summaries of the store come from moments that the run
// accumulated while sampling. It is true if the store has quantile sketches, or has moments and no
// draws.
func SummarisedAsDrawn(store *trace.Store) bool {
	if _, ok := store.Lookup(MomentsGroup, "count"); !ok {
		return false
	}
	if _, sketched := store.Lookup(MomentsGroup, "batches"); sketched {
		return true
	}
	for _, v := range store.Variables() {
		if v.Group == "posterior" && !v.Static {
			return false
		}
	}
	return true
}

// LeastCount returns the smallest number of draws over chains from which moments were computed.
func LeastCount(store *trace.Store) (int, error) {
	counts, err := store.Read(MomentsGroup, "count")
	if err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for c := range counts.Chains {
		least = min(least, counts.At(c, 0)[0])
	}
	return int(least), nil
}

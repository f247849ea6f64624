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
	// judgedDraws bounds how many draws Convergence reads, judgedLeast is how many
	// numbers it looks at whatever they are: so a run of very many numbers does not
	// end by minutes of sorting.
	judgedDraws = 1 << 21
	judgedLeast = 64
	// judgedBlock is how many neighbours of a large array are read together.
	judgedBlock = 16
)

// Convergence has the rows of health that the draws of a run give: R-hat and
// effective sample sizes, of the draws that Choose finds. Of very many numbers
// it looks at some, spread evenly over every array: looked of all.
func Convergence(dir string, r *Record) (rows []Health, looked, all int, err error) {
	if r.Optimize != nil {
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

// Judge has the rows of Convergence for numbers of a store, draws a chain.
func Judge(store *trace.Store, list []health.Quantity, draws int) []Health {
	return healthOf(health.Convergence(list, store.Chains(), draws,
		func(i int) float64 { return within(store, list[i].Name) }))
}

// within is the sum of the effective sample sizes of the chains each by itself, of
// the number with a name; NaN where it is not known.
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

// withinMoments is within, by batch means, of an element of which moments were kept.
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

// picks are the ranges of the elements of an array with n of them that are looked
// at, where most of all numbers are.
func picks(n, all, most int) [][2]int {
	if all <= most || n <= judgedBlock {
		return [][2]int{{0, n}}
	}
	blocks := max(int(int64(n)*int64(most)/int64(all))/judgedBlock, 1)
	out := make([][2]int, blocks)
	for i := range out { // each in the middle of its share, which is no shorter
		lo, hi := int(int64(n)*int64(i)/int64(blocks)), int(int64(n)*int64(i+1)/int64(blocks))
		from := lo + (hi-lo-judgedBlock)/2
		out[i] = [2]int{from, from + judgedBlock}
	}
	return out
}

// quantities judges the elements lo to hi of an array of draws.
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

// series are the draws of an element, by chain.
func series(a *trace.Array, element int) [][]float64 {
	out := make([][]float64, a.Chains)
	for c := range out {
		out[c] = make([]float64, a.Draws)
	}
	a.Series(element, out)
	return out
}

// streamedQuantities judges the elements lo to hi of an array of which the run kept
// moments.
func streamedQuantities(store *trace.Store, name string, lo, hi int) ([]health.Quantity, error) {
	m, err := ReadMoments(store, name, lo, hi)
	if err != nil {
		return nil, err
	}
	out := make([]health.Quantity, hi-lo)
	for i := range out {
		x := m.Join(lo + i)
		out[i] = health.Quantity{Rhat: x.Rhat, ESSBulk: math.NaN(), ESSTail: math.NaN(),
			ESSMean: x.ESSMean}
	}
	return out, nil
}

// nameElements names the last numbers of a list, which are those of ranges of the
// elements of an array.
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

// SummarisedAsDrawn reports whether a store is summarised by what the run computed of its draws as
// they came: where there is a sketch, or there are no draws.
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

// LeastCount is the least number of draws of which a chain has moments.
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

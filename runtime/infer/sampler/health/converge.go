package health

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Quantity is one number of the draws, with measures of the convergence of its chains. They are
// NaN where they were not computed or are not defined.
type Quantity struct {
	Name string // such as w[3]
	Rhat float64
	// Effective sample sizes of all chains together. ESSMean is computed from batch means, for runs
	// that did not keep their draws.
	ESSBulk, ESSTail, ESSMean float64
}

// The bounds of Vehtari et al. (2021), "Rank-normalization, folding, and
// localization: an improved R-hat", section 4, and the 1.05 above which draws are
// not to be used.
const (
	rhatUnsure  = 1.01
	rhatOff     = 1.05
	essPerChain = 100
	// With more than this many numbers, the largest R-hat is larger by chance; the bounds are raised
	// so that they are exceeded no more often than with this many.
	fewNumbers = 20
	// A run is off only if independent draws, of the same effective number, would have such an R-hat,
	// as the largest of all numbers, with less than this probability.
	rareRhat = 1e-3
)

// Convergence returns the health rows of the worst R-hat and the smallest effective sample sizes
// among numbers, with draws draws from each chain. The block of a row is the number's name. within,
// which may be nil, returns the sum of the effective sample sizes of number i in the single chains;
// the error of the R-hat row is its variation by chance for that size. Without draws it returns no
// rows.
func Convergence(q []Quantity, chains, draws int, within func(i int) float64) []Row {
	if draws == 0 || chains == 0 || len(q) == 0 {
		return nil
	}
	nan := math.NaN()
	looks := 0
	for i := range q {
		if !math.IsNaN(q[i].Rhat) {
			looks++
		}
	}
	worst, rank := -1, -1
	for i := range q {
		if math.IsNaN(q[i].Rhat) {
			continue
		}
		if r := q[i].rank(chains, draws, looks); r > rank ||
			r == rank && q[i].Rhat > q[worst].Rhat {
			worst, rank = i, r
		}
	}
	if worst < 0 {
		return []Row{{"all", "rhat", nan, 1, nan, "unsure"}}
	}
	row := Row{q[worst].Name, "rhat", q[worst].Rhat, 1, nan, []string{"ok", "unsure", "off"}[rank]}
	if within != nil {
		row.MCSE = rhatError(chains, within(worst)/float64(2*chains))
	}
	out := []Row{row}
	for _, s := range []struct {
		name string
		of   func(q *Quantity) float64
	}{
		{"ess_bulk", func(q *Quantity) float64 { return q.ESSBulk }},
		{"ess_tail", func(q *Quantity) float64 { return q.ESSTail }},
		{"ess_mean", func(q *Quantity) float64 { return q.ESSMean }},
	} {
		least := -1
		for i := range q {
			if v := s.of(&q[i]); !math.IsNaN(v) && (least < 0 || v < s.of(&q[least])) {
				least = i
			}
		}
		if least < 0 {
			continue
		}
		row := Row{q[least].Name, s.name, s.of(&q[least]), nan, nan, "ok"}
		if row.Value < float64(essPerChain*chains) {
			row.Verdict = "unsure"
		}
		out = append(out, row)
	}
	return out
}

// rhatError returns the standard deviation of the R-hat of chains that agree, for half chains of n
// effective draws: the means of halves vary by W/n, and R-hat − 1 is their variance over 2 W, which
// has 2·chains − 1 degrees of freedom.
func rhatError(chains int, n float64) float64 {
	return math.Sqrt(2/float64(2*chains-1)) / (2 * n)
}

// rank returns 0 for an R-hat that is good, 1 for one that is unsure and 2 for one that is off,
// given that it is the largest of looks numbers.
func (q *Quantity) rank(chains, draws, looks int) int {
	halves, half := float64(2*chains), float64(draws/2)
	// The effective size of chains that disagree is small, which must not excuse them: a size below
	// the one that is wanted counts as that.
	size := float64(essPerChain * chains)
	for _, s := range []float64{q.ESSBulk, q.ESSMean} {
		if s > size { // false for NaN
			size = s
		}
	}
	size = math.Min(size, float64(chains*draws))
	// chance returns the log of the probability that R-hat exceeds r by chance, for halves of n
	// effective draws: the variance of their means is then W/n times an F variable.
	chance := func(r, n float64) float64 {
		if math.IsInf(r, 1) || half < 1 {
			return math.Inf(-1)
		}
		f, a, b := n*math.Max(float64(r*r)-1+1/half, 0), halves-1, halves*math.Max(n-1, 1)
		return special.LogBetaIncLogit(b/2, a/2, math.Log(b/math.Max(float64(a*f), 1e-300)))
	}
	share := 0.0 // log of the factor by which exceeding the bound must be less likely
	if looks > fewNumbers {
		share = math.Log(fewNumbers / float64(looks))
	}
	beyond := func(bound float64) bool {
		return q.Rhat > bound &&
			(share == 0 || chance(q.Rhat, size/halves) < chance(bound, size/halves)+share)
	}
	switch {
	case beyond(rhatOff) && chance(q.Rhat, half) < math.Log(rareRhat/float64(2*looks)):
		// two tests: by ranks, and by ranks of distances from the median
		return 2
	case beyond(rhatUnsure):
		return 1
	}
	return 0
}

// converges has the names of the statistics that Convergence returns.
var converges = map[string]bool{"rhat": true, "ess_bulk": true, "ess_tail": true, "ess_mean": true}

// Converges reports whether a statistic is one of those of Convergence.
func Converges(statistic string) bool { return converges[statistic] }

const (
	// disagreement is the number of errors by which an R-hat exceeds 1 if chains disagree by more than
	// the variation within each.
	disagreement = 6
	// settledHalf is the number of effective draws in a half chain above which the chain counts as
	// settled.
	settledHalf = 10
)

// longerBy returns the advice by which factor a run must be longer, if its effective sample size is
// too small: that size grows in proportion to the length. It returns nil where no factor can be
// given.
func longerBy(ess float64, c *settings.Config) []remedy {
	const spare = 1.1 // the effective size is only an estimate
	factor := math.Ceil(10*spare*float64(essPerChain*c.Chains)/ess) / 10
	if !(ess >= 1 && factor > 1) || c.Draws <= 0 {
		return nil
	}
	draws := math.Ceil(factor*float64(c.Draws)/100) * 100
	if !(draws < 1e15) {
		return nil
	}
	out := []remedy{always(fmt.Sprintf("{draws} %.0f (%.1f times as many)", draws, factor))}
	// With more thinning draws become at most independent.
	if thin := math.Ceil(factor * float64(max(c.Thin, 1))); float64(c.Draws) >=
		spare*2*essPerChain {
		out = append(out, unplanned(fmt.Sprintf("{thin} %.0f", thin)))
	}
	return out
}

// converging returns the sentence for a row of Convergence that is not good, with what to try under
// the settings c.
func converging(r Row, c *settings.Config, row *table.Row) string {
	longer := advisory{try: []remedy{always("more {draws}"), moreThin, longerTime}}
	if r.Statistic != "rhat" {
		longer.says = fmt.Sprintf("is %.0f, fewer than %d a chain: the run is too short for its "+
			"quantiles and errors", r.Value, essPerChain)
		if more := longerBy(r.Value, c); more != nil {
			longer.try = more
		}
		return longer.says + longer.remedies(c, row) + "."
	}
	if math.IsNaN(r.Value) {
		return setting.Text("cannot be computed: there are fewer than four draws, nothing that " +
			"is stored moves, or means were kept without {sketch}.")
	}
	says := fmt.Sprintf("is %.3g: ", r.Value)
	apart := advisory{try: []remedy{longerWarmup, otherInit, exchanged, relabelled,
		planned("{sampler} nuts"), always("more {chains}")}}
	switch {
	case c.Chains == 1:
		says += setting.Text("the two halves of the only chain disagree, so the run is too " +
			"short; more {chains} would tell of other modes")
		longer.try = append([]remedy{longerWarmup}, longer.try...)
		return says + longer.remedies(c, row) + "."
	case r.Value > rhatOff && r.Value-1 > disagreement*r.MCSE &&
		r.MCSE <= rhatError(c.Chains, settledHalf):
		// false for NaN
		early := ", or the warm-up was too short"
		if c.Anchored() {
			early = ", or the run was too short"
		}
		return says + "the chains differ in place or in spread by more than each of them varies: " +
			"they are in different modes, labels of a mixture are switched" + early +
			"; `sgppl report` shows them chain by chain" + apart.remedies(c, row) + "."
	case math.IsNaN(r.MCSE):
		says += "the chains disagree (different modes?), or the run is too short"
	default:
		says += "the chains have not come together, so the run is too short for how slowly they move"
	}
	longer.try = append([]remedy{longerWarmup}, longer.try...)
	return says + longer.remedies(c, row) + "."
}

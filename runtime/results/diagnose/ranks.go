package diagnose

import (
	"math"
	"slices"
)

// Ranks of a prior draw among posterior draws are uniform on 0 … L when the
// sampler and the model agree (Talts, Betancourt, Simpson, Vehtari and Gelman
// 2018, theorem 1). This file tests that with the graphical test of Säilynoja,
// Bürkner and Vehtari, "Graphical test for discrete uniformity and its
// applications in goodness-of-fit evaluation and multiple sample comparison",
// Statistics and Computing 32 (2022), section 2: pointwise binomial intervals
// of the empirical distribution function, of which the level γ is adjusted so
// that all of them hold at once with the probability asked for. Coverage is
// computed exactly, by their recursion over the values of a rank, not simulated.

// A RankBand has the simultaneous bounds of the empirical distribution function
// of a sample of ranks.
type RankBand struct {
	Sample   int     // how many ranks
	Values   int     // how many values a rank can have: 0 … Values−1
	Gamma    float64 // a count whose two-sided binomial tail is above γ is inside
	Coverage float64 // the probability that a uniform sample is inside everywhere
	// Lo and Hi bound, for every value i but the last, how many ranks are at most i.
	Lo, Hi []int
}

// NewRankBand makes the narrowest band whose coverage is at least the one
// given, of sample ≥ 1 ranks with values ≥ 2 values.
func NewRankBand(sample, values int, coverage float64) *RankBand {
	r := newRankLaw(sample, values)
	lo, hi := 0.0, 1.0 // the coverage falls in γ: from 1, to 0
	for range 60 {
		if g := (lo + hi) / 2; r.band(g).Coverage >= coverage {
			lo = g
		} else {
			hi = g
		}
		if hi-lo < 1e-6*hi {
			break
		}
	}
	return r.band(lo)
}

// Inside reports whether a sample of ranks stays between the bounds. It panics
// when their number is not the band's, or a rank has no such value.
func (b *RankBand) Inside(ranks []int) bool {
	at, _ := b.worst(ranks)
	return at < 0
}

// worst is the value at which the sample is farthest outside the bounds, −1
// when it is inside, and its distance from them in ranks.
func (b *RankBand) worst(ranks []int) (at, by int) {
	at = -1
	for i, c := range cumulative(ranks, b.Sample, b.Values) {
		if d := max(b.Lo[i]-c, c-b.Hi[i]); d > by {
			at, by = i, d
		}
	}
	return at, by
}

// cumulative counts, for every value but the last, the ranks that are at most it.
func cumulative(ranks []int, sample, values int) []int {
	if len(ranks) != sample {
		panic("diagnose: another number of ranks than the band's")
	}
	count := make([]int, values)
	for _, r := range ranks {
		count[r]++
	}
	for i := 1; i < values; i++ {
		count[i] += count[i-1]
	}
	return count[:values-1]
}

// RankHistogram counts ranks in bins of as equal a width as can be; values is
// how many values a rank can have.
func RankHistogram(ranks []int, values, bins int) []int {
	out := make([]int, bins)
	for _, r := range ranks {
		out[r*bins/values]++
	}
	return out
}

// RankTest holds samples of ranks, of one size each, against uniformity. It
// shares what does not depend on them.
type RankTest struct{ law *rankLaw }

// NewRankTest is for samples of sample ≥ 1 ranks with values ≥ 2 values.
func NewRankTest(sample, values int) *RankTest { return &RankTest{newRankLaw(sample, values)} }

// P is the probability that a uniform sample comes as close to the edge of its
// pointwise intervals, somewhere, as this one does: the p-value of the graphical
// test. It is at most 1 − c for the samples outside the band of coverage c.
// Below 1e-12 it is 0.
func (t *RankTest) P(ranks []int) float64 {
	gamma := 2.0
	for i, c := range cumulative(ranks, t.law.sample, t.law.values) {
		gamma = min(gamma, t.law.tail(i, c))
	}
	p := 1 - t.law.band(gamma).Coverage
	if p < 1e-12 {
		return 0
	}
	return p
}

// A rankLaw holds the binomial laws that the counts of uniform ranks have.
type rankLaw struct {
	sample, values int
	logFactorial   []float64
	below, above   [][]float64 // by value i and count k: P(B_i ≤ k) and P(B_i ≥ k)
}

func newRankLaw(sample, values int) *rankLaw {
	if sample < 1 || values < 2 {
		panic("diagnose: a rank needs two values, and a band one rank")
	}
	r := &rankLaw{sample: sample, values: values, logFactorial: make([]float64, sample+1)}
	for k := 2; k <= sample; k++ {
		r.logFactorial[k] = r.logFactorial[k-1] + math.Log(float64(k))
	}
	for i := range values - 1 {
		p := float64(i+1) / float64(values)
		pmf := make([]float64, sample+1)
		for k := range pmf {
			pmf[k] = math.Exp(r.logChoose(sample, k) + float64(float64(k)*math.Log(p)) +
				float64(float64(sample-k)*math.Log1p(-p)))
		}
		below, above := slices.Clone(pmf), slices.Clone(pmf)
		for k := 1; k <= sample; k++ {
			below[k] += below[k-1]
			above[sample-k] += above[sample-k+1]
		}
		r.below, r.above = append(r.below, below), append(r.above, above)
	}
	return r
}

func (r *rankLaw) logChoose(n, k int) float64 {
	return r.logFactorial[n] - r.logFactorial[k] - r.logFactorial[n-k]
}

// tail is the two-sided binomial tail of the count k of ranks at most i.
func (r *rankLaw) tail(i, k int) float64 { return 2 * min(r.below[i][k], r.above[i][k]) }

// band is the region of counts with a tail above γ, and its probability.
func (r *rankLaw) band(gamma float64) *RankBand {
	b := &RankBand{Sample: r.sample, Values: r.values, Gamma: gamma, Lo: make([]int, r.values-1),
		Hi: make([]int, r.values-1)}
	for i := range b.Lo {
		lo, hi := 0, r.sample
		for lo <= r.sample && 2*r.below[i][lo] <= gamma {
			lo++
		}
		for hi >= 0 && 2*r.above[i][hi] <= gamma {
			hi--
		}
		b.Lo[i], b.Hi[i] = lo, hi
		if lo > hi {
			return b // nothing is inside
		}
	}
	b.Coverage = r.coverage(b)
	return b
}

// coverage is the probability that the counts stay between the bounds. They are
// a Markov chain: given n ranks below value i, those that have it are
// Bin(sample − n, 1/(values − i)).
func (r *rankLaw) coverage(b *RankBand) float64 {
	have, next := make([]float64, r.sample+1), make([]float64, r.sample+1)
	have[0] = 1
	from, to := 0, 0
	for i := range b.Lo {
		p := 1 / float64(r.values-i)
		logP, logQ := math.Log(p), math.Log1p(-p)
		clear(next)
		for n := from; n <= to; n++ {
			if have[n] == 0 {
				continue
			}
			first, rest := max(n, b.Lo[i]), r.sample-n
			// Binomial probabilities one from the other: C(m, k+1)/C(m, k) = (m−k)/(k+1).
			k := first - n
			if k > rest {
				continue
			}
			w := have[n] * math.Exp(r.logChoose(rest, k)+float64(float64(k)*logP)+
				float64(float64(rest-k)*logQ))
			odds := p / (1 - p)
			for m := first; m <= b.Hi[i]; m++ {
				next[m] += w
				w *= odds * float64(rest-k) / float64(k+1)
				k++
			}
		}
		have, next = next, have
		from, to = b.Lo[i], b.Hi[i]
	}
	var sum float64
	for n := from; n <= to; n++ {
		sum += have[n]
	}
	return min(sum, 1)
}

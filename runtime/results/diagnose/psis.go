package diagnose

import (
	"cmp"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Pareto smoothed importance sampling: Vehtari, Simpson, Gelman, Yao, Gabry,
// "Pareto smoothed importance sampling", Journal of Machine Learning Research
// 25 (2024), sections 2 and 3.

// KThreshold is the Pareto k above which estimates from that many draws are
// not to be trusted: min(1 − 1/log10 S, 0.7) (section 3.2.4).
func KThreshold(draws int) float64 {
	return min(1-1/math.Log10(float64(draws)), 0.7)
}

// tailLength is how many of the largest ratios are smoothed: a fifth, or fewer
// of many draws, more of correlated ones (section 2.1; the relative efficiency
// as in the R package loo).
func tailLength(draws int, reff float64) int {
	return int(math.Ceil(min(0.2*float64(draws), 3*math.Sqrt(float64(draws)/reff))))
}

// PSIS turns log importance ratios into the logarithms of smoothed weights
// that sum to one, in the order of the draws, and returns the Pareto k. reff is
// the relative efficiency of the ratios, 1 for independent draws. Ratios that are
// equal, or differ by no more than rounding, have k = 0 and equal weights; k is +Inf where the tail
// is too short or not finite, and the weights are then those of the ratios.
func (w *Workspace) PSIS(ratios []float64, reff float64, logWeights []float64) (k float64) {
	top := slices.Max(ratios) // NaN, if one is
	lo := slices.Min(ratios)
	if top-lo == 0 || !math.IsInf(top, 0) && top-lo <= rounding*max(1, math.Abs(top)) {
		for i := range logWeights {
			logWeights[i] = -special.Log(float64(len(ratios)))
		}
		return 0
	}
	for i, r := range ratios {
		logWeights[i] = r - top
	}
	k = math.Inf(1)
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return k
	}
	if n := tailLength(len(ratios), reff); n >= 5 && n < len(ratios) {
		k = w.smoothTail(logWeights, n)
	}
	sum := 0.0
	for i, l := range logWeights {
		logWeights[i] = min(l, 0) // no weight above the largest ratio
		sum += special.Exp(logWeights[i])
	}
	sum = special.Log(sum)
	for i := range logWeights {
		logWeights[i] -= sum
	}
	return k
}

// rounding is how much logarithms of one number may differ, relative to their size, or
// to 1 where they are smaller: a likelihood that does not depend on the draw, or is 1 up
// to rounding at all draws, is constant.
const rounding = 0x1p-46

// A ratio is a log importance ratio and the number of its draw.
type ratio struct {
	x  float64
	at int
}

func (r ratio) compare(s ratio) int {
	return cmp.Or(cmp.Compare(r.x, s.x), cmp.Compare(r.at, s.at))
}

// largest appends the n largest numbers, in rising order, and of equal ones in
// the order in which they come: by a heap whose root is the least.
func largest(heap []ratio, x []float64, n int) []ratio {
	sink := func(i int) {
		for {
			least := 2*i + 1
			if least >= len(heap) {
				return
			}
			if next := least + 1; next < len(heap) && heap[next].compare(heap[least]) < 0 {
				least = next
			}
			if heap[i].compare(heap[least]) <= 0 {
				return
			}
			heap[i], heap[least] = heap[least], heap[i]
			i = least
		}
	}
	for i, v := range x {
		switch r := (ratio{v, i}); {
		case len(heap) < n:
			if heap = append(heap, r); len(heap) == n {
				for k := n/2 - 1; k >= 0; k-- {
					sink(k)
				}
			}
		case v >= heap[0].x: // a later one of equals is the larger
			heap[0] = r
			sink(0)
		}
	}
	slices.SortFunc(heap, ratio.compare)
	return heap
}

// smoothTail replaces the n largest weights by quantiles of a generalised
// Pareto distribution that was fitted to them.
func (w *Workspace) smoothTail(logWeights []float64, n int) (k float64) {
	w.ratios = largest(w.ratios[:0], logWeights, n+1)
	tail := w.ratios[1:]
	if tail[n-1].x-tail[0].x < 0x1p-52/100 {
		return math.Inf(1) // nothing to fit
	}
	cutoff := special.Exp(w.ratios[0].x)
	w.sorted = resize(w.sorted, n)
	for i, e := range tail {
		w.sorted[i] = special.Exp(e.x) - cutoff
	}
	k, sigma := gpdFit(w.sorted)
	if math.IsInf(k, 0) {
		return k
	}
	for i, e := range tail {
		q := gpdQuantile((float64(i)+0.5)/float64(n), k, sigma)
		logWeights[e.at] = special.Log(q + cutoff)
	}
	return k
}

// gpdFit estimates shape and scale of a generalised Pareto distribution from
// sorted positive numbers: the profile posterior mean of Zhang and Stephens,
// "A new and efficient estimation method for the generalized Pareto
// distribution", Technometrics 51 (2009), with a weak prior towards k = 1/2,
// as if of ten observations (Vehtari et al., appendix G). +Inf where there is none.
func gpdFit(x []float64) (k, sigma float64) {
	const prior, points = 3, 30
	n := float64(len(x))
	m := points + int(math.Sqrt(n))
	quartile := x[int(float64(n/4)+0.5)-1]
	theta, logl := make([]float64, m), make([]float64, m)
	top := math.Inf(-1)
	for j := range theta {
		theta[j] = 1/x[len(x)-1] + (1-math.Sqrt(float64(m)/(float64(j)+0.5)))/(prior*quartile)
		shape := meanLog1p(-theta[j], x)
		logl[j] = n * (special.Log(-theta[j]/shape) - shape - 1)
		top = max(top, logl[j])
	}
	var sum, at float64
	for j, l := range logl {
		p := special.Exp(l - top)
		sum += p
		at += float64(p * theta[j])
	}
	at /= sum
	k = meanLog1p(-at, x)
	sigma = -k / at
	k = (float64(k*n) + 10*0.5) / (n + 10)
	if math.IsNaN(k) || math.IsNaN(sigma) {
		return math.Inf(1), sigma
	}
	return k, sigma
}

// meanLog1p is the mean of log(1 + a x).
func meanLog1p(a float64, x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += special.Log1p(float64(a * v))
	}
	return sum / float64(len(x))
}

// gpdQuantile is the quantile p of the generalised Pareto distribution at 0.
func gpdQuantile(p, k, sigma float64) float64 {
	e := -special.Log1p(-p)
	if k == 0 {
		return sigma * e
	}
	return sigma * special.Expm1(k*e) / k
}

// Package powerscale says how much posteriors depend on their priors and on their data:
// the prior or the likelihood is raised to a power near 1, by importance weights of draws
// (Kallioinen, Paananen, Bürkner and Vehtari, "Detecting and diagnosing prior and likelihood
// sensitivity with power-scaling", Statistics and Computing 34, 2024).
package powerscale

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// Powers are the powers, other than 1, that a component is raised to.
var Powers = []float64{0.8, 0.9, 0.99, 1.01, 1.1, 1.25}

// Threshold is the sensitivity above which a number depends on a component. A normal
// posterior whose mean moves by about 0.3 standard deviations where the power doubles has it.
const Threshold = 0.05

// near are the places in Powers of those that sensitivities are from.
const below, above = 2, 3

// A Component is a part of the log density, at every draw: the priors, or the likelihood.
type Component struct {
	Weights [][]float64 // of the draws, by power; they sum to 1
	K       []float64   // Pareto k of the weights, by power
}

// Scale computes the weights of draws under which a component has each of the powers. The
// values are the logarithms of the component, by chain.
func Scale(values [][]float64) *Component {
	var all []float64
	for _, c := range values {
		all = append(all, c...)
	}
	reff := 1.0
	if s := diagnose.Summarize(values); s.ESSBulk > 0 {
		reff = math.Min(1, s.ESSBulk/float64(len(all)))
	}
	out := &Component{}
	var w diagnose.Workspace
	ratios := make([]float64, len(all))
	for _, power := range Powers {
		for i, x := range all {
			ratios[i] = (power - 1) * x
		}
		weights := make([]float64, len(all))
		out.K = append(out.K, w.PSIS(ratios, reff, weights))
		for i, l := range weights {
			weights[i] = math.Exp(l)
		}
		out.Weights = append(out.Weights, weights)
	}
	return out
}

// An Effect is how a number of the posterior answers to a component.
type Effect struct {
	Distance    []float64 // of its distribution to that without a power, by power
	Mean, SD    []float64 // by power
	Sensitivity float64   // by how much the distance grows with log2 of the power, near 1
}

// Effect says how a number answers, by its draws in the order of the component's.
func (c *Component) Effect(x []float64) Effect {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	var out Effect
	for _, w := range c.Weights {
		mean, square := 0.0, 0.0
		for i, v := range x {
			mean += w[i] * v
		}
		for i, v := range x {
			square += w[i] * (v - mean) * (v - mean)
		}
		out.Mean, out.SD = append(out.Mean, mean), append(out.SD, math.Sqrt(square))
		out.Distance = append(out.Distance, Distance(x, order, w))
	}
	out.Sensitivity = (out.Distance[below] + out.Distance[above]) / (2 * math.Log2(Powers[above]))
	return out
}

// Distance is the cumulative Jensen–Shannon distance between draws with equal weights and the
// same with weights w, from 0 to 1; order sorts the draws. Of the two directions in which
// distribution functions can be added up, it is the larger. NaN where the draws are all equal.
func Distance(x []float64, order []int, w []float64) float64 {
	n := len(order)
	up, down := 0.0, 0.0
	var sums [4]float64 // ∫P, ∫Q upwards and downwards
	p, q := 0.0, 0.0
	for k := 0; k+1 < n; k++ {
		p += 1 / float64(n)
		q += w[order[k]]
		bin := x[order[k+1]] - x[order[k]]
		if bin == 0 {
			continue
		}
		p, q := math.Min(p, 1), math.Min(q, 1)
		up += bin * divergence(p, q)
		down += bin * divergence(1-p, 1-q)
		for i, f := range []float64{p, q, 1 - p, 1 - q} {
			sums[i] += bin * f
		}
	}
	// The terms in the integrals of P and Q cancel between the two halves.
	return math.Sqrt(math.Max(math.Max(up/(sums[0]+sums[1]), down/(sums[2]+sums[3])), 0))
}

// divergence is p log2(p/m) + q log2(q/m) with m = (p + q)/2.
func divergence(p, q float64) float64 {
	m := (p + q) / 2
	sum := 0.0
	if p > 0 {
		sum += p * math.Log2(p/m)
	}
	if q > 0 {
		sum += q * math.Log2(q/m)
	}
	return sum
}

// Diagnose says in words what sensitivities to the priors and to the likelihood come to.
func Diagnose(prior, likelihood float64) string {
	switch {
	case !(prior >= Threshold):
		return "-"
	case likelihood >= Threshold:
		return "prior-data conflict"
	}
	return "weak likelihood"
}

package diagnose

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Leave-one-out cross-validation: Vehtari, Gelman, Gabry, "Practical Bayesian
// model evaluation using leave-one-out cross-validation and WAIC", Statistics
// and Computing 27 (2017).

// A LOOPoint is the leave-one-out cross-validation of one observation, computed from its log
// likelihoods at the draws.
type LOOPoint struct {
	ELPD  float64 // log predictive density, the observation left out
	MCSE  float64 // Monte Carlo standard error of ELPD
	LPD   float64 // the same with the observation
	K     float64 // Pareto k of the importance ratios
	Reff  float64 // relative efficiency of the draws for the likelihood
	ESS   float64 // effective sample size of the weights
	WAIC  float64 // LPD − PWAIC, on the scale of ELPD
	PWAIC float64 // posterior variance of the log likelihood
}

// LOO evaluates one observation: its log likelihood at every draw, by chain. A
// log likelihood that is not finite gives k = +Inf and estimates that are not
// finite.
func (w *Workspace) LOO(loglik [][]float64) LOOPoint {
	_, total := shape(loglik)
	w.loo[0], w.loo[1] = resize(w.loo[0], total), resize(w.loo[1], total)
	ll, lw := w.loo[0][:0], w.loo[1]
	for _, c := range loglik {
		ll = append(ll, c...)
	}
	p := LOOPoint{Reff: w.relative(loglik, ll)}
	ratios := w.flat(ll, func(x float64) float64 { return -x })
	p.K = w.PSIS(ratios, p.Reff, lw)
	mean := 0.0
	for _, x := range ll {
		mean += x
	}
	mean /= float64(total)
	var square, square2 float64
	for i, x := range ll {
		square += float64((x - mean) * (x - mean))
		square2 += special.Exp(2 * lw[i])
	}
	p.LPD = logSum(ll, nil) - special.Log(float64(total))
	p.ELPD = logSum(ll, lw)
	p.PWAIC = square / float64(total-1)
	p.WAIC = p.LPD - p.PWAIC
	p.ESS = p.Reff / square2
	// The variance of the weighted mean of the likelihood, relative to its
	// square; of its logarithm, as if it were log-normal.
	spread := 0.0
	for i, x := range ll {
		d := special.Exp(lw[i]) * (special.Exp(x-p.ELPD) - 1)
		spread += float64(d * d)
	}
	p.MCSE = math.Sqrt(special.Log1p(spread) / p.Reff)
	return p
}

// LogWeights are the logarithms of the smoothed weights of the draws, chain by chain, that the
// last LOO took for predicting its observation from the others; they sum to one. They are valid
// until the next.
func (w *Workspace) LogWeights() []float64 { return w.loo[1] }

// relative is the effective sample size for the mean likelihood by the number
// of draws; 1 where the likelihood does not vary.
func (w *Workspace) relative(loglik [][]float64, all []float64) float64 {
	top := math.Inf(-1)
	for _, x := range all {
		top = max(top, x)
	}
	lik := w.like(0, loglik)
	for c := range loglik {
		for i, x := range loglik[c] {
			lik[c][i] = special.Exp(x - top)
		}
	}
	if undefined(lik) {
		return 1
	}
	if ess := w.ess(w.split(lik)); !math.IsNaN(ess) {
		return ess / float64(len(all))
	}
	return 1 // too few draws to tell
}

// flat maps numbers into memory of the workspace.
func (w *Workspace) flat(x []float64, f func(float64) float64) []float64 {
	w.backing[1] = resize(w.backing[1], len(x))
	for i, v := range x {
		w.backing[1][i] = f(v)
	}
	return w.backing[1]
}

// logSum is log Σ exp(x + y); y may be nil.
func logSum(x, y []float64) float64 {
	at := func(i int) float64 {
		if y == nil {
			return x[i]
		}
		return x[i] + y[i]
	}
	top := math.Inf(-1)
	for i := range x {
		top = max(top, at(i))
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	sum := 0.0
	for i := range x {
		sum += special.Exp(at(i) - top)
	}
	return top + special.Log(sum)
}

// An Estimate is a sum over observations with its standard error.
type Estimate struct{ Value, SE float64 }

// sumOf is the sum of what f gives for n observations, and √n times their
// standard deviation; NaN of fewer than two.
func sumOf(n int, f func(i int) float64) Estimate {
	x := make([]float64, n)
	sum := 0.0
	for i := range x {
		x[i] = f(i)
		sum += x[i]
	}
	return Estimate{sum, math.Sqrt(float64(n) * variance(x))}
}

// A LOOSummary is the cross-validation of a model.
type LOOSummary struct {
	ELPD, P, IC        Estimate // of PSIS-LOO: elpd_loo, p_loo, looic
	WAIC, PWAIC, ICW   Estimate // of WAIC: elpd_waic, p_waic, waic
	MCSE               float64  // Monte Carlo standard error of ELPD; NaN when it cannot be trusted
	Threshold          float64  // of the Pareto k, see KThreshold
	Good, Bad, VeryBad int      // k at most Threshold; at most 1; above
	// observations with p_waic above 0.4, where WAIC is not to be trusted
	HighPWAIC int
	WorstK    float64
	Worst     int // the observation with it
}

// SumLOO sums up observations, from the given number of draws.
func SumLOO(points []LOOPoint, draws int) LOOSummary {
	n := len(points)
	s := LOOSummary{
		ELPD:  sumOf(n, func(i int) float64 { return points[i].ELPD }),
		P:     sumOf(n, func(i int) float64 { return points[i].LPD - points[i].ELPD }),
		WAIC:  sumOf(n, func(i int) float64 { return points[i].WAIC }),
		PWAIC: sumOf(n, func(i int) float64 { return points[i].PWAIC }),

		Threshold: KThreshold(draws), WorstK: math.Inf(-1),
	}
	s.IC, s.ICW = Estimate{-2 * s.ELPD.Value, 2 * s.ELPD.SE},
		Estimate{-2 * s.WAIC.Value, 2 * s.WAIC.SE}
	square := 0.0
	for i, p := range points {
		square += float64(p.MCSE * p.MCSE)
		switch {
		case p.K <= s.Threshold:
			s.Good++
		case p.K <= 1:
			s.Bad++
		default:
			s.VeryBad++
		}
		if p.PWAIC > 0.4 {
			s.HighPWAIC++
		}
		if p.K > s.WorstK {
			s.WorstK, s.Worst = p.K, i
		}
	}
	s.MCSE = math.Sqrt(square)
	if s.Bad+s.VeryBad > 0 {
		s.MCSE = math.NaN()
	}
	return s
}

// DifferenceLOO is the difference a − b of elpd_loo on the same observations,
// with the standard error of the paired differences.
func DifferenceLOO(a, b []LOOPoint) Estimate {
	return sumOf(len(a), func(i int) float64 { return a[i].ELPD - b[i].ELPD })
}

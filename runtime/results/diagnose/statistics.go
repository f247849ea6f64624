package diagnose

import "math"

// RhatBasic is split R-hat without ranks.
func (w *Workspace) RhatBasic(chains [][]float64) float64 { return rhat(w.split(chains)) }

// Rhat is the larger of the rank-normalised split R-hats of the draws and of
// their distances from the median.
func (w *Workspace) Rhat(chains [][]float64) float64 {
	if undefined(chains) {
		return math.NaN()
	}
	w.sortDraws(chains)
	return w.rhat(chains, w.bulk(chains))
}

// bulk are the normal scores of the split draws; w.order holds the draws.
func (w *Workspace) bulk(chains [][]float64) [][]float64 {
	return w.normalScores(w.order, w.like(0, chains))
}

// rhat needs w.order and the scores of bulk.
func (w *Workspace) rhat(chains, bulk [][]float64) float64 {
	location := rhat(bulk)
	w.fold(quantile7(w.sorted, 0.5))
	scale := rhat(w.normalScores(w.spare, w.like(1, chains)))
	if math.IsNaN(scale) { // all draws are as far from the median: their distances say nothing
		return location
	}
	return max(location, scale)
}

// ESSWithin is the sum of the effective sample sizes that the chains have each by
// itself, for its own mean by ranks: it does not see that chains disagree. A chain
// that does not move has none.
func (w *Workspace) ESSWithin(chains [][]float64) float64 {
	sum := 0.0
	for i := range chains {
		if n := w.ESSBulk(chains[i : i+1]); n > 0 { // not NaN
			sum += n
		}
	}
	return sum
}

// ESSBulk is the effective sample size of the normal scores.
func (w *Workspace) ESSBulk(chains [][]float64) float64 {
	if undefined(chains) {
		return math.NaN()
	}
	w.sortDraws(chains)
	return w.ess(w.bulk(chains))
}

// ESSMean is the effective sample size for the mean.
func (w *Workspace) ESSMean(chains [][]float64) float64 {
	if undefined(chains) {
		return math.NaN()
	}
	return w.ess(w.split(chains))
}

// ESSSD is the effective sample size for the standard deviation.
func (w *Workspace) ESSSD(chains [][]float64) float64 {
	if undefined(chains) {
		return math.NaN()
	}
	m, _ := moments(chains)
	return w.ess(w.split(w.squares(chains, m)))
}

func (w *Workspace) squares(chains [][]float64, m float64) [][]float64 {
	sq := w.like(1, chains)
	for i, c := range chains {
		for j, x := range c {
			sq[i][j] = (x - m) * (x - m)
		}
	}
	return sq
}

// ESSQuantile is the effective sample size for the quantile p.
func (w *Workspace) ESSQuantile(chains [][]float64, p float64) float64 {
	if undefined(chains) || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	w.sortDraws(chains)
	return w.essBelow(chains, quantile7(w.sorted, p))
}

// essBelow is the effective sample size of the indicator x ≤ q.
func (w *Workspace) essBelow(chains [][]float64, q float64) float64 {
	below := w.like(1, chains)
	for i, c := range chains {
		for j, x := range c {
			below[i][j] = 0
			if x <= q {
				below[i][j] = 1
			}
		}
	}
	return w.ess(w.split(below))
}

// ESSTail is the smaller of the effective sample sizes for the 5 % and 95 %
// quantiles.
func (w *Workspace) ESSTail(chains [][]float64) float64 {
	return min(w.ESSQuantile(chains, 0.05), w.ESSQuantile(chains, 0.95))
}

// ESS is the effective sample size of the bulk, as ESSBulk, and of the tails, as ESSTail, for
// one sorting of the draws.
func (w *Workspace) ESS(chains [][]float64) (bulk, tail float64) {
	if undefined(chains) {
		return math.NaN(), math.NaN()
	}
	w.sortDraws(chains)
	tail = min(w.essBelow(chains, quantile7(w.sorted, 0.05)),
		w.essBelow(chains, quantile7(w.sorted, 0.95)))
	return w.ess(w.bulk(chains)), tail
}

// MCSEMean is the Monte Carlo standard error of the mean.
func (w *Workspace) MCSEMean(chains [][]float64) float64 {
	_, sd := moments(chains)
	return sd / math.Sqrt(w.ESSMean(chains))
}

// MCSESD is the Monte Carlo standard error of the standard deviation: that of
// the variance, by the delta method (Kenney and Keeping 1951).
func (w *Workspace) MCSESD(chains [][]float64) float64 {
	if undefined(chains) {
		return math.NaN()
	}
	m, _ := moments(chains)
	return w.mcseSD(w.squares(chains, m))
}

func (w *Workspace) mcseSD(squares [][]float64) float64 {
	_, total := shape(squares)
	var second, fourth float64
	for _, c := range squares {
		for _, x := range c {
			second += x
			fourth += float64(x * x)
		}
	}
	second /= float64(total)
	fourth /= float64(total)
	spread := (fourth - float64(second*second)) / w.ess(w.split(squares))
	return math.Sqrt(spread / (4 * second))
}

// MCSEQuantile is the Monte Carlo standard error of the quantile p: half the
// distance of the order statistics at the ends of its central 68 % interval.
func (w *Workspace) MCSEQuantile(chains [][]float64, p float64) float64 {
	ess := w.ESSQuantile(chains, p)
	if math.IsNaN(ess) {
		return ess
	}
	n := float64(len(w.sorted))
	lo := betaQuantile(0.1586553, float64(ess*p)+1, float64(ess*(1-p))+1)
	hi := betaQuantile(0.8413447, float64(ess*p)+1, float64(ess*(1-p))+1)
	first := w.sorted[int(max(math.Floor(lo*n), 1))-1]
	second := w.sorted[int(min(math.Ceil(hi*n), n))-1]
	return (second - first) / 2
}

// Quantile is the quantile p of all draws, linear between order statistics
// (type 7 of Hyndman and Fan 1996); NaN if a draw is.
func (w *Workspace) Quantile(chains [][]float64, p float64) float64 {
	for _, c := range chains {
		for _, x := range c {
			if math.IsNaN(x) {
				return x
			}
		}
	}
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	w.sortDraws(chains)
	return quantile7(w.sorted, p)
}

// The functions of the package are the Workspace's methods with memory of
// their own.

// RhatBasic is split R-hat without ranks.
func RhatBasic(chains [][]float64) float64 { return new(Workspace).RhatBasic(chains) }

// Rhat is rank-normalised split R-hat, the larger of location and scale.
func Rhat(chains [][]float64) float64 { return new(Workspace).Rhat(chains) }

// ESSBulk is the effective sample size of the normal scores.
func ESSBulk(chains [][]float64) float64 { return new(Workspace).ESSBulk(chains) }

// ESSTail is the smaller effective sample size of the 5 % and 95 % quantiles.
func ESSTail(chains [][]float64) float64 { return new(Workspace).ESSTail(chains) }

// ESSMean is the effective sample size for the mean.
func ESSMean(chains [][]float64) float64 { return new(Workspace).ESSMean(chains) }

// ESSSD is the effective sample size for the standard deviation.
func ESSSD(chains [][]float64) float64 { return new(Workspace).ESSSD(chains) }

// MCSEMean is the Monte Carlo standard error of the mean.
func MCSEMean(chains [][]float64) float64 { return new(Workspace).MCSEMean(chains) }

// MCSESD is the Monte Carlo standard error of the standard deviation.
func MCSESD(chains [][]float64) float64 { return new(Workspace).MCSESD(chains) }

// MCSEQuantile is the Monte Carlo standard error of the quantile p.
func MCSEQuantile(chains [][]float64, p float64) float64 {
	return new(Workspace).MCSEQuantile(chains, p)
}

// Quantile is the quantile p of all draws (type 7).
func Quantile(chains [][]float64, p float64) float64 { return new(Workspace).Quantile(chains, p) }

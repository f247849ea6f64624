package diagnose

import (
	"math"
	"math/bits"
)

// rhat is the potential scale reduction of the series as they are (Gelman and
// Rubin 1992; Vehtari et al., equations 1 to 4).
func rhat(series [][]float64) float64 {
	if len(series) < 2 || undefined(series) {
		return math.NaN()
	}
	n := float64(len(series[0]))
	means := make([]float64, 0, 64)
	var within float64
	for _, c := range series {
		means = append(means, mean(c))
		within += variance(c)
	}
	within /= float64(len(series))
	between := n * variance(means)
	return math.Sqrt((between/within + n - 1) / n)
}

// autocovariance fills w.acov with the mean over the series of their biased
// autocovariances (divisor N) at lags 0…N−1, by the Wiener–Khinchin theorem:
// two real series share a complex transform, and the mean of their power
// spectra is transformed back once.
func (w *Workspace) autocovariance(series [][]float64) {
	n := len(series[0])
	size := 1 << bits.Len(uint(2*n-1))
	w.fft.resize(size)
	w.packed, w.power = resize(w.packed, size), resize(w.power, size)
	clear(w.power)
	for s := 0; s < len(series); s += 2 {
		clear(w.packed)
		a := series[s]
		ma := mean(a)
		for i, x := range a {
			w.packed[i] = complex(x-ma, 0)
		}
		if s+1 < len(series) {
			b := series[s+1]
			mb := mean(b)
			for i, x := range b {
				w.packed[i] += complex(0, x-mb)
			}
		}
		w.fft.transform(w.packed)
		for k, z := range w.packed {
			m := w.packed[-k&(size-1)]
			p := float64(real(z)*real(z)) + float64(imag(z)*imag(z)) + float64(real(m)*real(m)) +
				float64(imag(m)*imag(m))
			w.power[k] += complex(float64(p/2), 0)
		}
	}
	w.fft.transform(w.power) // real and even: forward and back are the same
	w.acov = resize(w.acov, n)
	scale := 1 / (float64(size) * float64(n) * float64(len(series)))
	for t := range w.acov {
		w.acov[t] = real(w.power[t]) * scale
	}
}

// ess is the effective sample size of the series as they are: Geyer's initial
// monotone sequence on the combined autocorrelation (Geyer 1992; Vehtari et
// al., equations 10 to 13).
func (w *Workspace) ess(series [][]float64) float64 {
	if len(series) == 0 || len(series[0]) < 3 || undefined(series) {
		return math.NaN()
	}
	n := len(series[0])
	w.autocovariance(series)
	within := w.acov[0] * float64(n) / float64(n-1)
	total := w.acov[0]
	if len(series) > 1 {
		means := make([]float64, 0, 64)
		for _, c := range series {
			means = append(means, mean(c))
		}
		total += variance(means)
	}
	rho := func(t int) float64 { return 1 - (within-w.acov[t])/total }

	// Pairs of neighbouring lags are positive for a reversible chain; the
	// first that is not is noise, and so is all after it.
	w.rho = resize(w.rho, n)
	clear(w.rho)
	last, even, odd := 0, 1.0, rho(1)
	w.rho[0], w.rho[1] = even, odd
	for last < n-5 && even+odd > 0 {
		last += 2
		even, odd = rho(last), rho(last+1)
		if even+odd >= 0 {
			w.rho[last], w.rho[last+1] = even, odd
		}
	}
	if even > 0 {
		w.rho[last] = even
	}
	// They also fall; a rise is evened out.
	for t := 2; t <= last-2; t += 2 {
		if before := w.rho[t-2] + w.rho[t-1]; w.rho[t]+w.rho[t+1] > before {
			w.rho[t], w.rho[t+1] = before/2, before/2
		}
	}
	// With no pair beyond the first the sum still has its first term, as in
	// posterior.
	var sum float64
	for _, r := range w.rho[:max(last, 1)] {
		sum += r
	}
	size := float64(n * len(series))
	tau := max(-1+2*sum+w.rho[last], 1/math.Log10(size))
	return size / tau
}

// Autocorrelation is that of one chain at the lags from 0 to the given one, or to the last that
// the chain has: its biased autocovariance (divisor N) by that at lag 0. It is empty where that
// has no meaning: of no draws, of one that is not finite, of draws that are all the same.
func (w *Workspace) Autocorrelation(chain []float64, lags int) []float64 {
	one := [][]float64{chain}
	if undefined(one) {
		return nil
	}
	w.autocovariance(one)
	if !(w.acov[0] > 0) || math.IsInf(w.acov[0], 0) {
		return nil // squares too large, or too small
	}
	out := make([]float64, min(lags+1, len(chain)))
	for t := range out {
		out[t] = w.acov[t] / w.acov[0]
	}
	return out
}

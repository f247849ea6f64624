package diagnose

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// autoregressive makes chains whose draws depend on the one before.
func autoregressive(chains, draws int, rho float64) [][]float64 {
	r := rand.New(rand.NewPCG(7, 8))
	out := make([][]float64, chains)
	for k := range out {
		x := r.NormFloat64()
		for range draws {
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
			out[k] = append(out[k], x+0.1*float64(k))
		}
	}
	return out
}

// TestSummaryOfGonum compares moments, the split R-hat and the effective sample size of
// the mean with what gonum's statistics and Fourier transform give for their formulas
// (Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, §§ 3.1 and 3.2).
func TestSummaryOfGonum(t *testing.T) {
	const draws = 600
	chains := autoregressive(4, draws, 0.7)
	var all []float64
	var halves [][]float64
	for _, c := range chains {
		all = append(all, c...)
		halves = append(halves, c[:draws/2], c[draws/2:])
	}
	s := Summarize(chains)
	mean, sd := stat.MeanStdDev(all, nil)
	agree(t, "mean", s.Mean, mean)
	agree(t, "sd", s.SD, sd)

	var means, variances []float64
	for _, c := range halves {
		m, v := stat.MeanVariance(c, nil)
		means, variances = append(means, m), append(variances, v)
	}
	const n = draws / 2
	within := stat.Mean(variances, nil)
	plus := within*(n-1)/n + stat.Variance(means, nil)
	agree(t, "R-hat", RhatBasic(chains), math.Sqrt(plus/within))

	// Autocovariances by gonum's transform, and Geyer's initial monotone sequence of them.
	acov := make([]float64, n)
	fft := fourier.NewFFT(2 * n)
	for _, c := range halves {
		padded := make([]float64, 2*n)
		copy(padded, c)
		floats.AddConst(-stat.Mean(c, nil), padded[:n])
		power := fft.Coefficients(nil, padded)
		for i, x := range power {
			power[i] = complex(math.Pow(cmplx.Abs(x), 2), 0)
		}
		for lag, x := range fft.Sequence(nil, power)[:n] {
			acov[lag] += x / (2 * n) / n / float64(len(halves))
		}
	}
	rho := func(lag int) float64 {
		if lag == 0 {
			return 1
		}
		return 1 - (within-acov[lag]*n/(n-1))/plus
	}
	tau, last := -1.0, math.Inf(1)
	for lag := 0; lag+1 < n; lag += 2 {
		pair := rho(lag) + rho(lag+1)
		if pair <= 0 {
			break
		}
		last = min(last, pair)
		tau += 2 * last
	}
	want := float64(len(all)) / tau
	if got := ESSMean(chains); math.Abs(got-want) > 0.02*want {
		t.Errorf("the effective sample size of the mean is %v, by gonum's transform %v", got, want)
	}
	agree(t, "the error of the mean", MCSEMean(chains), sd/math.Sqrt(ESSMean(chains)))
}

func agree(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
		t.Errorf("%s is %v, gonum's is %v", what, got, want)
	}
}

package examples_test

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestConjugateCovariance holds nuts to the normal–inverse-Wishart posterior:
// with S = S₀ + Σ (y − ȳ)(y − ȳ)ᵀ + κ₀ N/κ ȳ ȳᵀ, ν = ν₀ + N and κ = κ₀ + N,
// Σ is inverse Wishart(ν, S) and μ about N ȳ/κ is a Student's t of ν − K + 1
// degrees of freedom with the covariance E Σ / κ (Gelman et al. 2013, §3.6).
func TestConjugateCovariance(t *testing.T) {
	c := compile(t, "covariance")
	b := bind(t, c, data.Options{})
	m := onVM(t, c)
	y, n, k := b.Values["y"].F64, b.Dims["N"], b.Dims["K"]
	nu0, kappa0 := float64(k+2), 0.1
	mean := make([]float64, k)
	for i, v := range y {
		mean[i%k] += v / float64(n)
	}
	nu, kappa := nu0+float64(n), kappa0+float64(n)
	s := make([]float64, k*k)
	for i := range k {
		s[i*k+i] = 1
		for j := range k {
			for r := range n {
				s[i*k+j] += (y[r*k+i] - mean[i]) * (y[r*k+j] - mean[j])
			}
			s[i*k+j] += kappa0 * float64(n) / kappa * mean[i] * mean[j]
		}
	}
	cfg := sampler.DefaultConfig()
	cfg.Seed, cfg.FullBatch = seed, true
	d, err := sampler.Collect(context.Background(), m, cfg, sampler.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := nu - float64(k) - 1
	for _, o := range d.Outputs {
		for i := range o.Len {
			row, col := i/k, i%k
			var want, variance float64
			switch o.Name {
			case "Sigma":
				want = s[i] / p
				variance = ((p+2)*s[i]*s[i] +
					p*s[row*k+row]*s[col*k+col]) / ((p + 1) * p * p * (p - 2))
			case "mu":
				want, variance = float64(n)*mean[i]/kappa, s[i*k+i]/p/kappa
			default:
				continue
			}
			x := coordinate(d, o.Offset+i)
			for _, e := range []struct {
				what string
				x    [][]float64
				want float64
			}{{"mean", x, want}, {"variance", squares(x, want), variance}} {
				got := diagnose.Summarize(e.x)
				if z := (got.Mean - e.want) / got.MCSEMean; !(math.Abs(z) < 4) {
					t.Errorf("%s of %s[%d] is %.5g ± %.2g, want %.5g", e.what, o.Name, i, got.Mean,
						got.MCSEMean, e.want)
				}
				if !(got.MCSEMean < 0.1*math.Sqrt(variance) ||
					e.what == "variance" && got.MCSEMean < 0.1*variance) {
					t.Errorf("%s of %s[%d]: an error of %.2g says nothing", e.what, o.Name, i,
						got.MCSEMean)
				}
			}
		}
	}
}

package approximate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// between is the mean of a function of the draws, and its error by the means of the runs.
func between(r *Result, of func(x []float64) float64) (mean, mcse float64) {
	w, x := r.Drawer(), make([]float64, r.t.Dim())
	runs := float64(r.Config.Chains)
	means := make([]float64, r.Config.Chains)
	for k := range means {
		for i := range r.Config.Draws {
			w.Draw(k, i, x)
			means[k] += of(x) / float64(r.Config.Draws)
		}
		mean += means[k] / runs
	}
	for _, m := range means {
		mcse += (m - mean) * (m - mean) / (runs - 1) / runs
	}
	return mean, math.Sqrt(mcse)
}

// within fails where an estimate is more than four of its errors from the truth.
func within(t *testing.T, what string, got, mcse, want float64) {
	t.Helper()
	z := (got - want) / mcse
	t.Logf("%s: %.4f ± %.4f, exactly %.4f, z %.1f", what, got, mcse, want, z)
	if !(math.Abs(z) <= 4) {
		t.Errorf("%s: z = %.1f", what, z)
	}
}

// TestSMCNormal: of a correlated normal posterior, with scales from 0.1 to 10 and a middle far from
// the start, smc has the log evidence, the means and the covariances.
func TestSMCNormal(t *testing.T) {
	const d = 5
	precision, cov := correlated(d)
	mean := []float64{1, -2, 0.5, 30, -4}
	r, err := approximated(t, normal(mean, precision), func(c *Config) {
		c.Method, c.Chains, c.Draws = "smc", 20, 1000
	})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Exactness.Particles
	verdict, why := r.Exactness.Verdict()
	t.Logf("%s; spread %.3f, least %.0f effective, %.2f accepted, %d gradients, "+
		"drift %.3f: %s %s", p.says(), p.Spread, p.LeastESS, p.Accepted, p.calls, p.Drift, verdict, why)
	if verdict != OK {
		t.Errorf("%s: %s", verdict, why)
	}
	logDet, _ := mat.LogDet(cov)
	within(t, "log evidence", p.LogEvidence, p.Error, d*halfLog2Pi+logDet/2)
	for i := range d {
		got, mcse := between(r, func(x []float64) float64 { return x[i] })
		within(t, "mean", got, mcse, mean[i])
		for j := range i + 1 {
			got, mcse := between(r, func(x []float64) float64 {
				return (x[i] - mean[i]) * (x[j] - mean[j])
			})
			within(t, "covariance", got, mcse, cov.At(i, j))
		}
	}
}

// TestSMCModes: of two modes without a way between them, and with known masses, smc has the
// masses, where chains that begin in one stay there.
func TestSMCModes(t *testing.T) {
	of := mixed([]float64{0.3, 0.7}, []float64{-10, 0, 1}, []float64{10, 0, 1})
	r, err := approximated(t, of, func(c *Config) {
		c.Method, c.Chains, c.Draws = "smc", 20, 1000
	})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Exactness.Particles
	verdict, why := r.Exactness.Verdict()
	t.Logf("%s; kept %.2f, roots %.0f: %s %s", p.says(), p.Kept, p.Roots, verdict, why)
	if verdict == Off { // ok takes 30 % of the first particles where moves do not mix
		t.Errorf("%s: %s", verdict, why)
	}
	got, mcse := between(r, func(x []float64) float64 {
		if x[0] < 0 {
			return 1
		}
		return 0
	})
	within(t, "mass", got, mcse, 0.3)
	if mcse > 0.05 {
		t.Errorf("the mass is known to %.2g", mcse)
	}
	within(t, "log evidence", p.LogEvidence, p.Error, 3*halfLog2Pi)
}

// TestSMCHalf: where the density is zero at half of the particles at the start, the evidence
// counts them.
func TestSMCHalf(t *testing.T) {
	of := &density{2, "euclidean", func(x, g []float64) float64 { // x > 0
		g[0], g[1] = -x[0], -x[1]
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return -(x[0]*x[0] + x[1]*x[1]) / 2
	}}
	r, err := approximated(t, of, func(c *Config) {
		c.Method, c.Chains, c.Draws = "smc", 20, 500
	})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Exactness.Particles
	within(t, "log evidence", p.LogEvidence, p.Error, 2*halfLog2Pi-math.Ln2)
	got, mcse := between(r, func(x []float64) float64 { return x[0] })
	within(t, "mean", got, mcse, math.Sqrt(2/math.Pi))
}

// TestSMCJudged: runs that do not agree are off, and densities without a posterior are refused.
func TestSMCJudged(t *testing.T) {
	precision, _ := correlated(40)
	r, err := approximated(t, normal(make([]float64, 40), precision), func(c *Config) {
		c.Method, c.Draws = "smc", 30
	})
	if err != nil {
		t.Fatal(err)
	}
	if verdict, why := r.Exactness.Verdict(); verdict != Off {
		t.Errorf("30 particles in 40 dimensions are %s: %s", verdict, why)
	}
	level := &density{2, "euclidean", func(_, g []float64) float64 { clear(g); return 0 }}
	slope := &density{1, "euclidean", func(x, g []float64) float64 { g[0] = 1; return x[0] }}
	for _, of := range []*density{level, slope} {
		_, err := approximated(t, of, func(c *Config) { c.Method = "smc" })
		var no *Refusal
		if !errors.As(err, &no) || !strings.Contains(no.Why, "improper") {
			t.Errorf("an improper density: %v", err)
		}
	}
}

// TestSMCHard: a funnel, and a bent ridge that is twenty times as long as wide, whose tails the
// particles do not come to. Runs agree on their evidence, and are not called ok: moves at the
// posterior change the means of the one, and do not mix the other.
func TestSMCHard(t *testing.T) {
	for _, c := range []struct {
		name, verdict, want string
		of                  *density
		variance            float64 // of x[0]
	}{
		{"funnel", Off, "still change x", funnel(10), 9},
		{"banana", Unsure, "do not mix x", banana(3, 0.05), 1},
	} {
		for _, runs := range []int{4, 20} {
			r, err := approximated(t, c.of, func(s *Config) {
				s.Method, s.Chains, s.Draws = "smc", runs, 1000
			})
			if err != nil {
				t.Fatal(err)
			}
			p := r.Exactness.Particles
			got, mcse := between(r, func(x []float64) float64 { return x[0] * x[0] })
			verdict, why := r.Exactness.Verdict()
			t.Logf("%s: variance %.2f ± %.2f, exactly %g; %s; spread %.2f, drift %.3f, kept %.2f, "+
				"roots %.0f: %s %s", c.name, got, mcse, c.variance, p.says(), p.Spread, p.Drift,
				p.Kept, p.Roots, verdict, why)
			if verdict != c.verdict || !strings.Contains(why, c.want) {
				t.Errorf("%s, %d runs: %s %s", c.name, runs, verdict, why)
			}
		}
	}
}

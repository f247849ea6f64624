package examples_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// shared finds the directory of exact results and data sets, which is not part
// of the repository.
func shared(t testing.TB, path ...string) string {
	t.Helper()
	return reference.Path(t, path...)
}

// loadTruth reads exact results.
func loadTruth(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(shared(t, "truth", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// An expectation is a function of a draw with its exact mean and standard
// deviation under the posterior. Where sd is 0 it is taken from the draws.
type expectation struct {
	name     string
	of       func(draw []float64) float64
	mean, sd float64
}

// maxError is the largest Monte Carlo error of a mean, in standard deviations,
// and maxZ the largest miss, in Monte Carlo errors.
const maxError, maxZ = 0.02, 4

// meets compares draws with exact expectations, and returns the largest |z|.
func meets(t *testing.T, d *sampler.Draws, want []expectation) float64 {
	t.Helper()
	worst := 0.0
	for _, e := range want {
		chains := make([][]float64, len(d.Chains))
		for k := range chains {
			chains[k] = make([]float64, d.Len(k))
			for i := range chains[k] {
				chains[k][i] = e.of(d.Draw(k, i))
			}
		}
		s := diagnose.Summarize(chains)
		sd := e.sd
		if sd == 0 {
			sd = s.SD
		}
		z := (s.Mean - e.mean) / s.MCSEMean
		worst = max(worst, math.Abs(z))
		t.Logf("%-16s %10.5f ± %.5f, exact %10.5f: z = %5.2f, error %.4f sd, R-hat %.4f", e.name,
			s.Mean, s.MCSEMean, e.mean, z, s.MCSEMean/sd, s.Rhat)
		if !(math.Abs(z) <= maxZ) {
			t.Errorf("%s: %.6g ± %.2g, exact %.6g: z = %.2f", e.name, s.Mean, s.MCSEMean, e.mean, z)
		}
		if !(s.MCSEMean <= maxError*sd) {
			t.Errorf("%s: the error %.3g is %.3f of the standard deviation: the run is too short to say",
				e.name, s.MCSEMean, s.MCSEMean/sd)
		}
	}
	return worst
}

// healthy holds the health statistics that theory knows to 3 % of their scale,
// or to their error where that is larger: ξ̄ − D is measured in √(T/d), the
// standard deviation of ξ.
func healthy(t *testing.T, rows []sampler.HealthRow) {
	t.Helper()
	unit := 1.0
	for _, r := range rows {
		if r.Statistic == "xi_variance" {
			unit = math.Sqrt(r.Expected)
		}
	}
	for _, r := range rows {
		if math.IsNaN(r.Expected) || r.Statistic == "gradient_noise" { // that is ξ̄ − D again
			continue
		}
		scale := max(math.Abs(r.Expected), unit)
		if r.Statistic != "xi_minus_friction" {
			scale = math.Abs(r.Expected)
		}
		miss := math.Abs(r.Value-r.Expected) / scale
		t.Logf("%-28s of %-8s %9.5f ± %.5f, theory %g", r.Statistic, r.Block, r.Value, r.MCSE,
			r.Expected)
		if !(miss <= max(0.03, maxZ*r.MCSE/scale)) {
			t.Errorf("%s of %s is %.4f ± %.4f, theory %g: off by %.1f %%", r.Statistic, r.Block,
				r.Value, r.MCSE, r.Expected, 100*miss)
		}
	}
}

func collect(t *testing.T, m target.Target, c sampler.Config) *sampler.Draws {
	t.Helper()
	d, err := sampler.Collect(context.Background(), m, c, sampler.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A json64 is a number that may be written as a string, for its digits.
type json64 float64

// UnmarshalJSON implements json.Unmarshaler.
func (x *json64) UnmarshalJSON(text []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*x = json64(f)
	return err
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

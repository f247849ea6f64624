package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// Priors on types narrower than their distribution are conditioned on the type:
// together with what they depend on they integrate to one, and simulation draws from that
// density.
func TestConditionedPriors(t *testing.T) {
	for _, c := range []struct {
		text  string
		total float64
	}{
		{"param s : positive ~ lognormal(0.5, 0.3)\nparam x : sum_to_zero[2] ~ normal(1, s)", 1},
		{"param s : positive ~ lognormal(0.5, 0.3)\nparam x : sum_to_zero[2]\n" +
			"x ~ normal([1, -0.5], s)", 1},
		{"param x[1] : sum_to_zero[3] ~ normal([1, 2, 0], 0.7)", 1},
		{"param x : sum_to_zero[3] ~ std_normal()", 1},
		{"param s : positive ~ lognormal(0.5, 0.3)\nparam x : positive_ordered[1] ~ normal(-0.5, s)", 1},
		{"param x : positive_ordered[2]\nx ~ normal(0.5, 1)", 1},
		{"param x : positive_ordered[2] ~ exponential(2)", 1},
		{"param x : ordered[2]\nx ~ logistic(0.5, 1)", 1},
		{"param a : real ~ normal(0, 1)\nparam x : interval(a, a + 1) ~ normal(0.5, 1)", 1},
		{"param a[1] : real ~ normal(0, 1)\nparam x[1] : interval(a, inf)\nx ~ normal(0.5, 1)", 1},
		{"param a[1] : real ~ normal(0, 1)\nparam x[1] : interval(-inf, a)\n" +
			"for j in 1 { x[j] ~ logistic(0.5, 1) }", 1},
		{"param x[2] : interval([0.1, 0.5], [0.6, 2.5]) ~ exponential(1)", 1},
	} {
		t.Run(c.text, func(t *testing.T) {
			m := compiledAlone(t, c.text+"\n")
			if total := gridTotal(m, false); !(math.Abs(total-c.total) < 1e-6) {
				t.Errorf("integrates to %v, want %v", total, c.total)
			}
			sim, diags, errs, err := driver.NewSimulator(source.New("prior.sg", c.text+"\n"),
				driver.SimulateOptions{})
			if sim == nil {
				if diags.Errors() && diags[0].Code == "E0712" && c.text[len(c.text)-1] == '}' {
					return // a plate draws only a part at a time
				}
				t.Fatal(diags, errs, err)
			}
			e := m.Evaluator(0)
			ys := make([][]float64, 1500)
			for i := range ys {
				out, errs, err := sim.Draw(uint64(i))
				if errs != nil || err != nil {
					t.Fatal(errs, err)
				}
				var x []float64
				for _, p := range out.Params {
					x = append(x, p.Value.F64...)
				}
				ys[i] = make([]float64, m.Dim())
				if err := e.Unconstrain(x, ys[i]); err != nil {
					t.Fatal(err)
				}
			}
			checkScores(t, m, ys)
		})
	}
	for _, text := range []string{
		"param x : sum_to_zero[3] ~ student_t(4, 0, 1)",
		"param x : sum_to_zero[3] ~ normal(0, [1, 2, 3])",
	} {
		if sim, diags, _, _ := driver.NewSimulator(source.New("prior.sg", text+"\n"),
			driver.SimulateOptions{}); sim != nil || len(diags) == 0 || diags[0].Code != "E0712" {
			t.Errorf("%s is simulated: %v", text, diags)
		}
	}
	if c, diags := driver.Compile(source.New("prior.sg",
		"param s : positive\nparam x : sum_to_zero[3] ~ student_t(4, 0, s)\n"),
		driver.Options{}); c != nil || len(diags) == 0 {
		t.Error("the plane's normaliser of a Student's t was not missed")
	}
}

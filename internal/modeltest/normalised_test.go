package modeltest

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// normalised are priors on types narrower than their distributions. They depend on m, and integrate
// to one for each value of it.
var normalised = []string{
	"param x : positive ~ mixture(0.3, normal(m, 1), normal(0, 1))",
	"param x : positive\nx ~ mixture([0.3, 0.5, 0.2], normal(m, 1), normal(0, 1), exponential(2))",
	"param x : interval(-0.5, 1) ~ mixture(0.3, normal(m, 1), normal(0, 1))",
	"param x : interval(m, m + 1) ~ mixture(0.3, normal(0, 1), logistic(0, 1))",
	"param x : positive ~ mixture(softmax([m, 0, 1]), normal(k - m, 1) for k in 3)",
	"param x : positive ~ mixture(0.3, mixture(0.5, normal(m, 1), normal(-m, 2)), normal(0, 1))",
	"param x : positive ~ mixture(0.3, normal(m, 1) truncated(-1, 1.5), normal(0, 1))",
	"param x : positive ~ mixture(0.3, normal(m, 1) truncated(-2, -1), normal(0, 1))",
	"param x : positive ~ normal(m, 1) truncated(-1, 1.5)",
	"param x : positive ~ normal(m, 1) truncated(m - 1, inf)",
	"param x : interval(-0.5, 1) ~ normal(m, 1) truncated(-1, 1.5)",
	"param x : unit\nx ~ normal(sigmoid(m), 1) truncated(0.5, 2)",
	"param k : bool ~ poisson(1 + sigmoid(m)) by marginal",
	"param k : bool by marginal\nk ~ poisson(1 + sigmoid(m))",
	"param k : index[3] ~ binomial(5, sigmoid(m)) by marginal",
	"param k[2] : index[3] ~ poisson(1 + sigmoid(m)) by marginal",
	"param k : index[4] ~ poisson(1 + sigmoid(m)) truncated(1, 6) by marginal",
	"param k : index[3] ~ mixture(0.3, poisson(1 + sigmoid(m)), poisson(2)) by marginal",
	"for i in 3 { local k : index[3] ~ poisson(1 + sigmoid(m)) by marginal }",
	"for i in 1 { local x : positive ~ mixture(0.3, normal(m, 1), normal(0, 1)) by gmc }",
	"param x : ordered[2] ~ normal(m, exp(m))",
	"param x : ordered[2] ~ mixture(0.3, normal(m, 1), normal(0, 1))",
	"param x : ordered[2]\nfor k in 2 { x[k] ~ logistic(m, 1) }",
	"param x : ordered[2]\nx[0] ~ normal(m, 1) truncated(-inf, x[1])\nx[1] ~ normal(m, 2)",
	"param x : positive_ordered[2] ~ normal(sigmoid(m), 1)",
	"param x : positive_ordered[2] ~ normal(sigmoid(m), 1) truncated(-1, 2)",
	"param x[1] : ordered[2]\nfor i in 1 { x[i] ~ normal(m, 1) }",
	"param x : sum_to_zero[2] ~ multi_normal([m, 1], (1 + sigmoid(m)) * [[2, 9], [0.5, 1]])",
	"param x : sum_to_zero[3] ~ multi_normal_cholesky([m, 1, 0], " +
		"(1 + sigmoid(m)) * [[2, 9, 9], [0.5, 1, 9], [-1, 0.2, 0.7]])",
	"param x : sum_to_zero[3]\nfor k in 3 { x[k] ~ normal(k * m, exp(m)) }",
	"layer L() {\n  param x : positive ~ normal(0.5, 1)\n  fn apply(a : real) -> real { a * x }\n}\n" +
		"layer n = L()",
}

// TestPriorsIntegrateToOne integrates over x, or sums over k, for several values of m. The
// generators draw from these densities.
func TestPriorsIntegrateToOne(t *testing.T) {
	for _, prior := range normalised {
		t.Run(prior, func(t *testing.T) {
			text := "param m : real ~ normal(0, 1)\n" + prior + "\n"
			m := compiledAlone(t, text)
			for _, at := range []float64{-1.2, 0, 0.8, 2} {
				want := math.Exp(-0.5*at*at) / math.Sqrt(2*math.Pi)
				got, near := integralAt(m, at), 2e-3
				if m.Dim() == 3 {
					near = 0.02 // coarser steps, which jumps of the density need most
				}
				if !(math.Abs(got/want-1) < near) {
					t.Errorf("at m = %v the integral is %v, want 1", at, got/want)
				}
			}
			drawsAgree(t, m, text)
		})
	}
}

// drawsAgree holds the draws of m, and of x where it is in the state, to the density's scores.
func drawsAgree(t *testing.T, m *model.Model, text string) {
	t.Helper()
	sim, diags, errs, err := driver.NewSimulator(source.New("prior.sg", text),
		driver.SimulateOptions{})
	if sim == nil {
		if diags.Errors() && diags[0].Code == "E0712" {
			return // a truncated component is not drawn
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
		for _, list := range [][]driver.Named{out.Params, out.Components} {
			for _, p := range list {
				switch p.Name {
				case "k":
					for _, k := range p.Value.F64 {
						if k < 0 || k > 3 {
							t.Fatalf("k is drawn as %v", k)
						}
					}
				case "m", "x", "n.x":
					x = append(x, p.Value.F64...)
				}
			}
		}
		if len(x) != m.Dim() {
			t.Fatalf("%d numbers are drawn, of %d", len(x), m.Dim())
		}
		ys[i] = make([]float64, m.Dim())
		if err := e.Unconstrain(x, ys[i]); err != nil {
			t.Fatal(err)
		}
	}
	if m.Dim() == 1 || !strings.Contains(text, "truncated") {
		checkScores(t, m, ys) // where a density of x jumps, its scores have other means
	}
}

// integralAt integrates the density over all coordinates but the first, which is at a given value:
// one or two by the trapezoidal rule. Without others it is the density.
func integralAt(m *model.Model, at float64) float64 {
	e, y := m.Evaluator(0), make([]float64, m.Dim())
	y[0] = at
	points, end := map[int]int{1: 1, 2: 40001, 3: 481}[m.Dim()], 30.0
	h, total := 2*end/float64(points-1), 0.0
	for p := range int(math.Pow(float64(points), float64(m.Dim()-1))) {
		weight := 1.0
		for i := range y[1:] {
			y[1+i] = h*float64(p%points) - end
			p, weight = p/points, weight*h
		}
		total += weight * math.Exp(e.LogDensity(y, nil, 1, 1))
	}
	return total
}

// TestUntoldNormalisers: where the normaliser has no closed form, a prior whose normaliser depends
// on unknowns is refused, and one whose normaliser is a constant is not.
func TestUntoldNormalisers(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"param x : ordered[2] ~ normal([m, m], 1)", false},
		{"param mu[2] : real ~ normal(0, 1)\nparam x : ordered[2] ~ normal(mu, 1)", false},
		{"param x : ordered[2] ~ normal([3, 10], exp(m))", false},
		{"param x : ordered[2] ~ normal([3, 10], 1)", true},
		{"param x : positive_ordered[2] ~ normal([3, 10], 1)", true},
		{"param x : positive_ordered[2] ~ normal([3, 10], exp(m))", false},
		{"param x : ordered[2]\nx[0] ~ normal(m, 1)\nx[1] ~ normal(0, 1)", false},
		{"param x : ordered[2]\nx[0] ~ normal(0, 1)\nx[1] ~ normal(x[0], 1)", true},
		{"param x : ordered[2]\nx[0] ~ normal(m, 1)\n" +
			"x[1] ~ normal(x[0], exp(m)) truncated(x[0], inf)", true},
		{"param x : ordered[3]\nx[0] ~ normal(m, 1)\n" +
			"for k in 1:3 { x[k] ~ normal(x[k - 1], exp(m)) }", false},
		{"param x : ordered[3]\nx[0] ~ normal(m, 1)\n" +
			"for k in 1:3 { x[k] ~ normal(x[k - 1], exp(m)) truncated(x[k - 1], inf) }", true},
		{"param x : ordered[2] ~ multi_normal([m, 0], identity(2))", false},
		{"param x : ordered[2] ~ multi_normal([1, 0], identity(2))", true},
		{"param x : ordered[2]\nfactor multi_normal.logpdf(x, [m, 0], identity(2))", true},
		{"param x : ordered[2]\nfactor sum(normal.logpdf(x, [m, 0], 1))", true},
		{"param x : sum_to_zero[2] ~ multi_student_t(4, [m, 0], identity(2))", false},
		{"param x : sum_to_zero[2] ~ multi_student_t(4, [1, 0], identity(2))", true},
		{"param x : sum_to_zero[2] ~ normal(0, [1, exp(m)])", false},
		{"param x : sum_to_zero[2]\nx[0] ~ normal(m, 1)", false},
	} {
		text := "param m : real ~ normal(0, 1)\n" + c.text + "\n"
		got, diags := driver.Compile(source.New("prior.sg", text), driver.Options{})
		switch {
		case c.ok && got == nil:
			t.Errorf("%s is refused: %v", c.text, diags)
		case !c.ok && (got != nil || len(diags) == 0 || diags[0].Code != "E0710"):
			t.Errorf("%s is not refused: %v", c.text, diags)
		}
	}
}

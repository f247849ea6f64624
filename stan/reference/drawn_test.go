package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/translate"
)

// drawnModel is the model of a program whose transformed data draw, for a seed.
func drawnModel(t *testing.T, program string, seed uint64) *source.File {
	t.Helper()
	file := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(file, []byte(`{"N": 4000}`), 0o600); err != nil {
		t.Fatal(err)
	}
	model, bound, diags := stan.ModelFor(source.New("drawn.stan", program),
		func() map[string]*translate.Given { return stan.ReadData([]string{file}, nil) },
		func() translate.Drawer { return (&driver.LawDrawer{Seed: seed}).Draw },
		func(*source.File) diag.List { return nil })
	if model == nil || !bound {
		t.Fatalf("not translated for its data: %s", shown(diags))
	}
	return model
}

// numbersOf are the entries of a let of a model that is an array of numbers.
func numbersOf(t *testing.T, model *source.File, name string) (out []float64) {
	t.Helper()
	_, rest, ok := strings.Cut(model.Text, "let "+name+" = ")
	if !ok {
		t.Fatalf("no let %s", name)
	}
	list := rest[:strings.Index(rest, "]")+1]
	if err := json.Unmarshal([]byte(list), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDrawnLaws: draws of transformed data have the means of their laws, whether one statement or a
// loop asks for them.
func TestDrawnLaws(t *testing.T) {
	for _, c := range []struct {
		kind, draw string
		mean, sd   float64
	}{
		{"real", "normal_rng(2, 0.5)", 2, 0.5}, {"real", "exponential_rng(0.5)", 2, 2},
		{"real", "gamma_rng(3, 2)", 1.5, math.Sqrt(3) / 2}, {"real", "beta_rng(2, 2)", 0.5, 0.2236},
		{"real", "student_t_rng(9, 1, 2)", 1, 2 * math.Sqrt(9.0/7)},
		{"int", "poisson_rng(4)", 4, 2}, {"int", "bernoulli_rng(0.3)", 0.3, 0.4583},
		{"int", "binomial_rng(10, 0.3)", 3, 1.449}, {"int", "neg_binomial_2_rng(3, 2)", 3, 2.739},
		{"int", "categorical_rng([0.5, 0.25, 0.25]')", 1.75, 0.829},
		{"int", "bernoulli_logit_rng(0)", 0.5, 0.5},
		{"real", "multi_normal_cholesky_rng([1, 5]', [[2, 0], [1, 1]])[2]", 5, math.Sqrt2},
	} {
		program := fmt.Sprintf("data { int N; } transformed data { array[N] %s y; "+
			"for (n in 1:N) y[n] = %s; } parameters { real mu; } model { mu ~ normal(sum(y), 1); }",
			c.kind, c.draw)
		y := numbersOf(t, drawnModel(t, program, 5), "y")
		sum, square := 0.0, 0.0
		for _, x := range y {
			sum += x
			square += (x - c.mean) * (x - c.mean)
		}
		n := float64(len(y))
		if sd := math.Sqrt(square / n); n != 4000 || math.Abs(sum/n-c.mean) > 5*c.sd/math.Sqrt(n) ||
			math.Abs(sd-c.sd) > 0.1*c.sd {
			t.Errorf("%s: %v draws of mean %v and deviation %v, want %v and %v", c.draw, n, sum/n, sd,
				c.mean, c.sd)
		}
	}
}

// TestDrawnDensity: the seed alone decides what is drawn, and the log density is that of the draws.
func TestDrawnDensity(t *testing.T) {
	const program = `
functions {
  real positive_rng(real s) {
    real x = -1;
    while (x < 0) x = normal_rng(0, s);
    return x;
  }
}
data { int N; }
transformed data {
  real scale = positive_rng(2);
  int k = poisson_rng(6) + 1;
  vector[k] w = dirichlet_rng(rep_vector(3, k));
  array[N] real y = normal_rng(rep_vector(w[1], N), scale);
}
parameters { real mu; }
model { y ~ normal(mu, 2); }`
	model := drawnModel(t, program, 7)
	if model.Text != drawnModel(t, program, 7).Text || model.Text == drawnModel(t, program, 8).Text {
		t.Error("draws do not follow the seed")
	}
	c, list := driver.Compile(model, driver.Options{})
	if c == nil {
		t.Fatal(shown(list))
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, nil, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	y := numbersOf(t, model, "y")
	want := func(mu float64) (s float64) {
		for _, x := range y {
			s -= (x - mu) * (x - mu) / 8
		}
		return s
	}
	e := m.Evaluator(0)
	got := e.LogDensity([]float64{0.7}, nil, 1, 0) - e.LogDensity([]float64{-0.4}, nil, 1, 0)
	if d := want(0.7) - want(-0.4); math.Abs(got-d) > 1e-9*math.Abs(d) {
		t.Errorf("the log density differs by %v, want %v", got, d)
	}
	_, _, diags := stan.ModelFor(source.New("drawn.stan", program), nil, nil,
		func(*source.File) diag.List { return nil })
	if len(diags) == 0 || !strings.Contains(shown(diags), "with --data FILE they are drawn") {
		t.Errorf("without data: %s", shown(diags))
	}
}

package formula

import (
	"strings"
	"testing"
)

// Gallons and weights of 32 cars: Henderson and Velleman (1981), Building multiple regression
// models interactively, Biometrics 37; mtcars in R.
var (
	mpg = []float64{21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2,
		10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26,
		30.4, 15.8, 19.7,
		15, 21.4}
	wt = []float64{2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73,
		3.78, 5.25, 5.424, 5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14,
		1.513, 3.17, 2.77, 3.57, 2.78}
	am = []float64{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0,
		0, 0, 1, 1, 1,
		1, 1, 1, 1}
)

// TestDocumentedPriors: brms documents student_t(3, 19.2, 5.4) for the intercept of mpg in
// these data and student_t(3, 0, 5.4) for sigma; rstanarm documents the adjusted scales 15.40
// and 30.20 of the slopes of wt and am, by the rule that Bambi shares.
func TestDocumentedPriors(t *testing.T) {
	f, err := Parse("mpg ~ wt + am")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Write(f, &Table{File: "mtcars.csv", Columns: []Column{{Name: "mpg", Values: mpg},
		{Name: "wt", Values: wt}, {Name: "am", Values: am}}}, Options{Family: "gaussian"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"param alpha : real ~ student_t(3, 19.2, 5.4)",
		"param sigma : positive ~ student_t(3, 0, 5.4)",
		"param b_wt : real ~ normal(0, 15.4)", "param b_am : real ~ normal(0, 30.2)",
	} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("no %q in\n%s", want, m.Text)
		}
	}
}

// TestCountPriors: brms documents student_t(3, 1.4, 2.5) for the intercept of counts whose
// median is 4, and beta and inverse gamma priors of what families have besides.
func TestCountPriors(t *testing.T) {
	y := []float64{0, 1, 2, 3, 4, 4, 5, 6, 9, 12, 30}
	x := make([]float64, len(y))
	g := make([]float64, len(y))
	for i := range x {
		x[i], g[i] = float64(i*i), float64(i%4)
	}
	table := &Table{Columns: []Column{{Name: "y", Values: y}, {Name: "x", Values: x}, {Name: "g",
		Values: g}}}
	for family, wants := range map[string][]string{
		"poisson": {"student_t(3, 1.4, 2.5)",
			"sd_g : positive ~ student_t(3, 0, 2.5)"},
		"negbinomial":           {"shape : positive ~ inv_gamma(0.4, 0.3)"},
		"zero_inflated_poisson": {"zi : unit ~ beta(1, 1)"},
		"hurdle_poisson":        {"hu : unit ~ beta(1, 1)"},
		"zero_inflated_negbinomial": {"shape : positive ~ inv_gamma(0.4, 0.3)",
			"zi : unit ~ beta(1, 1)"},
		"student": {"nu : interval(1, inf) ~ gamma(2, 0.1)"},
	} {
		f, err := Parse("y ~ x + (1 | g)")
		if err != nil {
			t.Fatal(err)
		}
		m, err := Write(f, table, Options{Family: family})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(m.Text, want) {
				t.Errorf("%s: no %q in\n%s", family, want, m.Text)
			}
		}
	}
}

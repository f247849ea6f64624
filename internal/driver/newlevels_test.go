package driver

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

const schools = `dim N, J
data y[N] : real
data g[N] : index[J]
param mu : real ~ normal(0, 10)
param tau : positive ~ exponential(1)
param theta[J] : real ~ normal(mu, tau)
param share[J] : unit ~ beta(2, 1)
for n in N { y[n] ~ normal(theta[g[n]], share[g[n]]) }
`

// newLevelsFor prepares new levels of a model with rows of two fitted groups and one more.
func newLevelsFor(t *testing.T, text string) (*NewLevels, map[string]int, int, error) {
	t.Helper()
	src := source.New("m.sg", text)
	c, diags := Compile(src, Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{
		"y": data.Dense([]float64{1, 2, 3}, 3), "g": data.Dense([]float64{0, 1, 2}, 3)},
		map[string]int{"J": 3}, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	bound.NewLevels = map[string]int{"J": 2}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for _, o := range m.Outputs() {
		at[o.Name] = o.Offset
	}
	l, err := NewLevelsOf(src, Options{}, m.Spec, bound)
	return l, at, m.OutputLen(), err
}

// TestNewLevels: entries of new levels have the law of the prior given the other unknowns, and
// those of fitted levels stay.
func TestNewLevels(t *testing.T) {
	l, at, n, err := newLevelsFor(t, schools)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, n)
	out[at["mu"]], out[at["tau"]] = 3, 0.5
	l.Spread("theta", []float64{-1, -2}, out[at["theta"]:])
	l.Spread("share", []float64{0.25, 0.75}, out[at["share"]:])
	const draws = 4000
	sum, square, share := 0.0, 0.0, 0.0
	for seed := range uint64(draws) {
		if err := l.Fill(out, at, seed); err != nil {
			t.Fatal(err)
		}
		z := (out[at["theta"]+2] - 3) / 0.5
		sum, square, share = sum+z, square+z*z, share+out[at["share"]+2]
	}
	if a := out[at["theta"]:][:2]; a[0] != -1 || a[1] != -2 || out[at["share"]] != 0.25 {
		t.Errorf("fitted levels became %v", a)
	}
	if m := sum / draws; math.Abs(m) > 4/math.Sqrt(draws) {
		t.Errorf("the mean of a new level is %g standard deviations off", m)
	}
	if v := square / draws; math.Abs(v-1) > 4*math.Sqrt(2./draws) {
		t.Errorf("the variance of a new level is %g times that of the prior", v)
	}
	if m := share / draws; math.Abs(m-2./3) > 4*math.Sqrt(1./18/draws) {
		t.Errorf("the mean of a new share is %g", m)
	}
}

// TestNewLevelsRefused: where a new level has no law of its own.
func TestNewLevelsRefused(t *testing.T) {
	for _, c := range []struct{ prior, want string }{
		{"param theta[J] : real\ntheta ~ multi_normal_cholesky(zeros(J), identity(J))\n", "ties"},
		{"param theta[J] : real\n", "no prior"},
		{"param theta[J] : real ~ normal(mean(y), tau)\n", "data"},
		{"param theta[J] : real ~ normal(mu, tau / sqrt(J))\n", "number of levels"},
		{"param theta[J] : real\nfor j in J { theta[j] ~ normal(j * mu, tau) }\n", "position"},
		{"param theta : sum_to_zero[J] ~ normal(0, tau)\n", "ties"},
		{"param theta[J] : real\ntheta[0] ~ normal(mu, tau)\n" +
			"for j in 1:J { theta[j] ~ normal(theta[j - 1], tau) }\n", ""},
	} {
		text := strings.Replace(schools, "param theta[J] : real ~ normal(mu, tau)\n", c.prior, 1)
		if _, _, _, err := newLevelsFor(t, text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.prior, err)
		}
	}
}

// TestNewLevelsTied: predictions that take the levels together, or count them, are refused for
// more levels; those that read a row's own level are not.
func TestNewLevelsTied(t *testing.T) {
	for _, c := range []struct{ mean, want string }{
		{"theta[g[n]]", ""},
		{"theta[g[n]] + 2 * theta[0]", ""},
		{"theta[g[n]] - mean(theta)", "levels"},
		{"theta[g[n]] - max(theta)", "together"},
		{"theta[g[n]] / sqrt(J)", "number of levels"},
		{"theta[g[n]] + theta[J - 1]", "number of levels"},
		{"theta[g[n]] + sum(cumsum(theta))", "together"},
		{"theta[g[n]] * g[n]", ""},
	} {
		src := source.New("m.sg", strings.Replace(schools, "normal(theta[g[n]], ",
			"normal("+c.mean+", ", 1))
		compiled, diags := Compile(src, Options{})
		if compiled == nil {
			t.Errorf("%s: %s", c.mean, diags[0].Message)
			continue
		}
		after, diags := Predict(src, Options{})
		if after == nil {
			t.Fatal(diags[0].Message)
		}
		for _, x := range []*Compiled{compiled, &after.Compiled} {
			err := x.Tied("J")
			if c.want == "" && err != nil || c.want != "" &&
				(err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: %v, want %q", c.mean, err, c.want)
			}
		}
	}
}

// TestNewLevelsNested: a new level of groups within regions is drawn given the fitted entry of its
// region, or the one that was drawn for a new region.
func TestNewLevelsNested(t *testing.T) {
	src := source.New("m.sg", `dim N, J, R
data y[N] : real
data g[N] : index[J]
data region[J] : index[R]
param mu : real ~ normal(0, 10)
param a[R] : real ~ normal(mu, 1)
param b[J] : real
for j in J { b[j] ~ normal(a[region[j]], 0.01) }
for n in N { y[n] ~ normal(b[g[n]], 1) }
`)
	c, diags := Compile(src, Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{
		"y": data.Dense([]float64{1, 2, 3}, 3), "g": data.Dense([]float64{0, 1, 2}, 3),
		"region": data.Dense([]float64{0, 0, 1}, 3)},
		map[string]int{"J": 3, "R": 2}, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	bound.NewLevels = map[string]int{"J": 1, "R": 1}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for _, o := range m.Outputs() {
		at[o.Name] = o.Offset
	}
	l, err := NewLevelsOf(src, Options{}, m.Spec, bound)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, m.OutputLen())
	l.Spread("a", []float64{50}, out[at["a"]:])
	l.Spread("b", []float64{7}, out[at["b"]:])
	if err := l.Fill(out, at, 3); err != nil {
		t.Fatal(err)
	}
	a, b := out[at["a"]:][:2], out[at["b"]:][:3]
	if a[0] != 50 || b[0] != 7 || math.Abs(a[1]) > 6 || math.Abs(b[1]-50) > 0.06 ||
		math.Abs(b[2]-a[1]) > 0.06 {
		t.Errorf("regions %v, groups %v", a, b)
	}
}

package posterior_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// Predictions of new rows draw unknowns that were integrated out from their
// priors, one for all that depends on it in the row: variances add up, and
// entries of one row are correlated.
func TestPredictCollapsed(t *testing.T) {
	const text = `dim N
data y[N], w[N] : real
param m : real ~ normal(0, 1)
param s : positive ~ gamma(2, 1)
for n in N {
  local u : real ~ normal(m, s) by collapse
  y[n] ~ normal(u, 1)
  w[n] ~ normal(-2 * u, 1)
}
`
	_, m, g := predictor(t, text, map[string]int{"N": 2}, nil, nil)
	all := draws(t, m, g, []float64{3, 2}, 4000)
	mean, sd := moments(all, 0)
	if math.Abs(mean-3) > 4*math.Sqrt(5.0/4000) || math.Abs(sd*sd-5) > 4*5*math.Sqrt(2.0/4000) {
		t.Errorf("y has mean %v and variance %v, want 3 and 5", mean, sd*sd)
	}
	other, _ := moments(all, 2)
	within, across := 0.0, 0.0
	for _, d := range all {
		within += (d[0] - mean) * (d[2] - other) / 4000
		across += (d[0] - mean) * (d[3] - other) / 4000
	}
	// A covariance of −2·4, between variances 5 and 17.
	if e := 4 * math.Sqrt((5*17+64)/4000.0); math.Abs(within+8) > e || math.Abs(across) > e {
		t.Errorf("the covariance is %v in a row and %v across rows, want -8 and 0", within, across)
	}
}

// A param that was integrated out is not in the run: nothing that depends on
// it is predicted or left out, and all is simulated.
func TestCollapsedParam(t *testing.T) {
	src := source.New("m.sg", "dim N\ndata y[N] : real\nparam b : real ~ normal(0, 1)\n"+
		"param u : real ~ normal(b, 1) by collapse\ny ~ normal(u, 1)\n")
	if _, diags := driver.Predict(src, driver.Options{}); len(diags) != 1 ||
		diags[0].Code != "E0712" {
		t.Errorf("predicted: %v", diags)
	}
	if _, diags := driver.Pointwise(src, driver.Options{}); len(diags) != 1 ||
		diags[0].Code != "E0714" {
		t.Errorf("left out: %v", diags)
	}
	out, diags, errs, err := driver.Simulate(src,
		driver.SimulateOptions{Seed: 4, Sets: []string{"N=4000"}})
	if out == nil {
		t.Fatal(diags, errs, err)
	}
	if len(out.Params) != 2 || out.Params[1].Name != "u" {
		t.Fatalf("simulation draws %v", out.Params)
	}
	mean := 0.0
	for _, y := range out.Bound.Values["y"].F64 {
		mean += y / 4000
	}
	if u := out.Params[1].Value.F64[0]; math.Abs(mean-u) > 4/math.Sqrt(4000) {
		t.Errorf("y has mean %v around u = %v", mean, u)
	}
}

// Sums over all rows of what is left of a group when its effect is integrated
// out are of data alone: full passes do not go through the rows.
func TestCollapsedStatistics(t *testing.T) {
	const text = `dim N, J
data y[N], x[N] : real
data g[N] : index[J]
param m, b : real ~ normal(0, 2)
param s, tau : positive ~ gamma(3, 3)
param u[J] : real ~ normal(m, tau) by collapse
for n in N { y[n] ~ normal(u[g[n]] + b * x[n], s) }
`
	c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	if notes := c.Spec.Collapse.Notes; len(notes) != 1 ||
		notes[0] != "N terms become 1 for each of J and 2" {
		t.Errorf("full passes: %q", notes)
	}
	for _, d := range c.Spec.Data {
		if d.Rows {
			t.Errorf("%s is read by rows", d.Name)
		}
	}
}

// Words of a new document: its proportions are drawn from their prior, though
// the terms that a gradient needs have no closed form where topics are summed out.
func TestPredictTopics(t *testing.T) {
	const text = `dim D, W, K = 2
data w[D, W] : index[2]
param eta[K, 2] : real ~ normal(0, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical(softmax(eta[z]))
  }
}
`
	_, m, g := predictor(t, text, map[string]int{"D": 1, "W": 2, "K": 2}, nil, nil)
	const n = 4000
	same, first := 0.0, 0.0
	for _, d := range draws(t, m, g, []float64{40, -40, -40, 40}, n) { // a word is its topic
		if first += d[0] / n; d[0] == d[1] {
			same += 1.0 / n
		}
	}
	// Of a Dirichlet(α, α) law, P(z = z') = (1 + α) / (1 + 2 α).
	if e := 4 * math.Sqrt(0.75*0.25/n); math.Abs(same-0.75) > e ||
		math.Abs(first-0.5) > 4*math.Sqrt(0.25/n) {
		t.Errorf("two words are the same with frequency %v, the first is 1 with %v", same, first)
	}
	_, diags := driver.Pointwise(source.New("m.sg", text), driver.Options{})
	if len(diags) != 1 || diags[0].Code != "E0714" {
		t.Errorf("likelihood of a document: %v", diags)
	}
}

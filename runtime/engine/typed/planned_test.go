package typed_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/typed"
)

// manyRows is a logistic regression of n rows.
func manyRows(t *testing.T, n int) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("slope.sg",
		"dim N\ndata x[N] : real\ndata y[N] : bool\nparam a : real ~ normal(0, 3)\n"+
			"param b : real ~ normal(0, 3)\nfor n in N { y[n] ~ bernoulli_logit(a * x[n] + b) }\n"),
		driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	src := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = src.NormFloat64()
		if src.Float64() < 1/(1+math.Exp(-x[i]-0.5)) {
			y[i] = 1
		}
	}
	b, _, errs := data.Validate(&data.Schema{Dims: []data.Dim{{Name: "N"}}}, nil,
		map[string]int{"N": n}, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	b.Values["x"], b.Values["y"] = array.Dense(x, n), array.Dense(y, n)
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// at is a draw that is there.
func at(t *testing.T, of interface {
	Draw(chain, index int) (typed.Draw, error)
}, chain, index int) typed.Draw {
	t.Helper()
	d, err := of.Draw(chain, index)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlanned: a run of many rows whose settings ask for it finds by itself how it samples;
// with other settings, or fewer rows, it is as it was.
func TestPlanned(t *testing.T) {
	ask := typed.DefaultSettings()
	ask.Anchor, ask.TargetESS, ask.MaxBias, ask.Chains = "auto", 200, 0.3, 2
	m := manyRows(t, 3000)
	set, err := typed.Collect(t.Context(), m, ask)
	if err != nil {
		t.Fatal(err)
	}
	biases := 0
	for _, h := range set.Health() {
		if h.Statistic == "bias_mean" || h.Statistic == "bias_sd" {
			biases++
			if h.Verdict != "ok" || h.Block != "a" && h.Block != "b" {
				t.Errorf("%+v", h)
			}
		}
	}
	if biases != 2 || set.Chains() != 2 {
		t.Errorf("%d chains, health %+v", set.Chains(), set.Health())
	}
	for i, r := range set.Summary() {
		if truth := []float64{1, 0.5}[i]; math.Abs(r.Mean-truth) > 5*r.SD || r.SD < 0.02 ||
			r.SD > 0.08 || r.ESSBulk < 200 {
			t.Errorf("%+v", r)
		}
	}
	k := 0
	for d, err := range typed.Each(t.Context(), m, ask) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Chain != k%2 || d.Index != k/2 ||
			!reflect.DeepEqual(d.Values, at(t, set, d.Chain, d.Index).Values) {
			t.Fatalf("draw %d of chain %d differs", d.Index, d.Chain)
		}
		k++
	}
	if k != 2*set.Len() {
		t.Errorf("%d draws of %d", k, 2*set.Len())
	}
	few := typed.Keep{Reservoir: 7}
	sums, err := typed.Summarize(t.Context(), m, ask, few)
	if err != nil {
		t.Fatal(err)
	}
	if sums.Len() != set.Len() || sums.Kept() != 7 {
		t.Errorf("%d draws of %d, %d kept", sums.Len(), set.Len(), sums.Kept())
	}
	for i, m := range sums.Mean() {
		if math.Abs(m-set.Mean()[i]) > 1e-10 {
			t.Errorf("means %v and %v", sums.Mean(), set.Mean())
		}
	}
	for i, last := 0, -1; i < sums.Kept(); i++ {
		d := at(t, sums, 1, i)
		if d.Index <= last || !reflect.DeepEqual(d, at(t, set, 1, d.Index)) {
			t.Errorf("draw %d that was kept is number %d", i, d.Index)
		}
		last = d.Index
	}
	if d := at(t, sums, 1, 6); d.Index < set.Len()/2 {
		t.Errorf("the last that was kept is number %d of %d", d.Index, set.Len())
	}
	biased := 0
	for _, h := range sums.Health() {
		if h.Statistic == "bias_mean" {
			biased++
		}
	}
	if biased != 1 {
		t.Errorf("health %+v", sums.Health())
	}
	fixed := ask
	fixed.Draws, fixed.TargetESS = 70, 0
	if s, err := typed.Collect(t.Context(), m, fixed); err != nil || s.Len() != 70 {
		t.Error("70 draws were asked for", err)
	}
	// As before: few rows, or a setting of another way.
	fewer, plain := manyRows(t, 1999), typed.DefaultSettings()
	plain.Draws, plain.Warmup, plain.Chains = 20, 300, 2
	other := plain
	other.Anchor, other.TargetESS, other.MaxBias = "auto", 400, 0.1
	for _, of := range []*model.Model{fewer, m} {
		a, err := typed.Collect(t.Context(), of, plain)
		if err != nil {
			t.Fatal(err)
		}
		b, err := typed.Collect(t.Context(), of, other)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(at(t, a, 1, 19), at(t, b, 1, 19)) || b.Len() != 20 {
			t.Errorf("%d rows: other draws", of.Rows())
		}
	}
	if s, err := typed.Summarize(t.Context(), m, other, typed.Keep{MomentsOnly: true}); err !=
		nil || s.Len() != 20 {
		t.Error(err)
	}
}

// TestPlannedCurved: a model of a direction finds by itself how it samples too, and its draws
// are on the sphere.
func TestPlannedCurved(t *testing.T) {
	c, diags := driver.Compile(source.New("u.sg",
		"dim N\ndata x[N, 3] : real\ndata y[N] : bool\n"+
			"param u : sphere[3] ~ uniform_sphere()\n"+
			"for n in N { y[n] ~ bernoulli_logit(2 * (x[n] @ u)) }\n"), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	const n = 4000
	src := rand.New(rand.NewPCG(1, 3))
	x, y, u := make([]float64, 3*n), make([]float64, n), []float64{0.6, 0, -0.8}
	for i := range y {
		eta := 0.0
		for j := range 3 {
			x[3*i+j] = src.NormFloat64()
			eta += 2 * x[3*i+j] * u[j]
		}
		if src.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	b, _, errs := data.Validate(&data.Schema{Dims: []data.Dim{{Name: "N"}}}, nil,
		map[string]int{"N": n}, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	b.Values["x"], b.Values["y"] = array.Dense(x, n, 3), array.Dense(y, n)
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := typed.DefaultSettings()
	ask.Anchor, ask.TargetESS, ask.MaxBias, ask.Chains = "auto", 200, 0.3, 2
	set, err := typed.Collect(t.Context(), m, ask)
	if err != nil {
		t.Fatal(err)
	}
	biases := 0
	for _, h := range set.Health() {
		if h.Statistic == "bias_mean" {
			biases++
		}
	}
	square := 0.0
	for i, r := range set.Summary() {
		square += r.Mean*r.Mean + r.SD*r.SD
		if math.Abs(r.Mean-u[i]) > 5*r.SD || r.SD > 0.06 {
			t.Errorf("%+v", r)
		}
	}
	if biases != 1 || math.Abs(square-1) > 1e-3 {
		t.Errorf("|u|² is %g; health %+v", square, set.Health())
	}
}

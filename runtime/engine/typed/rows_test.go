package typed_test

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/typed"
)

// centred has a covariate that is centred by the mean of the fit's rows, a size that
// parameters have, an input without rows, and classes.
const centred = `dim N, G
data x[N] : real
data g[N] : index[G]
data scale : positive
data y[N] : real
data z[N] : index[3]
param a[G] : real ~ normal(0, 10)
param b : real ~ normal(0, 10)
param w[3] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]] + b * (x[n] - mean(x)), scale) }
for n in N { z[n] ~ categorical(softmax(w * (x[n] - mean(x)))) }
`

func inputsOf(values map[string]any) *typed.Inputs {
	in := typed.NewInputs()
	for name, v := range values {
		in.Put(name, v)
	}
	return in
}

func centredModel(t *testing.T) (*model.Model, *data.Bound) {
	t.Helper()
	c, diags := driver.Compile(source.New("c.sg", centred), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	b, err := inputsOf(map[string]any{"x": []float64{1, 2, 6}, "g": []int{0, 1, 2}, "scale": 2.0,
		"y": []float64{1, 2, 3}, "z": []int{0, 1, 2}}).Bind(&c.Spec.Schema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

// TestRows: predictions and likelihoods of new rows are what the model says by hand, with
// the mean, the sizes and the inputs without rows of the fit; the average is over draws.
func TestRows(t *testing.T) {
	m, fit := centredModel(t)
	observed := []string{"y", "z"}
	a, b, w := []float64{1, -1, 0.5}, 2.0, []float64{0, 1, -1}
	params := []any{&a, &b, &w}
	x, g, y, z := []float64{10, 0}, []int{2, 0}, []float64{3, 4}, []int{1, 2}
	blank, err := typed.NewRows(m, fit, inputsOf(map[string]any{"x": x, "g": g, "scale": 77.0}),
		observed)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := typed.NewRows(m, fit, inputsOf(map[string]any{"x": x, "g": g, "y": y, "z": z}),
		observed)
	if err != nil {
		t.Fatal(err)
	}
	wantY, wantZ, wantL := make([]float64, 2), make([][]float64, 2), make([]float64, 2)
	at := func(a []float64, b float64, w []float64) {
		for n := range x {
			d := x[n] - 3 // the mean of the fit
			wantY[n] = a[g[n]] + b*d
			sum := 0.0
			wantZ[n] = make([]float64, 3)
			for k := range w {
				wantZ[n][k] = math.Exp(w[k] * d)
				sum += wantZ[n][k]
			}
			for k := range w {
				wantZ[n][k] /= sum
			}
			r := (y[n] - wantY[n]) / 2
			wantL[n] = -0.5*r*r - math.Log(2) - 0.5*math.Log(2*math.Pi) + math.Log(wantZ[n][z[n]])
		}
	}
	at(a, b, w)
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-9*(1+math.Abs(want))) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for _, rows := range []*typed.Rows{blank, whole} {
		var gotY []float64
		var gotZ [][]float64
		if err := rows.Predict(params, []any{&gotY, &gotZ}); err != nil {
			t.Fatal(err)
		}
		for n := range x {
			near("y", gotY[n], wantY[n])
			for k := range w {
				near("z", gotZ[n][k], wantZ[n][k])
			}
		}
	}
	l, err := whole.LogLik(params)
	if err != nil {
		t.Fatal(err)
	}
	for n := range l {
		near("likelihood", l[n], wantL[n])
	}
	if _, err := blank.LogLik(params); err == nil || !strings.Contains(err.Error(), "needs") {
		t.Errorf("a likelihood of what is not known: %v", err)
	}

	// Over draws, and from several goroutines.
	s := typed.DefaultSettings()
	s.Chains, s.Draws, s.Warmup = 2, 15, 100
	set, err := typed.Collect(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	meanY, lik := make([]float64, 2), make([]float64, 2)
	for c := range 2 {
		for i := range 15 {
			d, err := set.Draw(c, i)
			if err != nil {
				t.Fatal(err)
			}
			at(d.Values[:3], d.Values[3], d.Values[4:7])
			for n := range x {
				meanY[n] += wantY[n] / 30
				lik[n] += math.Exp(wantL[n]) / 30
			}
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var gotY []float64
			var gotZ [][]float64
			if err := set.Predict(blank, []any{&gotY, &gotZ}); err != nil {
				t.Error(err)
			}
			l, err := set.LogLik(whole)
			if err != nil {
				t.Error(err)
			}
			for n := range x {
				near("mean of y", gotY[n], meanY[n])
				near("predictive density", l[n], math.Log(lik[n]))
			}
		})
	}
	wg.Wait()

	// What cannot be.
	for says, values := range map[string]map[string]any{
		"g": {"x": x, "g": []int{3, 0}},
		"N": {"x": x, "g": []int{0}},
		"x": {"g": g},
		"":  {"x": []float64{math.NaN(), 1}, "g": g},
	} {
		if _, err := typed.NewRows(m, fit, inputsOf(values), observed); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", values, err)
		}
	}
	none, err := typed.NewRows(m, fit, inputsOf(map[string]any{"x": []float64{}, "g": []int{}}),
		observed)
	if err != nil || none.Len() != 0 {
		t.Errorf("no rows: %v", err)
	}
}

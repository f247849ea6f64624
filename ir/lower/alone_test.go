package lower_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// TestAlone: where the compiler says that a row's log likelihood is the log
// probability of its class, it is, and where it is not the compiler does not say so.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name, text string
		alone      bool
	}{
		{"softmax", `for n in N { y[n] ~ categorical_logit(x[n] * w) }`, true},
		{"probabilities", `for n in N { y[n] ~ categorical([1 - p, p / 3, 2 * p / 3]) }`, true},
		{"from 1", `for n in N { v[n] ~ categorical_logit(x[n] * w) }`, true},
		{"ordered", `for n in N { y[n] ~ ordered_logistic(x[n], [p - 1, p]) }`, true},
		{"with a prior as a statement", `w ~ normal(0, 2)
for n in N { y[n] ~ categorical_logit(x[n] * w) }`, true},
		{"a factor beside", `for n in N { y[n] ~ categorical_logit(x[n] * w)
factor -p * x[n]^2 }`, false},
		{"another name", `for n in N { y[n] ~ categorical_logit(x[n] * w)
z[n] ~ normal(p, 1) }`, false},
		{"another order", `for n in N { y[N - 1 - n] ~ categorical_logit(x[n] * w) }`, false},
		{"a part of the rows", `for n in 1:N { y[n] ~ categorical_logit(x[n - 1] * w) }`, false},
	} {
		text := "dim N\ndata x[N], z[N] : real\ndata y[N] : index[3]\n" +
			"data v[N] : index[3] from 1\nparam p : unit ~ beta(1, 1)\nparam w[3] : real"
		if c.name != "with a prior as a statement" {
			text += " ~ normal(0, 1)"
		}
		compiled, diags := driver.Compile(source.New("m.sg", text+"\n"+c.text+"\n"),
			driver.Options{})
		if compiled == nil {
			t.Errorf("%s: %v", c.name, diags)
			continue
		}
		alone := false
		for _, s := range compiled.Spec.Sites {
			alone = alone || s.Alone
		}
		if alone != c.alone {
			t.Errorf("%s: alone is %v", c.name, alone)
		}
		const rows = 1100
		x, z, y, v := make([]float64, rows), make([]float64, rows), make([]float64, rows),
			make([]float64, rows)
		for i := range x {
			x[i], z[i], y[i], v[i] = math.Sin(float64(i)), math.Cos(float64(i)), float64(i*i%7%3),
				float64(1+i*i%5%3)
		}
		bound, _, errs := data.Validate(&compiled.Spec.Schema,
			map[string]*data.Value{"x": data.Dense(x, rows), "z": data.Dense(z, rows),
				"y": data.Dense(y, rows), "v": data.Dense(v, rows)}, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		m, err := compiled.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := predictive.Of(m)
		e := m.Evaluator(0)
		state := make([]float64, m.Dim())
		for i := range state {
			state[i] = 0.3*float64(i) - 0.2
		}
		out, want := make([]float64, r.Width()), make([]float64, rows)
		r.Predict(e, state, out)
		e.LogLik(state, nil, want)
		for i := range want {
			if math.Abs(out[i]-want[i]) > 1e-14*(1+math.Abs(want[i])) || math.IsNaN(out[i]) {
				t.Errorf("%s: row %d has %v, want %v", c.name, i, out[i], want[i])
				break
			}
		}
	}
}

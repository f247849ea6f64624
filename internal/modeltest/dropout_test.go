package modeltest

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
)

// masked has a gradient by a that is the masked layer, b x under a mask, of the row at hand.
const masked = `use nn
dim N
data x[N] : real[4]
param a[4] : real
layer d = Dropout(0.3)
for n in N { factor a @ d(x[n]) }
`

func bindMasked(t *testing.T, text string, single bool) *model.Model {
	t.Helper()
	var x []float64
	for n := range 5 {
		x = append(x, 1, -2, 0.5, float64(n+1))
	}
	return bindPrecision(t, text, single, map[string]int{"N": 5}, map[string][]float64{"x": x})
}

// A masked layer has entries x m, m = 0 with probability p and 1/(1 − p) else: their mean is x and
// their variance x² p/(1 − p). Of entries, rows and steps no two masks depend on each other.
func TestDropoutMoments(t *testing.T) {
	const p, steps = 0.3, 20000
	for _, single := range []bool{false, true} {
		m := bindMasked(t, masked, single)
		e := m.Evaluator(2)
		e.Train(11, 0)
		rows, at, grad := []int{3, 1}, make([]float64, 4), make([]float64, 4)
		var sum, square [4]float64
		var pairs, last float64
		for step := range uint64(steps) {
			e.MaskStep(step)
			var two [2][4]float64 // masks of the rows, which come from gradients of each alone
			e.Gradient(at, rows, 1, 0, grad)
			for k := range rows {
				one := make([]float64, 4)
				e.Gradient(at, rows[:k+1], 1, 0, one)
				for j := range one {
					two[k][j] = one[j]
					if k == 1 {
						two[1][j] -= two[0][j]
					}
				}
			}
			for j, x := range []float64{1, -2, 0.5, 2} {
				if got := two[0][j] + two[1][j]; math.Abs(got-grad[j]) > 1e-6 {
					t.Fatalf("step %d: rows give %v, both together %v", step, got, grad[j])
				}
				mask := two[1][j] / x
				if k := mask * (1 - p); math.Abs(k) > 1e-6 && math.Abs(k-1) > 1e-6 {
					t.Fatalf("step %d: a mask of %v", step, mask)
				}
				sum[j] += mask
				square[j] += (mask - 1) * (mask - 1)
			}
			pairs += (two[1][0] - 1) * (two[1][1]/-2 - 1)
			pairs += (two[1][0] - 1) * (two[0][0] - 1)
			pairs += (two[1][0] - 1) * last
			last = two[1][0] - 1
		}
		v := p / (1 - p)
		// (m − 1)² is 1 with probability p, else v²
		ofSquare := math.Sqrt((p + (1-p)*v*v*v*v - v*v) / steps)
		for j := range sum {
			if z := (sum[j]/steps - 1) / math.Sqrt(v/steps); math.Abs(z) > 4 {
				t.Errorf("single %v, entry %d: mean %v, z = %.1f", single, j, sum[j]/steps, z)
			}
			if z := (square[j]/steps - v) / ofSquare; math.Abs(z) > 4 {
				t.Errorf("single %v, entry %d: variance %v, want %v, z = %.1f", single, j,
					square[j]/steps, v, z)
			}
		}
		if z := pairs / (v * math.Sqrt(3*steps)); math.Abs(z) > 4 {
			t.Errorf("single %v: masks depend on each other, z = %.1f", single, z)
		}
	}
}

// Nothing is dropped where a model is not trained, and a training has gradients alone.
func TestDropoutIsOff(t *testing.T) {
	text := "use nn\ndim N\ndata x[N] : real[4]\ndata y[N] : real\n" +
		"layer d = Dropout(0.3), o = Dense(4, 1)\nfor n in N { y[n] ~ normal(o(d(x[n]))[0], 1) }\n"
	plain := "use nn\ndim N\ndata x[N] : real[4]\ndata y[N] : real\n" +
		"layer o = Dense(4, 1)\nfor n in N { y[n] ~ normal(o(x[n])[0], 1) }\n"
	m, other := bindMasked(t, text, false), bindMasked(t, plain, false)
	x := []float64{0.3, -1, 2, 0.25, 0.125}
	values := func(m *model.Model, train bool) (out []float64) {
		e := m.Evaluator(3)
		if train {
			e.Train(1, 0)
		}
		for _, rows := range [][]int{nil, {4, 0, 2}} {
			n := len(rows)
			if rows == nil {
				n = m.Rows()
			}
			lik, mean := make([]float64, n), make([]float64, n)
			e.LogLik(x, rows, lik)
			if !e.Mean("y", x, rows, mean) {
				t.Fatal("no mean")
			}
			g := make([]float64, len(x))
			out = append(append(append(out, lik...), mean...), e.LogDensity(x, rows, 1.5, 1),
				e.LogDensityGradient(x, rows, 1.5, 1, g))
			out = append(out, g...)
			if !train {
				e.Gradient(x, rows, 1.5, 1, g)
				out = append(out, g...)
			}
		}
		return out
	}
	if !slices.Equal(values(m, false), values(other, false)) {
		t.Error("a model whose dropout is off differs from one without it")
	}
	if !slices.Equal(values(m, true), values(other, true)) {
		t.Error("a training drops entries outside of gradients")
	}
	e, g, all := m.Evaluator(3), make([]float64, len(x)), make([]float64, len(x))
	e.Gradient(x, nil, 1, 1, all)
	e.Train(1, 0)
	if e.Gradient(x, nil, 1, 1, g); slices.Equal(g, all) {
		t.Error("nothing is dropped from a gradient of all rows")
	}
	rows := []int{4, 0, 2}
	if n := testing.AllocsPerRun(3, func() { e.Gradient(x, rows, 1, 1, g) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A training that is broken off and resumed ends at the same bits.
func TestDropoutResumes(t *testing.T) {
	text := "use nn\ndim N\ndata x[N] : real[4]\ndata y[N] : real\n" +
		"layer d = Dropout(0.3), o = Dense(4, 1)\nfor n in N { y[n] ~ normal(o(d(x[n]))[0], 1) }\n"
	m := bindMasked(t, text, false)
	cfg := optimize.DefaultConfig()
	cfg.Algorithm, cfg.Step, cfg.Steps, cfg.Batch = "adam", 0.01, 60, 2
	run := func(stop int64, seed uint64) []float64 {
		cfg.Seed = seed
		c, err := optimize.NewChain(m, nil, cfg, 0)
		for err == nil && !c.Done() {
			if c.Steps() == stop {
				c, err = optimize.ResumeChain(m, nil, cfg, 0, c.AppendBinary(nil))
				stop = -1
			}
			if err == nil {
				err = c.Step()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(c.Position())
	}
	whole := run(-1, 5)
	if !slices.Equal(whole, run(23, 5)) {
		t.Error("a resumed training ends elsewhere")
	}
	if slices.Equal(whole, run(-1, 6)) {
		t.Error("another seed trains alike")
	}
}

// Dropout that belongs to no row is refused, and so is a rate that is no number below 1.
func TestDropoutRefused(t *testing.T) {
	for name, text := range map[string]string{
		"params": "param w[2] : real ~ normal(0, 1)\nlet v = dropout(w, 0.5)\n" +
			"for n in N { y[n] ~ normal(sum(v), 1) }\n",
		"rate":    "param r : unit\nfor n in N { y[n] ~ normal(dropout(r, r), 1) }\n",
		"all":     "param r : real\nfor n in N { y[n] ~ normal(dropout(r, 1), 1) }\n",
		"part":    "param r : real\nfor n in 1:N { y[n] ~ normal(dropout(r, 0.5), 1) }\n",
		"no rows": "param r : real\nfactor -dropout(r, 0.5)^2\n",
	} {
		text = "dim N\ndata y[N] : real\n" + text
		c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
		if c != nil || diags[0].Code != "E0715" || diags[0].Span.End == 0 {
			t.Errorf("%s: compiled %v, %v", name, c != nil, diags)
		}
	}
}

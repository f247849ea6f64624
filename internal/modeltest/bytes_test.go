package modeltest

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// network reads images by row, whose labels are data of a byte too, one array
// along another axis first and one without rows.
const network = `
dim N, P
data x[N] : real[P]
data t[P, N] : real
data m[P] : real
data y[N] : index[3] from 1
param w[P, 3] : real ~ normal(0, 1)
param b[3] : real ~ normal(0, 1)
let c = mean(m)
for n in N { y[n] ~ categorical_logit((x[n] / 126) @ w + b * (c + sum(t[p, n] for p in P))) }
`

// TestBytes: data that stay bytes in memory give the numbers that they give as
// float64, by minibatches, by blocks of all rows, and by row.
func TestBytes(t *testing.T) {
	for _, single := range []bool{false, true} {
		c, diags := driver.Compile(source.New("network.sg", network), driver.Options{})
		if c == nil {
			t.Fatal(diags)
		}
		if single {
			if err := c.ToSingle(); err != nil {
				t.Fatal(err)
			}
		}
		testBytes(t, c)
	}
}

func testBytes(t *testing.T, c *driver.Compiled) {
	t.Helper()
	const rows, width = 1500, 7
	level := new([256]float64)
	for i := range level {
		level[i] = float64(i)
	}
	code := func(n, below int) []uint8 {
		out := make([]uint8, n)
		for i := range out {
			out[i] = uint8((i*i + 7*i/3) % below)
		}
		return out
	}
	values := map[string]*data.Value{
		"x": {Shape: []int{rows, width},
			Bytes: &array.Bytes{Code: code(rows*width, 256), Level: level}},
		"t": {Shape: []int{width, rows},
			Bytes: &array.Bytes{Code: code(rows*width, 3), Level: level}},
		"m": {Shape: []int{width}, Bytes: &array.Bytes{Code: code(width, 5), Level: level}},
		"y": {Shape: []int{rows}, Bytes: &array.Bytes{Code: code(rows, 3), Level: level}},
	}
	for i := range values["y"].Bytes.Code {
		values["y"].Bytes.Code[i]++ // from 1
	}
	wide := map[string]*data.Value{}
	for name, v := range values {
		wide[name] = data.Dense(v.Floats(), v.Shape...)
	}
	var all [2][]float64
	for k, given := range []map[string]*data.Value{values, wide} {
		bound, _, errs := data.Validate(&c.Spec.Schema, given, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		if isBytes := bound.Values["x"].Bytes != nil; isBytes != (k == 0) {
			t.Fatalf("x is of bytes: %v", isBytes)
		}
		m, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		eval := m.Evaluator(40)
		state := make([]float64, m.Dim())
		for i := range state {
			state[i] = math.Sin(float64(3 * i))
		}
		grad := make([]float64, m.Dim())
		eval.Gradient(state, []int{1499, 3, 3, 700, 1024, 1023}, 250, 1, grad)
		all[k] = append(all[k], grad...)
		variate, ok := target.DifferenceOf(eval)
		if !ok {
			t.Fatal("no difference")
		}
		anchor := slices.Clone(state)
		anchor[0] += 0.1
		variate.Difference(state, anchor, []int{1499, 3, 3, 700, 1024, 1023},
			[]float64{1, 2, 3, 4, 5, 6}, 1, grad)
		all[k] = append(all[k], grad...)
		all[k] = append(all[k], eval.LogDensityGradient(state, nil, 1, 1, grad))
		all[k] = append(all[k], grad...)
		loglik := make([]float64, rows)
		eval.LogLik(state, nil, loglik)
		all[k] = append(all[k], loglik...)
		whole := m.Frame()
		for i := range whole.Dense {
			if c.Spec.Single && c.Spec.Data[i].Rows {
				continue // in single precision no function reads it whole
			}
			all[k] = append(all[k], whole.Dense[i]...)
		}
		some, weights := []int{5, 9}, []float64{1, 2}
		if n := testing.AllocsPerRun(5, func() {
			eval.Gradient(state, some, 1, 1, grad)
			variate.Difference(state, anchor, some, weights, 1, grad)
			eval.LogDensity(state, nil, 1, 1)
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if len(all[0]) != len(all[1]) {
		t.Fatalf("%d and %d numbers", len(all[0]), len(all[1]))
	}
	for i, x := range all[0] {
		if x != all[1][i] || math.IsNaN(x) {
			t.Fatalf("number %d is %v by bytes, %v by float64", i, x, all[1][i])
		}
	}
}

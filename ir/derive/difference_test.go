package derive_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Rows with dense, sparse and ragged data. Every number of theirs is one in
// single precision too.
const manyKinds = `dim N, P, Q, T(N)
data x[N, P] : real
data z[N, Q] : sparse real
data s[N, T] : real
data y[N] : real
param w[P] : real ~ normal(0, 1)
param v[Q] : real ~ normal(0, 1)
param sigma : positive ~ exponential(1)
for n in N {
  y[n] ~ normal(x[n] @ w + z[n] @ v, sigma)
  for t in T { s[n, t] ~ normal(w[0], 2 + sigma) }
}
`

func bindKinds(t *testing.T, single bool) (*model.Model, []float64) {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", manyKinds), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	if single {
		if err := c.ToSingle(); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	const rows, p, q = 40, 3, 6
	whole := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(r.IntN(9)-4) / 4
		}
		return out
	}
	csr := &data.CSR{Rows: rows, Cols: q, Indptr: []int{0}}
	var lengths []int
	for k := range rows {
		for j := range q {
			if (k*j+k)%4 == 1 {
				csr.Index, csr.Value = append(csr.Index, int32(j)), append(csr.Value, float64(j-2))
			}
		}
		csr.Indptr = append(csr.Indptr, len(csr.Index))
		lengths = append(lengths, 1+k*k%23)
	}
	packed := array.NewPacked(lengths, slices.Max(lengths), 1)
	for k, n := range lengths {
		row := make([]float64, slices.Max(lengths))
		copy(row, whole(n))
		if !packed.SetRow(k, row) {
			t.Fatal("a row that cannot be packed")
		}
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{
		"x": data.Dense(whole(rows*p), rows, p), "y": data.Dense(whole(rows), rows),
		"z": data.Sparse(csr),
		"s": {Shape: []int{rows, slices.Max(lengths)}, Packed: packed},
	}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = math.Sin(float64(i + 1))
	}
	return m, x
}

// Difference computes in double precision, of a model in single precision too; the
// order in which ragged rows are listed, and how often a block is cut, change only
// the order of summation; nothing is allocated.
func TestDifferenceOfKinds(t *testing.T) {
	var all [2][]float64
	for k, single := range []bool{false, true} {
		m, x := bindKinds(t, single)
		anchor := slices.Clone(x)
		for i := range anchor {
			anchor[i] += 0.01 * float64(i%3)
		}
		var rows []int
		var weights []float64
		for i := range 60 { // some twice
			rows, weights = append(rows, i*7%m.Rows()), append(weights, 1+float64(i%5))
		}
		var of [2][]float64
		for i, capacity := range []int{7, 60} {
			d, ok := target.DifferenceOf(m.Evaluator(capacity))
			if !ok {
				t.Fatal("no difference")
			}
			of[i] = make([]float64, len(x))
			d.Difference(x, anchor, rows, weights, 0.5, of[i])
			if n := testing.AllocsPerRun(3, func() {
				d.Difference(x, anchor, rows, weights, 0.5, of[i])
			}); n > 0 {
				t.Errorf("capacity %d, single %v: %v allocations", capacity, single, n)
			}
		}
		for i := range x {
			if math.Abs(of[0][i]-of[1][i]) > 1e-12*(1+math.Abs(of[0][i])) {
				t.Errorf("coordinate %d is %v by blocks of 7, else %v", i, of[0][i], of[1][i])
			}
		}
		all[k] = append(of[0], of[1]...)
	}
	for i, x := range all[0] {
		if math.Float64bits(x) != math.Float64bits(all[1][i]) {
			t.Errorf("number %d is %v, of a model in single precision %v", i, x, all[1][i])
		}
	}
}

// Each row has a weight.
func TestDifferenceWeights(t *testing.T) {
	m, x := bindKinds(t, false)
	d, _ := target.DifferenceOf(m.Evaluator(3))
	defer func() {
		if recover() == nil {
			t.Error("two rows with one weight had a difference")
		}
	}()
	d.Difference(x, x, []int{0, 1}, []float64{1}, 1, make([]float64, len(x)))
}

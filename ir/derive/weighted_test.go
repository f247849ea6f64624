package derive_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// few is data of which equal rows occur: each datum has few values, but for t, of which each row
// has one that no other has.
const few = `dim N, P, Q
data x[N, P], o[N], e[N], t[N] : real
data z[N, Q] : sparse real
data y[N] : real?
data k[N] : count
data b[N] : bool
data g[N] : index[4]
`

var weighing = []struct {
	name, text string
	rows       int // different ones of 1,000; 0 for all, since each row differs or has an unknown
}{
	{"logistic", `param w[P] : real ~ normal(0, 2)
for n in N { b[n] ~ bernoulli_logit(x[n] @ w) }`, 12},
	{"Poisson with an offset", `param w[P] : real ~ normal(0, 2)
for n in N { k[n] ~ poisson_log(x[n] @ w + log(e[n])) }`, 36},
	{"weights of data", `param w[P] : real ~ normal(0, 2)
param s : positive ~ exponential(1)
for n in N { factor e[n] * student_t.logpdf(o[n], 4, x[n] @ w, s) }`, 36},
	{"groups", `param s : positive ~ exponential(1)
param a[4] : real ~ normal(0, s)
for n in N { o[n] ~ student_t(4, a[g[n]], s) }`, 12},
	{"sparse rows", `param v[Q] : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(z[n] @ v) }`, 8},
	{"a deviation from the mean", `param w : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(w * (o[n] - mean(o))) }`, 6},
	{"a sum that collapses", `param a[4], w : real ~ normal(0, 1)
for n in N { o[n] ~ normal(a[g[n]], 1) }
for n in N { e[n] ~ student_t(4, w * o[n], 1) }`, 24},
	{"each row of its own", `param w : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(w * t[n]) }`, 0},
	{"an unknown of each missing entry", `param w, s : real ~ normal(0, 1)
for n in N { y[n] ~ student_t(4, w * o[n], exp(s)) }`, -1},
	{"an unknown of each row", `param u[N] : real ~ normal(0, 1)
for n in N { k[n] ~ poisson_log(u[n]) }`, 0},
	{"the number of a row", `param w : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(w * n) }`, 0},
	{"the number of rows", `param w : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(w * o[n] / sqrt(N)) }`, 6},
}

const fewRows = 1000

// bindFew binds data of which there are few different rows.
func bindFew(t *testing.T, text string, single bool) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", few+text), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	if single {
		if err := c.ToSingle(); err != nil {
			t.Fatal(err)
		}
	}
	const n, p, q = fewRows, 2, 5
	r := rand.New(rand.NewPCG(18, 5))
	column := func(of func() float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = of()
		}
		return out
	}
	whole := func(m int) func() float64 { return func() float64 { return float64(r.IntN(m)) } }
	x := make([]float64, n*p)
	for i := range n {
		x[2*i] = float64(r.IntN(3))
		x[2*i+1] = float64(r.IntN(2)) - 0.25
	}
	csr := &data.CSR{Rows: n, Cols: q, Indptr: []int{0}}
	for range n {
		if kind := r.IntN(4); kind > 0 {
			csr.Index, csr.Value = append(csr.Index, int32(kind), 4),
				append(csr.Value, float64(kind)/2, -1)
		}
		csr.Indptr = append(csr.Indptr, len(csr.Index))
	}
	y := column(whole(3))
	for i := range 5 * strings.Count(text, "y[n]") {
		y[i*100] = math.NaN()
	}
	level := [256]float64{0, 0.5, 1}
	o := &array.Bytes{Code: make([]uint8, n), Level: &level}
	for i := range o.Code {
		o.Code[i] = uint8(r.IntN(3))
	}
	e := column(func() float64 { return 1 + float64(r.IntN(2)) })
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{
		"x": data.Dense(x, n, p), "e": data.Dense(e, n), "t": data.Dense(column(r.NormFloat64), n),
		"o": {Shape: []int{n}, Bytes: o}, "z": data.Sparse(csr), "y": data.Dense(y, n),
		"k": data.Dense(column(whole(3)), n), "b": data.Dense(column(whole(2)), n),
		"g": {Shape: []int{n}, F64: column(whole(4)), Canonical: true},
	}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWeighted: full passes by different rows with weights are those of all rows, and only where
// rows are equal in all that the likelihood reads.
func TestWeighted(t *testing.T) {
	for _, c := range weighing {
		t.Run(c.name, func(t *testing.T) {
			m := bindFew(t, c.text, false)
			switch got := m.DistinctRows(); {
			case c.rows < 0 && (got <= 5 || got > 30):
				t.Errorf("%d different rows, 5 with missing entries among them", got)
			case c.rows >= 0 && got != c.rows:
				t.Errorf("%d different rows, want %d", got, c.rows)
			}
			sameAsRows(t, m, fewRows)
			if c.rows != 0 && m.PassCost() != float64(m.DistinctRows()) {
				t.Errorf("a full pass costs %v rows", m.PassCost())
			}
		})
	}
}

// TestWeightedSingle: a model in single precision has full passes by different rows in double.
func TestWeightedSingle(t *testing.T) {
	for _, c := range weighing[:4] {
		single, double := bindFew(t, c.text, true), bindFew(t, c.text, false)
		if n := single.DistinctRows(); n != c.rows {
			t.Fatalf("%s: %d different rows, want %d", c.name, n, c.rows)
		}
		x, want, got := make([]float64, double.Dim()), make([]float64, double.Dim()),
			make([]float64, double.Dim())
		f := double.Evaluator(0).LogDensityGradient(x, nil, 1, 1, want)
		h := single.Evaluator(0).LogDensityGradient(x, nil, 1, 1, got)
		near(t, c.name, h, f, 0)
		for i := range x {
			near(t, c.name+", gradient", got[i], want[i], 0)
		}
	}
}

// TestWeightedCalls: the density, the gradient and both at once agree to the bit, whatever the
// capacity; likelihoods of rows and minibatches are those of the rows; nothing is allocated.
func TestWeightedCalls(t *testing.T) {
	m := bindFew(t, weighing[1].text, false)
	x, grad, other := []float64{0.3, -0.2}, make([]float64, 2), make([]float64, 2)
	want := m.Evaluator(0).LogDensityGradient(x, nil, 0.7, 0.3, grad)
	for _, capacity := range []int{1, 7, fewRows} {
		e := m.Evaluator(capacity)
		near(t, "density", e.LogDensity(x, nil, 0.7, 0.3), want, 0)
		e.Gradient(x, nil, 0.7, 0.3, other)
		near(t, "gradient", other[0], grad[0], 0)
		near(t, "gradient", other[1], grad[1], 0)
		if n := testing.AllocsPerRun(3, func() {
			e.LogDensityGradient(x, nil, 1, 1, other)
		}); n > 0 {
			t.Errorf("capacity %d: %v allocations", capacity, n)
		}
	}
	lik, sum := make([]float64, fewRows), 0.0
	e := m.Evaluator(fewRows)
	if e.LogLik(x, nil, lik); true {
		for _, l := range lik {
			sum += l
		}
	}
	near(t, "sum of likelihoods", e.LogDensity(x, nil, 1, 1)-e.LogDensity(x, []int{}, 1, 1), sum,
		1e-10*math.Abs(sum))
	one := e.LogDensity(x, []int{3}, 1, 1) - e.LogDensity(x, []int{}, 1, 1)
	near(t, "a minibatch of a row", one, lik[3], 1e-12)
}

// TestWeightedOrder: equal rows count once wherever they stand, so a table of rows in another order
// has the same sums up to rounding, and rows of which half and one are different count singly.
func TestWeightedOrder(t *testing.T) {
	c, diags := driver.Compile(source.New("m.sg", `dim N
data b[N] : bool, t[N] : real
param w : real ~ normal(0, 1)
for n in N { b[n] ~ bernoulli_logit(w * t[n]) }`), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	for different, want := range map[int]int{300: 300, 301: 0} {
		x := make([]float64, 600)
		for i := range x {
			x[i] = float64(i % different)
		}
		m, err := c.VM(&data.Bound{Dims: map[string]int{"N": len(x)}, Values: map[string]*array.Value{
			"b": array.Dense(make([]float64, len(x)), len(x)), "t": array.Dense(x, len(x))}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.DistinctRows(); got != want {
			t.Errorf("%d different rows of 600: %d are taken, want %d", different, got, want)
		}
	}
}

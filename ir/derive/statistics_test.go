package derive_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Models whose sums over rows collapse, or some of whose do.
var collapsing = []struct {
	name, text string
	sums       int // how many collapse, 0 for none
}{
	{"intercepts of groups", `
param b : real ~ normal(0, 10)
param sy, sa : positive ~ cauchy(0, 2.5)
param a[J] : real ~ normal(0, sa)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n], sy) }`, 1},
	{"intercepts and slopes of groups", `
param s : positive ~ normal(0, 1)
param a[J], b[J] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]] + b[g[n]] * x[n] - 0.5 * z[n], s) }`, 1},
	{"groups without centring", `
param m, t : real ~ normal(0, 1)
param e[J] : real ~ normal(0, 1)
let theta = m + exp(t) * e
for n in N { y[n] ~ normal(theta[g[n]] * x[n] + z[n], 2) }`, 1},
	{"two predictors", `
param a, b, c : real ~ normal(0, 3)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b * x[n] + c * z[n] + b * c * x[n] * z[n], s) }`, 1},
	{"errors of data", `
param a[J] : real ~ normal(0, 1)
param b : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n], w[n]) }`, 1},
	{"a spread of each group", `
param a[J] : real ~ normal(0, 1)
param s[J] : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]], s[g[n]]) }`, 2},
	{"counts of groups", `
param a[J] : real ~ normal(0, 1)
for n in N { k[n] ~ poisson_log(a[g[n]]) }`, 2},
	{"a part of the rows", `
param a[J] : real ~ normal(0, 1)
param b : real ~ normal(0, 1)
for n in 1:N { y[n] ~ normal(a[g[n]] + b * y[n-1], 1) }`, 1},
	{"a sum that stays", `
param a[J], b : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]], 1) }
for n in N { z[n] ~ student_t(4, b * x[n], 1) }`, 1},
	{"a regression", `
param a : real ~ normal(0, 3)
param v[P] : real ~ normal(0, 3)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a + X[n] @ v, s) }`, 1},
	{"a regression with groups and errors of data", `
param a[J] : real ~ normal(0, 3)
param b, t : real ~ normal(0, 3)
param v[P] : real ~ normal(0, 3)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n] + exp(t) * (X[n] @ v) + z[n], w[n]) }`, 1},
	{"a regression without data beside", `
param v[P], u[P] : real ~ normal(0, 3)
for n in N { factor -0.5 * (X[n] @ v - sum(X[n, p] * u[p] for p in P)) ^ 2 }`, 1},
	{"a quadratic form of an unknown", `
param v[P] : real ~ normal(0, 3)
for n in N { y[n] ~ normal((X[n] @ v) * v[0], 1) }`, 1},
	{"counts of classes", `
param v : simplex[P] ~ dirichlet(1)
for n in N { counts[n] ~ multinomial(v) }`, 1},
	{"a direction", `
param v[P] : real ~ normal(0, 1)
param s : positive ~ normal(0, 1)
for n in N { factor s * (X[n] @ v) - log(1 + s) * z[n] }`, 1},
	{"a scale of exponentials", `
param s, t : positive ~ normal(0, 1)
for n in N { w[n] ~ gamma(s, t) }`, 1},
	{"products of two regressions", `
param v[P] : real ~ normal(0, 3)
for n in N { y[n] ~ normal((X[n] @ v) * (X[n] @ v), 1) }`, 0},
	{"two indices", `
param a[J], b[J] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]] + b[h[n]], 1) }`, 0},
	{"an effect of a row", `
param a[N] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[n], 1) }`, 0},
}

const collapsingData = `dim N, J, P
data X[N, P] : real
data g[N], h[N] : index[J]
data x[N], y[N], z[N] : real
data w[N] : positive
data k[N] : count
data counts[N, P] : count
`

// bindRows compiles a model of the table and binds it to n rows in 7 groups,
// of which one is empty. What is drawn has few digits, and offset is added to
// x and y without rounding.
func bindRows(t *testing.T, text string, n int, offset float64) *model.Model {
	t.Helper()
	return bindColumns(t, text, columnsOf(n, offset))
}

// columnsOf are the data of so many rows.
func columnsOf(n int, offset float64) map[string]any {
	r := rand.New(rand.NewPCG(7, 1))
	column := func(f func() float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f()
		}
		return out
	}
	few := func() float64 { return math.Round(r.NormFloat64()*(1<<16)) / (1 << 16) }
	shifted := func() float64 { return offset + few() }
	group := func() float64 { return float64(r.IntN(6)) }
	matrix, counts := make([][]float64, n), make([][]float64, n)
	for i := range matrix {
		matrix[i] = []float64{few(), few(), 0, few() * 100}
		counts[i] = []float64{float64(r.IntN(5)), 0, float64(r.IntN(2)), float64(r.IntN(20))}
		matrix[i][2] = matrix[i][0] - matrix[i][1] // of lower rank
	}
	return map[string]any{"N": n, "J": 7, "P": 4, "X": matrix, "counts": counts,
		"g": column(group), "h": column(group), "x": column(shifted), "y": column(shifted),
		"z": column(few), "w": column(func() float64 { return 0.5 + r.Float64() }),
		"k": column(func() float64 { return float64(r.IntN(9)) })}
}

// bindColumns compiles a model and binds it to data.
func bindColumns(t *testing.T, text string, columns map[string]any) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
	if diags.Errors() {
		t.Fatal(diags)
	}
	path := filepath.Join(t.TempDir(), "data.json")
	text2, err := json.Marshal(columns)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text2, 0o666); err != nil {
		t.Fatal(err)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{path}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The function of full passes is that of a minibatch of all rows, and with
// other weights of rows and Jacobian.
func TestStatistics(t *testing.T) {
	const n = 500
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for _, c := range collapsing {
		t.Run(c.name, func(t *testing.T) {
			m := bindRows(t, collapsingData+c.text, n, 0)
			if got := len(m.Spec.Collapse.Notes); got != c.sums || m.Collapses() != (c.sums > 0) {
				t.Fatalf("%d sums collapse: %v", got, m.Spec.Collapse)
			}
			x, want, got := make([]float64, m.Dim()), make([]float64, m.Dim()),
				make([]float64, m.Dim())
			e := m.Evaluator(n)
			r := rand.New(rand.NewPCG(3, 3))
			for range 3 {
				for i := range x {
					x[i] = 0.5 * r.NormFloat64()
				}
				f := e.LogDensityGradient(x, all, 0.7, 0.3, want)
				h := e.LogDensityGradient(x, nil, 0.7, 0.3, got)
				near(t, "density", h, f, 1e-12*math.Abs(f))
				for i := range x {
					near(t, "gradient", got[i], want[i], 1e-11*(1+math.Abs(want[i])))
				}
				e.Gradient(x, nil, 0.7, 0.3, want)
				for i := range x {
					if want[i] != got[i] {
						t.Errorf("Gradient differs from LogDensityGradient: %v and %v",
							want[i], got[i])
					}
				}
			}
		})
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.17g, want %.17g: %.2g off, allowed %.2g", what, got, want,
			math.Abs(got-want), tolerance)
	}
}

// Data a million standard deviations from 0 keep their digits: of
// y + o, x + o at intercepts a + o − b·o the residuals are those of y, x at a,
// and all of these are numbers without rounding. The means are rounded, by
// o·2⁻⁵³ at most: that moves a residual of about 1 by 2⁻³³, the sum of the
// squares of 500 by 2⁻²⁴ at most. Σ y² − 2 a Σ y + N a² would be off by 500·o²·2⁻⁵³, 0.06.
func TestStatisticsOffset(t *testing.T) {
	const n, o, b = 500, 1 << 20, -0.625
	text := collapsingData + `
param b, sy : real ~ normal(0, 1)
param a[J] : real ~ normal(0, 1e8)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n], exp(sy)) }`
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for _, offset := range []float64{0, o} {
		m := bindRows(t, text, n, offset)
		if !m.Collapses() {
			t.Fatal("no collapse")
		}
		x := []float64{b, 0.125}
		for j := range 7 {
			x = append(x, float64(j)/8+offset-b*offset)
		}
		e := m.Evaluator(n)
		got, want := make([]float64, len(x)), make([]float64, len(x))
		near(t, "density", e.LogDensityGradient(x, nil, 1, 1, got),
			e.LogDensityGradient(x, all, 1, 1, want), 0x1p-24)
		for i := range x {
			size := 1.0 // of what a residual is multiplied with
			if i == 0 {
				size += offset
			}
			near(t, fmt.Sprintf("at offset %g gradient %d", offset, i), got[i], want[i],
				n*0x1p-32*size)
		}
	}
}

// Statistics that cost more than they save are not computed: fewer rows than
// groups, and a matrix with nearly as many columns as rows.
func TestStatisticsCost(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		want          bool
	}{
		{rows: 1000, columns: 10, want: true},
		{rows: 32561, columns: 123, want: true},
		{rows: 10, columns: 10},
		{rows: 6000, columns: 5000},
	} {
		src := source.New("m.sg",
			"dim N, P\ndata X[N, P], y[N] : real\nparam v[P] : real ~ normal(0, 1)\n"+
				"for n in N { y[n] ~ normal(X[n] @ v, 1) }\n")
		compiled, diags := driver.Compile(src, driver.Options{})
		if diags.Errors() {
			t.Fatal(diags)
		}
		m := &model.Model{Spec: compiled.Spec, Dims: map[string]int{"N": c.rows, "P": c.columns}}
		if m.Collapses() != c.want {
			t.Errorf("%d rows of %d: collapses %t", c.rows, c.columns, !c.want)
		}
	}
}

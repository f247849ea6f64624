package derive_test

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
)

// rowsOf are the rows from lo until hi of data.
func rowsOf(columns map[string]any, lo, hi int) map[string]any {
	out := map[string]any{}
	for name, v := range columns {
		switch x := reflect.ValueOf(v); {
		case name == "N":
			out[name] = hi - lo
		case x.Kind() == reflect.Slice:
			out[name] = x.Slice(lo, hi).Interface()
		default:
			out[name] = v
		}
	}
	return out
}

// The statistics of shards, merged in their order, give the density and the gradient of
// all rows, also where a shard has one row, or no row of a group.
func TestFold(t *testing.T) {
	const n = 600
	cuts := []int{0, 1, 7, 208, 209, 490, n}
	for _, c := range collapsing {
		if c.sums == 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			columns := columnsOf(n, 0)
			whole := bindColumns(t, collapsingData+c.text, columns)
			if want := c.name == "a part of the rows"; whole.Spec.Collapse.Whole != want {
				t.Fatalf("statistics are of all rows at once: %t, want %t",
					whole.Spec.Collapse.Whole, want)
			} else if want {
				return
			}
			var sum *model.Folded
			for i, lo := range cuts[:len(cuts)-1] {
				shard := bindColumns(t, collapsingData+c.text, rowsOf(columns, lo, cuts[i+1]))
				f, err := shard.FoldRows()
				if err != nil {
					t.Fatal(err)
				}
				if sum == nil {
					sum = f
				} else if err := whole.Spec.Merge(whole.Dims, sum, f); err != nil {
					t.Fatal(err)
				}
			}
			if sum.Rows != n {
				t.Errorf("%d rows, want %d", sum.Rows, n)
			}
			if err := whole.Hold(sum); err != nil {
				t.Fatal(err)
			}
			sameAsRows(t, whole, n)
			const several = 2*model.FoldRows + 1 // blocks
			sameAsRows(t, bindRows(t, collapsingData+c.text, several, 0), several)
		})
	}
}

// sameAsRows holds full passes of a model against sums over rows.
func sameAsRows(t *testing.T, m *model.Model, n int) {
	t.Helper()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	e := m.Evaluator(n)
	x, want, got := make([]float64, m.Dim()), make([]float64, m.Dim()), make([]float64, m.Dim())
	r := rand.New(rand.NewPCG(3, 3))
	for range 3 {
		for i := range x {
			x[i] = 0.5 * r.NormFloat64()
		}
		f := e.LogDensityGradient(x, all, 0.7, 0.3, want)
		h := e.LogDensityGradient(x, nil, 0.7, 0.3, got)
		near(t, "density", h, f, 1e-11*math.Abs(f))
		for i := range x {
			near(t, "gradient", got[i], want[i], 1e-13*float64(n)*(1+math.Abs(want[i])/float64(n)))
		}
	}
}

// Blocks of FoldRows rows are folded as shards are, and keep the digits of data far from 0.
func TestFoldOffset(t *testing.T) {
	const n, o, b = 3*model.FoldRows + 5, 1 << 20, -0.625
	text := collapsingData + `
param b, sy : real ~ normal(0, 1)
param a[J] : real ~ normal(0, 1e8)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n], exp(sy)) }`
	m := bindRows(t, text, n, o)
	x := []float64{b, 0.125}
	for j := range 7 {
		x = append(x, float64(j)/8+o-b*o)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	e := m.Evaluator(n)
	got, want := make([]float64, len(x)), make([]float64, len(x))
	f := e.LogDensityGradient(x, all, 1, 1, want)
	// as in TestStatisticsOffset: a mean is off by o·2⁻⁵³, and so are 3 more of blocks
	near(t, "density", e.LogDensityGradient(x, nil, 1, 1, got), f, n*0x1p-31)
	for i := range x {
		size := 1.0
		if i == 0 {
			size += o
		}
		near(t, "gradient", got[i], want[i], n*0x1p-31*size)
	}
}

// 100,000 rows of 20 columns in eight shards.
func TestFoldShards(t *testing.T) {
	const n, p, shards = 100_000, 20, 8
	r := rand.New(rand.NewPCG(18, 1))
	x, y := make([]float64, n*p), make([]float64, n)
	for i := range y {
		y[i] = 1 + r.NormFloat64()
		for j := range p {
			x[i*p+j] = float64(j) + r.NormFloat64()*float64(1+j%4)
			y[i] += 0.1 * float64(j-9) * x[i*p+j]
		}
	}
	c, diags := driver.Compile(source.New("m.sg", `dim N, P
data X[N, P], y[N] : real
param a : real ~ normal(0, 10)
param b[P] : real ~ normal(0, 3)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a + X[n] @ b, s) }
`), driver.Options{})
	if diags.Errors() {
		t.Fatal(diags)
	}
	bind := func(lo, hi int) *model.Model {
		m, err := c.VM(&data.Bound{Dims: map[string]int{"N": hi - lo, "P": p},
			Values: map[string]*array.Value{"X": array.Dense(x[lo*p:hi*p], hi-lo, p),
				"y": array.Dense(y[lo:hi], hi-lo)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	whole := bind(0, n)
	var sum *model.Folded
	for k := range shards {
		f, err := bind(k*n/shards, (k+1)*n/shards).FoldRows()
		if err != nil {
			t.Fatal(err)
		}
		if sum == nil {
			sum = f
		} else if err := whole.Spec.Merge(whole.Dims, sum, f); err != nil {
			t.Fatal(err)
		}
	}
	if err := whole.Hold(sum); err != nil {
		t.Fatal(err)
	}
	e, all := whole.Evaluator(0), make([]int, n)
	for i := range all {
		all[i] = i
	}
	state, want, got := make([]float64, p+2), make([]float64, p+2), make([]float64, p+2)
	for range 20 {
		for i := range state {
			state[i] = r.NormFloat64()
		}
		f, h := e.LogDensityGradient(state, all, 1, 1, want),
			e.LogDensityGradient(state, nil, 1, 1, got)
		near(t, "density", h, f, 3.3e-11*math.Abs(f))
		scale := 0.0
		for _, v := range want {
			scale = max(scale, math.Abs(v))
		}
		for i := range want {
			near(t, "gradient", got[i], want[i], 3.3e-11*scale)
		}
	}
}

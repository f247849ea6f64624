package modeltest

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const raggedModel = `dim D, W(D), V, P
data w[D, W] : index[V] from 1
data y[D, W] : real
data x[D, W, P] : real
data emb[V] : real, b[P] : real, prior : positive = 1
param a : real ~ normal(0, prior), c[V] : real ~ normal(0, 1)
for d in D {
  for i in W {
    y[d, i] ~ normal(a * log(emb[w[d, i]]) + dot(x[d, i], b) + c[w[d, i]], 1 + mean(x[d, 0]) ^ 2)
  }
}
`

// TestRaggedPacked: rows that are packed, and columns that are computed of
// blocks of them, give the bits of arrays that are padded, in minibatches and in
// full passes, in either precision.
func TestRaggedPacked(t *testing.T) {
	const rows, words, p = 1100, 5, 2 // more than a block has
	r := rng.New(1, 0, rng.Simulate).At(0)
	lengths := make([]int, rows)
	var w, y, x []float64
	for d := range lengths {
		lengths[d] = 1 + r.IntN(3)
		if d == 7 {
			lengths[d] = 40
		}
		for range lengths[d] {
			w, y = append(w, float64(1+r.IntN(words))), append(y, r.Normal())
			for range p {
				x = append(x, r.Normal())
			}
		}
	}
	cells := make([]int, 0, len(w))
	for range w {
		cells = append(cells, p)
	}
	values := map[string]*data.Value{
		"w":   data.Ragged(w, [][]int{{rows}, lengths}),
		"y":   data.Ragged(y, [][]int{{rows}, lengths}),
		"x":   data.Ragged(x, [][]int{{rows}, lengths, cells}),
		"emb": data.Dense([]float64{1, 2, 3, 4, 5}, words), "b": data.Dense([]float64{1, -1}, p),
	}
	for _, single := range []bool{false, true} {
		c, diags := driver.Compile(source.New("m.sg", raggedModel), driver.Options{})
		if c == nil {
			t.Fatal(diags)
		}
		if single {
			if err := c.ToSingle(); err != nil {
				t.Fatal(err)
			}
		}
		if !c.Spec.Apart || len(c.Spec.Derived) < 2 {
			t.Fatalf("columns %v are not computed apart", c.Spec.Derived)
		}
		bound, _, errs := data.Validate(&c.Spec.Schema, values, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		padded := &data.Bound{Dims: bound.Dims, Values: map[string]*data.Value{}}
		for name, v := range bound.Values {
			padded.Values[name] = v
			if v.Packed != nil {
				padded.Values[name] = data.Dense(v.Floats(), v.Shape...)
			}
		}
		if len(bound.Values["w"].Packed.Bytes.Code) != len(w) {
			t.Fatal("words take more than their bytes")
		}
		packed, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		spec := *c.Spec
		spec.Apart = false
		whole := *c
		whole.Spec = &spec
		dense, err := whole.VM(padded, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := make([]float64, packed.Dim())
		for i := range at {
			at[i] = 0.1 * float64(i+1)
		}
		e, f := packed.Evaluator(9), dense.Evaluator(9)
		g, h := make([]float64, len(at)), make([]float64, len(at))
		for _, batch := range [][]int{nil, {3, 1, 1099}, {7, 0, 12, 1024, 1023}, {5}} {
			e.Gradient(at, batch, 2, 1, g)
			f.Gradient(at, batch, 2, 1, h)
			if !slices.Equal(g, h) || g[0] == 0 || math.IsNaN(g[0]) {
				t.Errorf("single %t, rows %v: gradient %v, padded %v", single, batch, g, h)
			}
			if p, q := e.LogDensity(at, batch, 2, 1), f.LogDensity(at, batch, 2, 1); p != q {
				t.Errorf("single %t, rows %v: density %v, padded %v", single, batch, p, q)
			}
			n := len(batch)
			if batch == nil {
				n = rows
			}
			p, q := make([]float64, n), make([]float64, n)
			e.LogLik(at, batch, p)
			if f.LogLik(at, batch, q); !slices.Equal(p, q) {
				t.Errorf("single %t, rows %v: likelihoods differ", single, batch)
			}
		}
		rows := []int{7, 0, 12, 4}
		if n := testing.AllocsPerRun(5, func() { e.Gradient(at, rows, 2, 1, g) }); n != 0 {
			t.Errorf("a gradient of packed rows takes %v allocations", n)
		}
	}
}

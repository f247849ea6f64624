package modeltest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

const starting = `use nn
dim N, P
const sd = 0.01
data x[N] : real[P]
layer hid[2] = Dense(P, P), out = Dense(P, 1)
param U[P, P] : real ~ normal(0, 1) init orthogonal()
param a[P], b : real ~ normal(0, 1) init normal(3, sd)
param c[400] : real ~ normal(0, 1)
param s : positive ~ exponential(1) init 1.5
param u[P] : unit ~ beta(1, 1) init uniform(0.4, 0.5)
for n in N { factor normal.logpdf(out(tanh(hid[1](hid[0](x[n]))))[0] + x[n] @ (U @ a), b, s) }
`

// place starts a chain as samplers do.
func place(t *testing.T, m *model.Model, s start.Law, chain int) (map[string][]float64, error) {
	t.Helper()
	factors, err := manifold.Product(m.Blocks(), m.Dim())
	if err != nil {
		t.Fatal(err)
	}
	e := m.Evaluator(0)
	x, out := make([]float64, m.Dim()), make([]float64, m.OutputLen())
	if err := s.Place(factors, e, chain, x, make([]float64, len(x))); err != nil {
		return nil, err
	}
	e.Constrain(x, out)
	values := map[string][]float64{}
	for _, o := range m.Outputs() {
		values[o.Name] = out[o.Offset : o.Offset+o.Len]
	}
	return values, nil
}

// Chains start where the model says, each in its own point, and with
// --init where that says.
func TestStarts(t *testing.T) {
	m := bindArrays(t, starting, map[string]int{"N": 3, "P": 20}, nil)
	s := start.Law{Radius: 2, Seed: 4, Jacobian: 1}
	v, err := place(t, m, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	within := func(name string, lo, hi float64) {
		t.Helper()
		least, most := slices.Min(v[name]), slices.Max(v[name])
		if len(v[name]) == 0 || least < lo || most > hi {
			t.Errorf("%s starts in [%v, %v], not in [%v, %v]", name, least, most, lo, hi)
		}
	}
	glorot := math.Sqrt(6. / 40)
	within("hid.W", -glorot, glorot)
	if spread := slices.Max(v["hid.W"]) - slices.Min(v["hid.W"]); spread < 1.9*glorot {
		t.Errorf("hid.W spreads over %v alone", spread)
	}
	within("hid.b", 0, 0)
	within("a", 2.9, 3.1)
	within("b", 2.9, 3.1)
	within("s", 1.5*(1-1e-15), 1.5*(1+1e-15))
	within("u", 0.4-1e-15, 0.5+1e-15)
	within("c", -2, 2)
	if slices.Max(v["c"]) < 1.8 || slices.Min(v["c"]) > -1.8 {
		t.Error("c does not start uniformly on (-2, 2)")
	}
	for i := range 20 {
		square := 0.0
		for _, w := range v["U"][20*i : 20*i+20] {
			square += w * w
		}
		if math.Abs(square-1) > 1e-13 {
			t.Errorf("row %d of U has the length %v", i, math.Sqrt(square))
		}
	}
	again, _ := place(t, m, s, 0)
	other, _ := place(t, m, s, 1)
	for _, name := range []string{"hid.W", "U", "c"} {
		if !slices.Equal(v[name], again[name]) || slices.Equal(v[name], other[name]) {
			t.Errorf("the start of %s is no function of seed and chain", name)
		}
	}
	s.Plain = true
	if v, _ = place(t, m, s, 0); slices.Max(v["a"]) > 2 || slices.Max(v["hid.W"]) < 1.5 {
		t.Error("--init does not win")
	}
	s.Plain, s.Radius = false, 0
	if v, _ = place(t, m, s, 0); v["c"][7] != 0 || v["a"][3] < 2 {
		t.Error("with the radius 0, what has no law starts at the origin and the rest by its law")
	}

	bad := bindArrays(t, "param s : positive ~ exponential(1) init uniform(-3, -1)\n", nil, nil)
	if _, err := place(t, bad, start.Law{Radius: 2, Jacobian: 1}, 0); err == nil ||
		!strings.Contains(err.Error(), "s starts from") {
		t.Errorf("a start outside the support gives %v", err)
	}
}

package examples_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// notPredicted are the models that have no law to draw their data from.
var notPredicted = map[string]bool{
	// factors
	"double_well": true, "gaussian_mixture_1d": true, "circle": true, "hidden_markov": true,
	"regimes":               true,
	"dirichlet_multinomial": true, // how many trials is not said
	// what the data say of classes that are summed out is not in the run
	"raters": true,
}

// TestPredict: every other model draws, at a point of its unknowns, data that
// its own density accepts, without having seen what it draws.
func TestPredict(t *testing.T) {
	for _, r := range recipes {
		t.Run(r.model, func(t *testing.T) {
			p, diags := driver.Predict(read(t, r.model), driver.Options{})
			if notPredicted[r.model] {
				if len(diags) == 0 || diags[0].Code != "E0712" {
					t.Errorf("predicted, or refused otherwise than by E0712: %v", diags)
				}
				return
			}
			if p == nil {
				t.Fatal(diags[0].Code, diags[0].Message)
			}
			c := compile(t, r.model)
			bound := bind(t, c, data.Options{})
			full, err := c.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, full.Dim())
			factors, err := manifold.Product(full.Blocks(), full.Dim())
			if err != nil {
				t.Fatal(err)
			}
			src := rng.New(seed, 0, rng.Init).At(0)
			for _, f := range factors {
				n := f.Space.Ambient()
				for at := f.Offset; at < f.Offset+f.Len; at += n {
					f.Space.RandomPoint(&src, 0.5, x[at:at+n])
				}
			}
			var fitted map[string][]float64
			if p.FitSchema() != nil {
				if fitted, err = p.Fit(bound); err != nil {
					t.Fatal(err)
				}
			}
			blind := &data.Bound{Dims: bound.Dims, Values: maps.Clone(bound.Values)}
			for _, name := range p.Absent() {
				delete(blind.Values, name)
			}
			m, err := p.VM(blind, fitted)
			if err != nil {
				t.Fatal(err)
			}
			g, err := p.Predictor(m, blind)
			if err != nil {
				t.Fatal(err)
			}
			out := make([]float64, g.Len())
			if err := g.Draw(x, rng.New(seed, 0, rng.Predict), 7, out); err != nil {
				t.Fatal(err)
			}
			replicated := &data.Bound{Dims: bound.Dims, Values: maps.Clone(bound.Values)}
			missing := 0
			for _, s := range g.Sites {
				y := make([]float64, s.Len)
				for i, v := range out[s.Offset : s.Offset+s.Len] {
					if y[i] = v - float64(s.From); math.IsNaN(v) {
						y[i] = bound.Values[s.Name].Floats()[i]
						missing++
					}
				}
				v := data.Dense(y, s.Shape...)
				v.Canonical = true
				replicated.Values[s.Name] = v
			}
			if allowed := 1 + padding(c, bound); missing > allowed { // the first of a series
				t.Errorf("%d entries are missing, %d may be", missing, allowed)
			}
			again, err := c.VM(replicated, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f := again.Evaluator(0).LogDensity(x, nil, 1, 1); math.IsNaN(f) || math.IsInf(f, 0) {
				t.Errorf("the density of what was predicted is %v", f)
			}
			// The same, with no regard for what was drawn before.
			other := make([]float64, g.Len())
			if err := g.Draw(x, rng.New(seed, 0, rng.Predict), 8, other); err != nil {
				t.Fatal(err)
			}
			if err := g.Draw(x, rng.New(seed, 0, rng.Predict), 7, other); err != nil {
				t.Fatal(err)
			}
			for i := range out {
				if math.Float64bits(out[i]) != math.Float64bits(other[i]) {
					t.Fatalf("entry %d is %v, and drawn again %v", i, out[i], other[i])
				}
			}
		})
	}
}

// padding is how many entries of the inputs lie behind the ends of ragged rows.
func padding(c *driver.Compiled, bound *data.Bound) int {
	sum := 0
	for _, d := range c.Spec.Schema.Dims {
		lengths := bound.Values[data.LengthsOf(d.Name)]
		if lengths == nil {
			continue
		}
		inside := 0.0
		for _, n := range lengths.F64 {
			inside += n
		}
		for _, in := range c.Spec.Schema.Inputs {
			if slices.ContainsFunc(in.Shape, func(p size.Poly) bool {
				return slices.Contains(p.Dims(), d.Name)
			}) {
				v := bound.Values[in.Name]
				along := bound.Dims[d.Name] * len(lengths.F64)
				sum += v.Len() - v.Len()/along*int(inside)
			}
		}
	}
	return sum
}

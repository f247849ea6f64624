package posterior_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// generated has n draws of each number of the generate lines of a model, at given unknowns.
func generated(t *testing.T, text string, unknowns []float64, n int) map[string][][]float64 {
	t.Helper()
	p, diags := driver.Generate(source.New("m.sg", text), driver.Options{})
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	bound := &data.Bound{Dims: map[string]int{"N": 4, "K": 3},
		Values: map[string]*data.Value{"th": data.Dense([]float64{0.2, 0.3, 0.5}, 3)}}
	m, err := p.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, x := p.Generator(m), make([]float64, m.Dim())
	if err := m.NewEvaluator(1).Unconstrain(unknowns, x); err != nil {
		t.Fatal(err)
	}
	all, y := map[string][][]float64{}, make([]float64, g.Len())
	for _, s := range g.Sites {
		all[s.Name] = make([][]float64, s.Len)
	}
	for i := range n {
		g.Draw(x, rng.New(1, 0, rng.Generate), uint64(i), y)
		for _, s := range g.Sites {
			for k := range s.Len {
				all[s.Name][k] = append(all[s.Name][k], y[s.Offset+k])
			}
		}
	}
	return all
}

const generates = `
dim N, K
data th[K] : nonnegative
param mu : real ~ normal(0, 1)
param s : positive ~ exponential(1)
generate y = [normal.sample(mu, s) for n in N]
generate let z = categorical.sample(th)
generate w = th[z]
generate walk = scan t in N from x = 0 { x + normal.sample(0, 1) }
generate ar = scan t in N from x = 0 { normal.sample(0.5 * x, 1) }
generate (u, v) = scan t in N from (p = 0, q = 1) {
  (p + normal.sample(q, 1), q + poisson.sample(2))
}
generate c = multinomial.sample(th, 10)
generate e = multinomial.sample(th, 10)
generate one = normal.sample(0, 1)
generate two = normal.sample(0, 1)
generate both = one + two
generate g = [th[[categorical.sample(th) for m in N][n]] for n in N]
`

// TestGenerate: draws of generate lines have the means and variances of their laws; those of steps
// of a scan, of entries and of lines with one text are independent of each other; a value is the
// same wherever it is read.
func TestGenerate(t *testing.T) {
	const n = 4000
	got := generated(t, generates, []float64{1.5, 2}, n)
	if got["z"] != nil {
		t.Error("a generate let is stored")
	}
	for _, c := range []struct {
		name     string
		k        int
		mean, sd float64
	}{
		{"y", 0, 1.5, 2}, {"y", 3, 1.5, 2}, {"w", 0, 0.38, math.Sqrt(0.16 - 0.1444)},
		{"walk", 1, 0, 1}, {"walk", 4, 0, 2}, {"ar", 4, 0, math.Sqrt(1 + .25 + .0625 + .015625)},
		{"u", 1, 1, 1}, {"v", 4, 9, math.Sqrt(8)}, {"u", 2, 4, 2}, {"c", 0, 2, math.Sqrt(1.6)},
		{"c", 2, 5, math.Sqrt(2.5)}, {"one", 0, 0, 1}, {"both", 0, 0, math.Sqrt2},
		{"g", 3, 0.38, math.Sqrt(0.16 - 0.1444)},
	} {
		mean, sd := meanAndSD(got[c.name][c.k])
		if math.Abs(mean-c.mean) > 5*c.sd/math.Sqrt(n) || math.Abs(sd/c.sd-1) > 0.1 {
			t.Errorf("%s[%d] has mean %v and sd %v, and not %v and %v", c.name, c.k, mean, sd, c.mean,
				c.sd)
		}
	}
	for i, both := range got["both"][0] {
		if both != got["one"][0][i]+got["two"][0][i] {
			t.Fatal("a value is another one where it is read")
		}
	}
	steps := func(k int) []float64 {
		out := slices.Clone(got["walk"][k+1])
		for i := range out {
			out[i] -= got["walk"][k][i]
		}
		return out
	}
	for name, pair := range map[string][2][]float64{"entries": {got["y"][0], got["y"][1]},
		"lines": {got["one"][0], got["two"][0]}, "steps": {steps(0), steps(1)},
		"counts": {got["c"][0], got["e"][0]}, "categories": {got["g"][0], got["g"][1]}} {
		if r := correlation(pair[0], pair[1]); math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("%s have the correlation %v", name, r)
		}
	}
	less := generated(t, generates[:strings.Index(generates, "generate c")], []float64{1.5, 2}, 10)
	for name, x := range less {
		for k := range x {
			if !slices.Equal(x[k], got[name][k][:10]) {
				t.Errorf("%s[%d] is another one where fewer lines follow", name, k)
			}
		}
	}
}

func correlation(x, y []float64) (r float64) {
	mx, sx := meanAndSD(x)
	my, sy := meanAndSD(y)
	for i := range x {
		r += (x[i] - mx) * (y[i] - my) / float64(len(x))
	}
	return r / sx / sy
}

func meanAndSD(x []float64) (mean, sd float64) {
	s := diagnose.Summarize([][]float64{x})
	return s.Mean, s.SD
}

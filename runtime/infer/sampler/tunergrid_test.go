package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A gridCase is a posterior with quantities whose means and standard deviations are known.
type gridCase struct {
	name     string
	samplers []string
	target   target.Target
	values   func(x, out []float64)
	mean, sd []float64
	order    string // of minibatches; "": passes without replacement
	batch    int    // 0: the default
	longer   int64  // runs than those of others; 0: as long
}

func gridCases() []gridCase {
	g := newScaled(40, []float64{1e3, 1e3, 1e3}, 10)
	flat := gridCase{name: "R^3", order: "replace", batch: 20, longer: 3,
		samplers: []string{"geodesic_sghmc"}, target: g,
		values: func(x, out []float64) { copy(out, x) }}
	for j := range g.dim {
		mean, v := g.moments(j)
		flat.mean, flat.sd = append(flat.mean, mean), append(flat.sd, math.Sqrt(v))
	}

	src := rng.New(9, 0, rng.Test).At(0)
	var rows [][]float64
	along := []float64{1, 0, 0} // κ₀ m + κ Σ x
	for range 400 {
		y := []float64{2 + src.Normal(), src.Normal(), src.Normal()}
		r := math.Sqrt(y[0]*y[0] + y[1]*y[1] + y[2]*y[2])
		for j := range y {
			y[j] /= r
			along[j] += 2 * y[j]
		}
		rows = append(rows, y)
	}
	k := math.Sqrt(along[0]*along[0] + along[1]*along[1] + along[2]*along[2])
	s := math.Hypot(along[0], along[1])
	across := [][]float64{{-along[1] / s, along[0] / s, 0},
		{-along[0] * along[2] / (s * k), -along[1] * along[2] / (s * k), s / k}}
	sd := math.Sqrt((1/math.Tanh(k) - 1/k) / k)
	sphere := gridCase{name: "S^2", samplers: []string{"geodesic_sghmc", "geodesic_sgnht"},
		target: newRows(rows, 2, []float64{1, 0, 0}, 1),
		mean:   []float64{0, 0}, sd: []float64{sd, sd},
		values: func(x, out []float64) {
			for i, a := range across {
				out[i] = a[0]*x[0] + a[1]*x[1] + a[2]*x[2]
			}
		}}

	alpha, counts := []float64{2, 3, 4}, []int{300, 80, 20}
	simplex := gridCase{name: "simplex", samplers: []string{"sgrld"},
		target: newMultinomial(alpha, counts...), values: func(x, out []float64) {
			total := math.Abs(x[0]) + math.Abs(x[1]) + math.Abs(x[2])
			for j := range out {
				out[j] = math.Abs(x[j]) / total
			}
		}}
	for j := range alpha {
		p := (alpha[j] + float64(counts[j])) / 409
		simplex.mean, simplex.sd = append(simplex.mean, p),
			append(simplex.sd, math.Sqrt(p*(1-p)/410))
	}
	return []gridCase{flat, sphere, simplex}
}

// run returns the least effective sample size of a quantity, of its square and of how often
// it is far out, for each step, and whether all means and standard deviations are right.
// Chains of little friction go round so evenly that their means are good, and a thermostat
// makes the means of their squares good; how often they are far out varies.
func (g *gridCase) run(
	t *testing.T, c settings.Config, warmup, steps int64,
) (each float64, right bool, found Tuned) {
	const thin = 5
	steps *= max(1, g.longer)
	c.Warmup, c.Draws, c.Thin = warmup, steps/thin, thin
	if g.order != "" {
		c.BatchOrder, c.Batch = g.order, g.batch
	}
	ch := mustChain(t, g.target, c, 0)
	if err := ch.Advance(warmup); err != nil {
		return 0, false, found // the step is too large
	}
	n := len(g.mean)
	all, squares, far, out := make([]health.Series, n), make([]health.Series, n),
		make([]health.Series, n), make([]float64, n)
	sums := make([][2]float64, n)
	for range c.Draws {
		if err := ch.Advance(thin); err != nil {
			return 0, false, found
		}
		g.values(ch.Position(), out)
		for j, x := range out {
			z := (x - g.mean[j]) / g.sd[j]
			all[j].Add(z)
			squares[j].Add(z * z)
			out := 0.0
			if math.Abs(z) > 1.5 {
				out = 1
			}
			far[j].Add(out)
			sums[j][0] += z
			sums[j][1] += z * z
		}
	}
	draws := float64(c.Draws)
	right, each = true, math.Inf(1)
	for j := range all {
		mean := sums[j][0] / draws
		v := sums[j][1]/draws - mean*mean
		e := all[j].Slowest()
		ess := v / (e * e)
		e2 := squares[j].Slowest()
		e3, p := far[j].Slowest(), far[j].Mean()
		ess = min(ess, 2*v*v/(e2*e2), p*(1-p)/(e3*e3))
		each = min(each, ess/float64(steps))
		if !(ess > 50) || math.Abs(mean) > 0.05+3*e ||
			math.Abs(math.Sqrt(v)-1) > 0.05+2/math.Sqrt(2*ess) {
			right = false
		}
	}
	if p := ch.Tuned(); p != nil {
		found = p.Parts[0]
	}
	return each, right, found
}

// besideGrid holds what the warm-up finds against a grid of steps and frictions about it:
// no point of the grid whose draws are right has twice as many effective draws for a
// gradient. The minibatches are the same.
func besideGrid(t *testing.T, cases []gridCase, by, frictions []float64, warmup, steps int64) {
	for _, g := range cases {
		for _, name := range g.samplers {
			c := tuned(name)
			mine, right, found := g.run(t, c, warmup, steps)
			if !right {
				t.Errorf("%s, %s: draws are not right; found %+v", g.name, name, found)
			}
			best, at := 0.0, ""
			for _, b := range by {
				for _, f := range frictions {
					if name == "sgrld" && f != 1 {
						continue
					}
					c := tuned(name)
					c.Step, c.Friction = b*found.Step, f*max(found.Friction, 1)
					if name == "sgrld" {
						c.Friction = 1
					}
					if e, right, _ := g.run(t, c, warmup, steps); right && e > best {
						best, at = e, fmt.Sprintf("step × %.3g, friction × %.3g", b, f)
					}
				}
			}
			t.Logf("%s, %s: %.3g effective draws a step, best of the grid %.3g (%s); step %.3g, "+
				"friction %.3g", g.name, name, mine, best, at, found.Step, found.Friction)
			if !(mine > best/2) {
				t.Errorf("%s, %s: %.3g effective draws a step, at %s there are %.3g; found %+v",
					g.name, name, mine, at, best, found)
			}
		}
	}
}

// TestTunedBesideFewPoints is besideGrid with few points.
func TestTunedBesideFewPoints(t *testing.T) {
	cases := gridCases()
	cases[1].samplers = cases[1].samplers[1:]
	besideGrid(t, cases, []float64{0.5, 2}, []float64{0.25, 1}, 1000, 20000)
}

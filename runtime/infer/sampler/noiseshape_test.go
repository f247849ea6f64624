package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/noise"
)

// TestFisherDirections: with the covariance of the noise taken out, temperatures
// are right along the one direction that has noise and across it, on R^n in few
// coordinates and in many, on a sphere and on a Stiefel manifold; a diagonal would
// heat that direction.
func TestFisherDirections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		sampler string
		curved  *curved
		one     []float64
		size, h float64
	}{
		{"six coordinates", "sghmc", newCurved(isotropic(1), flat(6)), diagonal(6), 0.3, 0.03},
		{"thermostats", "msgnht", newCurved(isotropic(1), flat(6)), diagonal(6), 0.3, 0.03},
		{"many coordinates", "sghmc", newCurved(isotropic(1), flat(60)), diagonal(60), 0.3, 0.03},
		{"sphere", "geodesic_sghmc", newCurved(linear([]float64{9, 0, 0, 0, 0, 0}), sphere(1, 6)),
			unit(6, 1), 0.3, 0.02},
		{"stiefel", "geodesic_sghmc",
			newCurved(linear([]float64{9, 0, 0, 9, 0, 0, 0, 0}), stiefel(1, 4, 2)), unit(8, 4), 0.3, 0.02},
		{"many points", "geodesic_sghmc", newCurved(linear([]float64{9, 0, 0, 0}), sphere(10, 4)),
			unit(40, 1), 0.3, 0.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newTilted(c.curved, 200, [][]float64{c.one}, []float64{c.size})
			const batch = 10
			cfg := fisherConfig(c.sampler, c.h, batch, "replace")
			v := 200 * 200 / batch * c.size * c.size
			cfg.Friction = v * c.h / 2 * 1.3
			cfg.Chains, cfg.Warmup, cfg.Draws = 2, 4000, 40000
			rows := directional(t, g, cfg)
			for _, s := range []string{"noise_temperature", "worst_temperature",
				"worst_kinetic_temperature"} {
				r := rows[s]
				t.Logf("%+v", r)
				if r.Verdict == "off" || math.Abs(r.Value-1) > 0.08+3*r.MCSE {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestSpikedNoise: in many coordinates the estimate finds the direction that stands
// out, keeps the diagonal, and shapes noise of the covariance that is left.
func TestSpikedNoise(t *testing.T) {
	const n, spike = 50, 40.0
	g := newTilted(newCurved(isotropic(1), flat(n)), 200, [][]float64{diagonal(n)}, []float64{1})
	cfg := fisherConfig("sghmc", 1e-4, 10, "replace")
	c := mustChain(t, g, cfg, 0)
	p := noise.NewSpiked(c.state)
	src := c.stream(1).At(0)
	d, average := make([]float64, n), make([]float64, n)
	for k := range 4000 {
		keep := math.Min(1-1/float64(k+1), 0.998)
		p.Begin(keep)
		z := math.Sqrt(spike) * src.Normal()
		for i := range d {
			d[i] = src.Normal() + z/math.Sqrt(n)
			average[i] = keep*average[i] + (1-keep)*d[i]*d[i]
		}
		p.Row(c.state, d, 1-keep)
		p.End(c.state, average)
	}
	u, w := diagonal(n), make([]float64, n)
	w[0], w[1] = math.Sqrt2/2, -math.Sqrt2/2
	form := func(a []float64) float64 {
		out := make([]float64, n)
		p.Times(a, out)
		return dotOf(a, out)
	}
	along, across := form(u), form(w)
	t.Logf("V̂ along %.3g, across %.3g, largest %v", along, across, fmt.Sprint(p.Largest()))
	if math.Abs(along/(spike+1)-1) > 0.15 || math.Abs(across-1) > 0.25 {
		t.Errorf("V̂ is %.3g along, want %g, and %.3g across, want 1", along, spike+1, across)
	}
	// have t − V̂ scale t², seen through many kicks.
	const have, scale, h = 2.0, 0.5, 0.08
	var seen [2]float64
	const kicks = 20000
	z := make([]float64, n)
	for range kicks {
		for i := range z {
			z[i] = src.Normal()
		}
		p.Kick(c.state, z, have, scale, h)
		a, b := dotOf(z, u), dotOf(z, w)
		seen[0] += a * a / kicks
		seen[1] += b * b / kicks
	}
	for k, v := range []float64{along, across} {
		want := have*h - v*scale*h*h
		if math.Abs(seen[k]/want-1) > 0.05 {
			t.Errorf("the kick's variance is %.4g, want %.4g", seen[k], want)
		}
	}
}

// TestFisherShapeResume: what has been estimated of directions belongs to the
// checkpoint, and costs no memory.
func TestFisherShapeResume(t *testing.T) {
	for _, c := range []struct {
		g       *tilted
		sampler string
	}{
		{newTilted(newCurved(isotropic(1), flat(50)), 100, [][]float64{diagonal(50)},
			[]float64{0.1}), "sghmc"},
		{newTilted(newCurved(linear([]float64{5, 0, 0, 0}), sphere(3, 4), flat(2)), 100,
			[][]float64{diagonal(14)}, []float64{0.1}), "geodesic_sghmc"},
		{newTilted(newCurved(linear([]float64{5, 0, 0, 0}), sphere(10, 4), flat(2)), 100,
			[][]float64{diagonal(42)}, []float64{0.1}), "geodesic_sgnht"},
	} {
		cfg := fisherConfig(c.sampler, 0.02, 8, "replace")
		cfg.Friction, cfg.FisherEvery, cfg.Warmup, cfg.Draws = 20, 3, 210, 300
		a := mustChain(t, c.g, cfg, 0)
		for _, stop := range []int{0, 1, 44, 70, 150} {
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(c.g, cfg, 0, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, a, 13)
			mustSteps(t, b, 13)
			x, _ := a.MarshalBinary()
			y, _ := b.MarshalBinary()
			if string(x) != string(y) {
				t.Errorf("%s: resumed at step %d, the chains differ", c.sampler, a.Steps()-13)
			}
		}
		if n := testing.AllocsPerRun(50, func() { mustSteps(t, a, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a step", c.sampler, n)
		}
	}
}

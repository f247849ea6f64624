package sampler

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

func pilotConfig(metric string, warmup, draws int64) settings.Config {
	c := config("msgnht", "split", 0)
	c.Metric, c.Warmup, c.Draws = metric, warmup, draws
	return c
}

// TestMapped: the gradient in z is that of the density in z, and z comes back
// from x.
func TestMapped(t *testing.T) {
	scales := wide(4)
	for _, metric := range []string{"auto", "diag", "dense", "lowrank"} {
		ch := mustChain(t, correlated(0.9, scales), pilotConfig(metric, 400, 10), 0)
		mustSteps(t, ch, 400)
		e := ch.mapped
		z, g, x := make([]float64, 4), make([]float64, 4), make([]float64, 4)
		rng.New(1, 0, rng.Test).Normals(0, z)
		e.Constrain(z, x)
		back := make([]float64, 4)
		if err := e.Unconstrain(x, back); err != nil {
			t.Fatal(err)
		}
		f := e.LogDensityGradient(z, nil, 1, 1, g)
		if other := e.LogDensity(z, nil, 1, 1); math.Abs(f-other) > 1e-12*math.Abs(f) {
			t.Errorf("%s: density %g, %g", metric, f, other)
		}
		for i := range z {
			if math.Abs(back[i]-z[i]) > 1e-9 {
				t.Errorf("%s: %g came back as %g", metric, z[i], back[i])
			}
			const h = 1e-3
			keep := z[i]
			z[i] = keep + h
			up := e.LogDensity(z, nil, 1, 1)
			z[i] = keep - h
			want := (up - e.LogDensity(z, nil, 1, 1)) / (2 * h)
			z[i] = keep
			if math.Abs(g[i]-want) > 1e-6*(1+math.Abs(want)) { // the target is quadratic
				t.Errorf("%s: gradient %d is %g, by differences %g", metric, i, g[i], want)
			}
		}
	}
}

// TestPilotMoments: on a normal whose scales differ by a thousand and whose
// coordinates are correlated, the dynamics that go by a pilot have the right
// variances, after as few steps as one of unit scales would take, with the
// step's own bias and no other.
func TestPilotMoments(t *testing.T) {
	scales := wide(6)
	for _, s := range []struct {
		sampler, metric string
		rho             float64
	}{{"msgnht", "dense", 0.9}, {"msgnht", "auto", 0.9}, {"msgnht", "diag", 0.2},
		{"sghmc", "dense", 0.9}, {"sgnht", "dense", 0.9}, {"geodesic_sgnht", "diag", 0.2}} {
		c := pilotConfig(s.metric, 2000, 40000)
		c.Sampler = s.sampler
		ch := mustChain(t, correlated(s.rho, scales), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		h := ch.lastStepSize()
		if !(h > 0.1 && h < 0.4) {
			t.Errorf("%s %s: the step is %g", s.sampler, s.metric, h)
		}
		ms := make([]moments, len(scales))
		for range c.Draws {
			mustSteps(t, ch, 1)
			for i, x := range ch.Position() {
				ms[i].add(x)
			}
		}
		for i, d := range scales {
			// The variance at the end of a step is low by at most stiffShare/4.
			ms[i].check(t, fmt.Sprint(s.sampler, s.metric, i), d*d*(1-stiffShare/8), stiffShare/8)
		}
		for _, row := range ch.Health() {
			if row.Verdict == "off" {
				t.Errorf("%s %s: %+v", s.sampler, s.metric, row)
			}
		}
	}
}

// TestPilotMinibatch: minibatches make the step smaller by the rule for their
// noise, a pilot of some rows does, and the moments are those of all.
func TestPilotMinibatch(t *testing.T) {
	g := newGaussian([]float64{1, 4}).withRows(pilotRows+5000, 1./3) // the variance of its rows
	c := pilotConfig("diag", 600, 24000)
	c.FullBatch, c.Batch, c.BatchOrder = false, 1000, "replace"
	ch := mustChain(t, g, c, 0)
	if _, ok := ch.pilot.chain.target.(*target.Subset); !ok {
		t.Fatal("the pilot takes all rows")
	}
	mustSteps(t, ch, int(c.Warmup))
	// Whitened by the posterior, the information of all rows is 1, and V = N/|S|.
	want := math.Sqrt(noiseShare / (float64(g.Rows()) / float64(c.Batch)))
	if h := ch.lastStepSize(); !(math.Abs(h-want) < 0.4*want) {
		t.Errorf("the step is %g, about %g by the rule", h, want)
	}
	ms := make([]moments, 2)
	for range c.Draws / 10 {
		mustSteps(t, ch, 10)
		for i, x := range ch.Position() {
			mean, _ := g.moments(i)
			ms[i].add(x - mean)
		}
	}
	for i := range ms {
		_, v := g.moments(i)
		ms[i].check(t, fmt.Sprint(i), v, 0.02)
	}
}

// TestPilotResume: stopped in the pilot, at its end or after it, a chain goes
// on bit for bit.
func TestPilotResume(t *testing.T) {
	g := newGaussian(variances(5), 2, 3).withRows(23, 4)
	for _, metric := range []string{"auto", "diag", "dense", "lowrank", "unit"} {
		c := pilotConfig(metric, 300, 60)
		c.FullBatch, c.Batch, c.Chains, c.Schedule = false, 5, 3, "halve@0.9"
		whole, other := mustRun(t, g, c, 1), mustRun(t, g, c, 3)
		for k := range c.Chains {
			if !sameDraws(whole.draws[k], other.draws[k]) {
				t.Errorf("%s: chain %d depends on threads", metric, k)
			}
		}
		for _, stop := range []int{0, 1, 80, 120, 149, 150, 151, 300, 340} {
			a := mustChain(t, g, c, 1)
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, c, 1, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, b, int(c.Steps())-stop)
			end, _ := b.MarshalBinary()
			if string(end) != string(whole.last(1)) {
				t.Errorf("%s: resumed at %d, the end differs", metric, stop)
			}
			if fmt.Sprint(*b.Stats()) != fmt.Sprint(whole.stats[1][c.Draws-1]) {
				t.Errorf("%s: resumed at %d: %+v, %+v", metric, stop, *b.Stats(),
					whole.stats[1][c.Draws-1])
			}
		}
	}
}

// TestPilotNoAllocation: in the pilot or after it.
func TestPilotNoAllocation(t *testing.T) {
	for _, metric := range []string{"auto", "diag", "dense", "lowrank"} {
		c := pilotConfig(metric, 2000, 10)
		ch := mustChain(t, correlated(0.9, wide(10)), c, 0)
		mustSteps(t, ch, 2)
		if a := testing.AllocsPerRun(900, func() { mustSteps(t, ch, 1) }); a != 0 {
			t.Errorf("%s: %g allocations a step of the pilot", metric, a)
		}
		mustSteps(t, ch, 200)
		if a := testing.AllocsPerRun(500, func() { mustSteps(t, ch, 1); ch.Position() }); a != 0 {
			t.Errorf("%s: %g allocations a step", metric, a)
		}
	}
}

// TestPilotConfig: what goes with what.
func TestPilotConfig(t *testing.T) {
	rows := newGaussian(variances(2)).withRows(20, 1)
	ball := newCurved(linear([]float64{0, 5, 0}), sphere(1, 3))
	for _, c := range []struct {
		flag string
		set  func(*settings.Config)
	}{
		{"metric", func(c *settings.Config) { c.Metric = "diagonal" }},
		{"metric", func(c *settings.Config) { c.Sampler, c.Scheme = "sgld", "" }},
		{"metric", func(c *settings.Config) { c.GradNoise = 0.1 }},
		{"metric", func(c *settings.Config) { c.SyntheticNoise = "diffusion:1" }},
		{"step", func(c *settings.Config) { c.Scheme = "euler" }},
		{"step", func(c *settings.Config) { c.Step = -1 }},
		{"warmup", func(c *settings.Config) { c.Warmup = 299 }},
		{"target-accept", func(c *settings.Config) { c.TargetAccept = 0.9 }},
	} {
		cfg := pilotConfig("diag", 400, 100)
		c.set(&cfg)
		var e *settings.ConfigError
		if err := cfg.Validate(rows); !errors.As(err, &e) || e.Setting != c.flag {
			t.Errorf("%s: %v", c.flag, err)
		}
	}
	cfg := pilotConfig("diag", 400, 100)
	cfg.Sampler = "geodesic_sgnht"
	for _, cfg.Step = range []float64{0.1, 0} { // given, and found
		if err := cfg.Validate(ball); err != nil {
			t.Errorf("%v", err)
		}
	}
	got, err := pilotConfig("diag", 400, 100).Resolve(rows)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := got.Resolve(rows); err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("resolved again: %+v, %v", again, err)
	}
}

// TestWholeBatches: a minibatch of as many rows as there are is exact unless
// they are drawn with replacement: then it has noise, which makes the step
// smaller and of which health does not know the size.
func TestWholeBatches(t *testing.T) {
	g := newGaussian(variances(2)).withRows(20, 0.05)
	steps := map[string]float64{}
	for _, order := range []string{"shuffle", "replace"} {
		c := pilotConfig("diag", 600, 10)
		c.FullBatch, c.Batch, c.BatchOrder = false, 20, order
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Warmup))
		steps[order] = ch.lastStepSize()
		if got := math.IsNaN(ch.knownNoise(&ch.parts[0])); got != (order == "replace") {
			t.Errorf("%s: the noise is %g", order, ch.knownNoise(&ch.parts[0]))
		}
	}
	if !(steps["replace"] < 0.8*steps["shuffle"]) {
		t.Errorf("steps %v", steps)
	}
}

package sampler

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// manyRows has 11,000 rows whose means have a normal posterior.
func manyRows() *gaussian { return newGaussian([]float64{1, 4}).withRows(pilotRows+1000, 1./3) }

// collapsed is a target whose full passes cost nothing.
type collapsed struct{ target.Target }

func (collapsed) Collapses() bool { return true }

// TestRowPilot: of many rows the warm-up begins on some of them, all rows are read in
// the last part of it alone, and the law of the draws is that of all rows.
func TestRowPilot(t *testing.T) {
	g := manyRows()
	for _, c := range []struct{ sampler, metric string }{{"nuts", ""}, {"gmc", "dense"}} {
		cfg := nutsConfig(300, 1800)
		cfg.Sampler, cfg.Metric = c.sampler, c.metric
		ch := mustChain(t, g, cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup))
		steps := int64(300 - polish)
		if c.metric != "" {
			steps = 150
		}
		got := ch.Tuning()
		if ch.rowPilot.steps != steps || got.PilotRows != pilotRows || got.PilotGradients < steps ||
			got.WarmupGradients < 300-steps || got.WarmupGradients > 20*(300-steps) {
			t.Errorf("%+v: %+v, %d steps", c, got, ch.rowPilot.steps)
		}
		ms := make([]moments, 2)
		for range cfg.Draws {
			mustSteps(t, ch, 1)
			for i, x := range ch.Position() {
				mean, _ := g.moments(i)
				ms[i].add(x - mean)
			}
		}
		for i := range ms {
			_, v := g.moments(i)
			ms[i].check(t, fmt.Sprint(c, i), v, 0)
		}
	}
}

// TestRowPilotWhere: few rows, short warm-ups, the identity, a given step and full
// passes that collapse have no pilot.
func TestRowPilotWhere(t *testing.T) {
	few := newGaussian(variances(3)).withRows(pilotRows, 1)
	for _, c := range []struct {
		name   string
		target target.Target
		set    func(*settings.Config)
	}{
		{"few rows", few, func(*settings.Config) {}},
		{"short", manyRows(), func(c *settings.Config) { c.Warmup = 299 }},
		{"identity", manyRows(), func(c *settings.Config) { c.Metric = "unit" }},
		{"step", manyRows(), func(c *settings.Config) { c.Step = 0.1 }},
		{"collapses", collapsed{manyRows()}, func(*settings.Config) {}},
	} {
		cfg := nutsConfig(400, 10)
		c.set(&cfg)
		if ch := mustChain(t, c.target, cfg, 0); ch.rowPilot != nil {
			t.Errorf("%s: a pilot of %d rows", c.name, ch.rowPilot.rows)
		}
	}
	if ch := mustChain(t, manyRows(), nutsConfig(300, 10), 0); ch.rowPilot == nil {
		t.Error("no pilot")
	}
}

// TestRowPilotResume: stopped in the pilot, at its end or after it, a chain goes on bit
// for bit; threads change nothing.
func TestRowPilotResume(t *testing.T) {
	g := manyRows()
	for _, metric := range []string{"auto"} {
		c := nutsConfig(300, 5)
		c.Metric, c.Chains = metric, 2
		whole, other := mustRun(t, g, c, 1), mustRun(t, g, c, 2)
		for k := range c.Chains {
			if !sameDraws(whole.draws[k], other.draws[k]) ||
				string(whole.last(k)) != string(other.last(k)) {
				t.Errorf("%s: chain %d depends on threads", metric, k)
			}
		}
		for _, stop := range []int{0, 80, 149, 150, 151, 220, 303} {
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
			if end, _ := b.MarshalBinary(); string(end) != string(whole.last(1)) {
				t.Errorf("%s: resumed at %d, the end differs", metric, stop)
			}
			if fmt.Sprint(*b.Stats()) != fmt.Sprint(whole.stats[1][c.Draws-1]) {
				t.Errorf("%s: resumed at %d: %+v, %+v", metric, stop, *b.Stats(), b.Tuning())
			}
		}
	}
}

package sampler

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// TestStill: a model without params is run by fixed, also where no sampler is asked for. It has no
// warm-up, its steps are its draws, and its chains go on from their checkpoints. No other sampler
// takes such a model, and fixed takes no other model.
func TestStill(t *testing.T) {
	none := newGaussian(nil)
	if none.Dim() != 0 {
		t.Fatalf("%d coordinates", none.Dim())
	}
	c := settings.DefaultConfig()
	c.Warmup, c.Draws = 7, 3
	r, err := c.Resolve(none)
	if err != nil || r.Sampler != "fixed" || r.Steps() != 3 {
		t.Fatalf("%s, %d steps, %v", r.Sampler, r.Steps(), err)
	}
	ch := mustChain(t, none, c, 1)
	mustSteps(t, ch, 2)
	state, err := ch.MarshalBinary()
	if err != nil || ch.Draws() != 2 || ch.Done() || len(ch.Health()) != 0 {
		t.Fatalf("%d draws, done %v, health %v, %v", ch.Draws(), ch.Done(), ch.Health(), err)
	}
	again, err := ResumeChain(none, r, 1, state)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Chain{ch, again} {
		mustSteps(t, x, 1)
	}
	a, _ := ch.MarshalBinary()
	b, _ := again.MarshalBinary()
	if !ch.Done() || !bytes.Equal(a, b) {
		t.Error("a resumed chain ends elsewhere")
	}
	for _, row := range table.Table {
		for _, g := range []*gaussian{none, newGaussian(variances(2))} {
			err := config(row.Name, "", 0).Validate(g)
			wants := row.Still == (g.Dim() == 0)
			if wants || row.Conditionals {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "S0114") &&
				!strings.Contains(err.Error(), "params") {
				t.Errorf("%s with %d coordinates: %v", row.Name, g.Dim(), err)
			}
		}
	}
	for name, set := range map[string]func(c *settings.Config){
		"--step":        func(c *settings.Config) { c.Step = 0.1 },
		"--temperature": func(c *settings.Config) { c.Temperature = 2 },
		"--thin":        func(c *settings.Config) { c.Thin = 2 },
		"--lp":          func(c *settings.Config) { c.LogDensity = true },
	} {
		c := settings.DefaultConfig()
		set(&c)
		if err := c.Validate(none); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package sampler

import (
	"fmt"
	"testing"
)

// config is a run of one chain on full gradients.
func config(sampler, scheme string, h float64) Config {
	c := DefaultConfig()
	c.Sampler, c.Scheme, c.Step = sampler, scheme, h
	c.Chains, c.FullBatch = 1, true
	return c
}

// eachSampler calls f for every sampler and scheme of the table.
func eachSampler(f func(name, scheme string)) {
	for _, r := range Table {
		for _, s := range r.Schemes {
			f(r.Name, s.Name)
		}
	}
}

func mustChain(t testing.TB, g *gaussian, c Config, number int) *Chain {
	t.Helper()
	ch, err := NewChain(g, c, number)
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func mustSteps(t testing.TB, c *Chain, n int) {
	t.Helper()
	for range n {
		if err := c.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkStep: 124 parameters, like the logistic regression on a9a.
func BenchmarkStep(b *testing.B) {
	v := make([]float64, 124)
	for i := range v {
		v[i] = 1 + float64(i%7)
	}
	eachSampler(func(name, scheme string) {
		b.Run(name+"/"+scheme, func(b *testing.B) {
			c := config(name, scheme, 0.01)
			c.Draws = 1 << 40
			ch := mustChain(b, newGaussian(v), c, 0)
			b.ReportAllocs()
			for b.Loop() {
				ch.Step()
			}
		})
	})
}

func TestPrintSamplers(t *testing.T) {
	eachSampler(func(name, scheme string) { t.Log(fmt.Sprint(name, " ", scheme)) })
}

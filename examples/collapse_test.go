package examples_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestCollapse: integrating the effects of eight groups out leaves the
// posterior of what they share as it is.
func TestCollapse(t *testing.T) {
	const text = `dim N, J
data y[N] : real
data g[N] : index[J]
param m : real ~ normal(0, 2)
param tau : positive ~ gamma(3, 3)
param u[J] : real ~ normal(m, tau) by collapse
for n in N { y[n] ~ normal(u[g[n]], 1) }
`
	const groups, rows = 8, 40
	y, g := make([]float64, rows), make([]float64, rows)
	for n := range rows {
		g[n] = float64(n % groups)
		// groups apart, and noise of variance ½
		y[n] = 1.5*math.Sin(3*g[n]) + math.Cos(float64(5*n))
	}
	run := func(text string, seed uint64) *sampler.Draws {
		c, diags := driver.Compile(source.New("groups.sg", text), driver.Options{})
		if c == nil {
			t.Fatal(diags)
		}
		m, err := c.VM(&data.Bound{Dims: map[string]int{"N": rows, "J": groups},
			Values: map[string]*data.Value{"y": data.Dense(y, rows), "g": data.Dense(g, rows)}},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sampler.DefaultConfig()
		cfg.Seed = seed
		d, err := sampler.Collect(context.Background(), m, cfg, sampler.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	without, with := run(strings.Replace(text, " by collapse", "", 1), seed), run(text, seed+1)
	if with.Width != 2 || without.Width != 2+groups {
		t.Fatalf("%d coordinates with collapse, %d without", with.Width, without.Width)
	}
	for i := range with.Width {
		a, b := coordinate(without, i), coordinate(with, i)
		other := diagnose.Summarize(b)
		agree(t, i, diagnose.Summarize(a), other, 0.1)
		agree(t, i, diagnose.Summarize(squares(a, other.Mean)),
			diagnose.Summarize(squares(b, other.Mean)), 0.2)
	}
}

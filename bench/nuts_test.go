package bench

import (
	"testing"

	"github.com/sgppl/sgppl/bench/internal/eightschools"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
)

// schools are eight schools by the generated package and by the VM.
func schools(t testing.TB) map[string]target.Target {
	t.Helper()
	c := compile(t, schoolsModel)
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{"../examples/models/eight_schools.json"}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	vm, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	generated, err := eightschools.New(eightschools.Data{
		Y:     []float64{28, 8, -3, 7, -1, 1, 18, 12}, // those of the file
		Sigma: []float64{15, 10, 16, 11, 9, 11, 10, 18},
	})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]target.Target{"generated": generated.Target(), "vm": vm}
}

// BenchmarkSchools is a leapfrog step of nuts with all that a run has, after a
// warm-up, and an evaluation of the density with its gradient alone.
func BenchmarkSchools(b *testing.B) {
	for name, m := range schools(b) {
		b.Run("gradient/"+name, func(b *testing.B) {
			e := m.NewEvaluator(1)
			x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
			b.ReportAllocs()
			for range b.N {
				e.LogDensityGradient(x, nil, 1, 1, g)
			}
		})
		b.Run("leapfrog/"+name, func(b *testing.B) {
			c := sampler.DefaultConfig()
			c.Draws = 1 << 40
			chain, err := sampler.NewChain(m, c, 0)
			if err != nil {
				b.Fatal(err)
			}
			step := func() int {
				if err := chain.Step(); err != nil {
					b.Fatal(err)
				}
				return chain.Stats().Leapfrogs
			}
			for range c.Warmup {
				step()
			}
			b.ReportAllocs()
			b.ResetTimer()
			n := 0
			for n < b.N {
				n += step()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "M/s")
		})
	}
}

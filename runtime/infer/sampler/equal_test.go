package sampler

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// TestEqualOnRn: on R^n the geodesic samplers are the ordinary ones, bit for
// bit (dynamics.md): SGGMC is SGHMC-S, gSGNHT with `all` is SGNHT-S, without
// it mSGNHT-S.
func TestEqualOnRn(t *testing.T) {
	g := newGaussian(variances(13), 1, 4, 8).withRows(20, 3)
	for _, c := range []struct{ a, b, thermostat string }{
		{"sggmc", "sghmc", ""},
		{"gsgnht", "sgnht", "all"},
		{"gsgnht", "msgnht", ""},
		{"geodesic_sgnht", "msgnht", "coordinate"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			a := config(c.a, "split", 0.05)
			a.Thermostat = c.thermostat
			a.Draws, a.Warmup, a.Temperature = 200, 50, 1.5
			a.FullBatch, a.Batch = false, 6
			b := a
			b.Sampler, b.Thermostat = c.b, ""
			ra, rb := mustRun(t, g, a, 1), mustRun(t, g, b, 1)
			if !sameDraws(ra.draws[0], rb.draws[0]) {
				t.Error("draws differ")
			}
		})
	}
	// And they are not all alike.
	a, b := config("gsgnht", "", 0.05), config("gsgnht", "", 0.05)
	b.Thermostat = "all"
	a.Draws, b.Draws = 5, 5
	if sameDraws(mustRun(t, g, a, 1).draws[0], mustRun(t, g, b, 1).draws[0]) {
		t.Error("one thermostat for all does what one per coordinate does")
	}
}

// TestBlocksDoNotMatter: cutting R^n into blocks moves no bit, except with one
// thermostat per point, where each block is one.
func TestBlocksDoNotMatter(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		for _, grain := range row.Grains {
			c := config(row.Name, scheme, 0.05)
			if row.Thermostat() {
				c.Thermostat = grain.String()
			}
			c.Draws, c.Warmup = 50, 1
			whole := mustRun(t, newGaussian(variances(9)), c, 1).draws[0]
			cut := mustRun(t, newGaussian(variances(9), 2, 1, 6), c, 1).draws[0]
			if same := sameDraws(whole, cut); same != (c.Thermostat != "point") {
				t.Errorf("%s %s %s: the same draws: %v", row.Name, scheme, c.Thermostat, same)
			}
		}
	})
}

// TestFusedChain: a chain takes the steps of its word, flow by flow.
func TestFusedChain(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		c := config(row.Name, scheme, 0.07)
		a := mustChain(t, newGaussian(variances(21), 20, 1), c, 0)
		b := mustChain(t, newGaussian(variances(21), 20, 1), c, 0)
		for range 100 {
			mustSteps(t, a, 1)
			b.prepare()
			b.program.RunPlainly(b.parts[0].schedule.At(b.step))
			b.step++
			if !bitsEqual(a.state.X, b.state.X) || !bitsEqual(a.state.V, b.state.V) ||
				!bitsEqual(a.state.Xi, b.state.Xi) {
				t.Fatalf("%s %s: fused and plain differ at step %d", row.Name, scheme, a.step)
			}
		}
	})
}

// TestWorkers: draws do not depend on the number of workers, and chains differ.
func TestWorkers(t *testing.T) {
	g := newGaussian(variances(5), 2, 3).withRows(30, 2)
	c := config("msgnht", "", 0.05)
	c.Chains, c.FullBatch, c.Batch, c.Draws, c.Warmup, c.Thin = 5, false, 7, 60, 20, 3
	one := mustRun(t, g, c, 1)
	for _, threads := range []int{2, 5, 0} {
		many := mustRun(t, g, c, threads)
		for k := range c.Chains {
			if !sameDraws(one.draws[k], many.draws[k]) {
				t.Errorf("%d workers: chain %d differs", threads, k)
			}
		}
	}
	if sameDraws(one.draws[0], one.draws[1]) {
		t.Error("chains 0 and 1 are the same")
	}
	c.Chains = 1
	if !sameDraws(one.draws[0], mustRun(t, g, c, 1).draws[0]) {
		t.Error("chain 0 depends on how many others there are")
	}
	c.Seed = 2
	if sameDraws(one.draws[0], mustRun(t, g, c, 1).draws[0]) {
		t.Error("the seed has no effect")
	}
}

// TestInnerSteps: L steps stay on one minibatch.
func TestInnerSteps(t *testing.T) {
	g := newGaussian(variances(2)).withRows(30, 2)
	c := config("sghmc", "", 0.05)
	c.FullBatch, c.Batch, c.InnerSteps, c.Warmup = false, 4, 3, 0
	ch := mustChain(t, g, c, 0)
	var last [4]int
	for step := range 60 {
		mustSteps(t, ch, 1)
		if len(ch.rows) != 4 && len(ch.rows) != 3 { // 8 batches of 30 rows
			t.Fatalf("%d rows", len(ch.rows))
		}
		var now [4]int
		copy(now[:], ch.rows)
		if step > 0 && (now == last) != (step%3 != 0) {
			t.Errorf("step %d: rows %v after %v", step, now, last)
		}
		last = now
	}
}

// TestNoAllocation: the step loop allocates nothing.
func TestNoAllocation(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		for _, noise := range []string{"", "diffusion:0.5", "gradient:2"} {
			c := config(row.Name, scheme, 0.01)
			c.FullBatch, c.Batch, c.SyntheticNoise, c.Warmup = false, 3, noise, 10
			ch := mustChain(t, newGaussian(variances(20), 4, 16).withRows(10, 50), c, 0)
			out := make([]float64, 20)
			sink := newCounter()
			if a := testing.AllocsPerRun(200, func() {
				mustSteps(t, ch, 1)
				if err := ch.hand(sink, out); err != nil {
					t.Fatal(err)
				}
			}); a != 0 {
				t.Errorf("%s %s %s: %g allocations a step", row.Name, scheme, noise, a)
			}
			if sink.draws == 0 {
				t.Error("no draw was taken")
			}
		}
	})
}

// counter is a sink that only counts.
type counter struct{ draws int }

func newCounter() *counter { return &counter{} }

func (c *counter) Draw(int, int64, []float64, *Stats) error { c.draws++; return nil }
func (c *counter) Progress(Progress)                        {}
func (c *counter) Checkpoint(int, []byte) error             { return nil }

// BenchmarkStep: 124 parameters, like the logistic regression on a9a.
func BenchmarkStep(b *testing.B) {
	v := make([]float64, 124)
	for i := range v {
		v[i] = 1 + float64(i%7)
	}
	eachSampler(func(row *table.Row, scheme string) {
		b.Run(row.Name+"/"+scheme, func(b *testing.B) {
			c := config(row.Name, scheme, 0.01)
			c.Warmup, c.Draws = 0, 1<<40
			ch := mustChain(b, newGaussian(v), c, 0)
			b.ReportAllocs()
			for b.Loop() {
				if err := ch.Step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

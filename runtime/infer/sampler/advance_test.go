package sampler

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// TestAdvance: many steps at once are those steps one by one, statistics of
// health and checkpoints too; and so is the error of a step that is too large.
func TestAdvance(t *testing.T) {
	advance(t, newGaussian(variances(21), 20, 1))
}

func advance(t *testing.T, g target.Target) {
	eachSampler(func(row *table.Row, scheme string) {
		for _, h := range []float64{0.05, 40} {
			c := config(row.Name, scheme, h)
			c.Draws, c.Warmup = 30000, 10
			a := mustChain(t, g, c, 0)
			b := mustChain(t, g, c, 0)
			for _, n := range []int64{0, 1, 2, 3, 17, 100} {
				failed := a.Advance(n)
				var want error
				for range n {
					if want == nil {
						want = b.Step()
					}
				}
				if (failed == nil) != (want == nil) ||
					failed != nil && failed.Error() != want.Error() {
					t.Fatalf("%s %s, step %g: %v, want %v", row.Name, scheme, h, failed, want)
				}
				if want != nil {
					return
				}
				x, _ := a.MarshalBinary()
				y, _ := b.MarshalBinary()
				if string(x) != string(y) {
					t.Fatalf("%s %s: the states differ after %d steps", row.Name, scheme, a.Steps())
				}
			}
			if h > 1 && row.Name == "msgnht" {
				t.Error("no step was too large")
			}
		}
	})
}

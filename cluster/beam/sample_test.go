package beam

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// sampled are the sums of all rows, and draws of a surrogate.
func sampled(t *testing.T, by pass.Front) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, method := range []pass.Method{pass.Statistics, pass.Surrogate} {
		e := environment(t)
		c, err := pass.Choose(t.Context(), e, method)
		if err != nil {
			t.Fatal(err)
		}
		w, err := pass.WholeOf(t.Context(), e, by, 1, c, 3)
		if err != nil {
			t.Fatal(err)
		}
		if method == pass.Statistics {
			x, g := []float64{0.6, -1}, make([]float64, 2)
			f := w.Target.NewEvaluator(1).LogDensityGradient(x, nil, 1, 1, g)
			fmt.Fprintf(&out, "%x %x\n", f, g)
			continue
		}
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Seed = "nuts", 2, 100, 50, 3
		r, err := surrogate.Run(t.Context(), w.Target, cfg,
			surrogate.Settings{Seed: 3, Rows: 60, Radius: 2}, loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%x\n%x\n", r.States, r.Weights)
	}
	return out.Bytes()
}

// Statistics, pilot, gradient, leverage and check have the same bits on prism as by a loop.
func TestPrismSamples(t *testing.T) {
	a, b := sampled(t, front.Loop{Workers: 2}), sampled(t, Prism{})
	if len(a) < 1000 || !bytes.Equal(a, b) {
		t.Errorf("%d bytes by a loop and %d on prism differ", len(a), len(b))
	}
}

package sampler

import (
	"fmt"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// constantForce is the gradient of a linear log density, the cheapest there is.
func constantForce(d int) func(x, grad []float64) float64 {
	a := make([]float64, d)
	for i := range a {
		a[i] = 0.1
	}
	return func(_, grad []float64) float64 { copy(grad, a); return 0 }
}

// BenchmarkGeodesic compares a geodesic step on S^{d−1} with a plain step on R^d with the same
// gradient, in nanoseconds a coordinate, and their ratio, which is to be at most 1.5 from d = 64 on
// without thermostats. The two alternate and the fastest runs count, since the machine may be busy
// with something else.
func BenchmarkGeodesic(b *testing.B) {
	for _, d := range []int{2, 3, 16, 64, 384, 768, 10000, 100000} {
		for _, plain := range []string{"sghmc", "sgnht"} {
			b.Run(fmt.Sprintf("%d/%s", d, plain), func(b *testing.B) {
				var chains [2]*Chain
				var fastest [2]time.Duration
				for i, g := range []target.Geometry{flat(d), sphere(1, d)} {
					cfg := config([]string{plain, "geodesic_" + plain}[i], "split", 0.001)
					cfg.Warmup, cfg.Draws = 0, 1<<40
					chains[i] = mustChain(b, newCurved(constantForce(d), g), cfg, 0)
					fastest[i] = 1 << 60
				}
				turn := max(1, 20000/d)
				b.ReportAllocs()
				for b.Loop() {
					for i, ch := range chains {
						start := time.Now()
						mustSteps(b, ch, turn)
						fastest[i] = min(fastest[i], time.Since(start))
					}
				}
				per := func(i int) float64 {
					return float64(fastest[i].Nanoseconds()) / float64(turn*d)
				}
				b.ReportMetric(per(0), "plain-ns/coord")
				b.ReportMetric(per(1), "ns/coord")
				b.ReportMetric(per(1)/per(0), "ratio")
			})
		}
	}
}

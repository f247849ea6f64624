package special

import "testing"

var sink float64

// spread returns n numbers between lo and hi in no order.
func spread(n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + (hi-lo)*(float64(i*7919%n)+0.5)/float64(n)
	}
	return x
}

func BenchmarkSlice(b *testing.B) {
	for _, c := range []struct {
		name   string
		f      func(dst, src []float64)
		lo, hi float64
	}{
		{"Exp", ExpSlice, -15, 18}, {"Expm1", Expm1Slice, -5, 5}, {"Log", LogSlice, 1e-3, 18}, {"Log1p", Log1pSlice, -0.5, 5},
		{"Tanh", TanhSlice, -5, 5}, {"Sigmoid", SigmoidSlice, -5, 5}, {"Softplus", SoftplusSlice, -5, 5}, {"LogSigmoid", LogSigmoidSlice, -5, 5},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := spread(1000, c.lo, c.hi)
			d := make([]float64, len(x))
			for b.Loop() {
				c.f(d, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/elt")
		})
	}
}

func BenchmarkScalar(b *testing.B) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
	}{
		{"Lgamma", Lgamma, 0.1, 20}, {"Digamma", Digamma, 0.1, 20}, {"Trigamma", Trigamma, 0.1, 20}, {"Erf", Erf, -3, 3},
		{"Erfc", Erfc, -3, 6}, {"LogNormalCDF", LogNormalCDF, -10, 5}, {"NormalQuantile", NormalQuantile, 0.001, 0.999},
		{"Sin", Sin, -10, 10}, {"Atan", Atan, -3, 3},
		{"Pow", func(x float64) float64 { return Pow(x, 1.7) }, 0.1, 20},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := spread(1000, c.lo, c.hi)
			i := 0
			for b.Loop() {
				sink = c.f(x[i])
				if i++; i == len(x) {
					i = 0
				}
			}
		})
	}
}

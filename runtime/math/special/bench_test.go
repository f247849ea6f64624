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
	ranges := map[string][2]float64{"Exp": {-15, 18}, "Log": {1e-3, 18}, "Log1p": {-0.5, 5}}
	for _, c := range sliceForms {
		r, found := ranges[c.name]
		if !found {
			r = [2]float64{-5, 5}
		}
		x := spread(1000, r[0], r[1])
		d := make([]float64, len(x))
		x32, d32 := make([]float32, len(x)), make([]float32, len(x))
		for i, v := range x {
			x32[i] = float32(v)
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.slice(d, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/elt")
		})
		b.Run(c.name+"32", func(b *testing.B) {
			for b.Loop() {
				c.single(d32, x32)
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
		{"Lgamma", Lgamma, 0.1, 20}, {"Digamma", Digamma, 0.1, 20}, {"Trigamma", Trigamma, 0.1, 20},
		{"Erf", Erf, -3, 3},
		{"Erfc", Erfc, -3, 6}, {"LogNormalCDF", LogNormalCDF, -10, 5},
		{"NormalQuantile", NormalQuantile, 0.001, 0.999},
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

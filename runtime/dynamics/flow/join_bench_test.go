package flow

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// BenchmarkJoin compares a step join of thermostats, in nanoseconds a coordinate, with the same
// flows in a pass for each fusion.
func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{124, 1024, 478410} {
		s := state(Coordinate, n)
		s.Diffusion, s.GradNoise = 0, 0
		for i := range s.Xi {
			s.Xi[i] = 1
		}
		s.Drawing = NewDrawing[float64](rng.New(1, 0, rng.Test), false, n)
		tail, head := []float64{1e-5, 5e-6, 5e-6, 5e-6}, []float64{5e-6, 5e-6, 5e-6}
		f := &s.Spans[0]
		name := map[int]string{124: "124", 1024: "1024", 478410: "478410"}[n]
		b.Run("joined/"+name, func(b *testing.B) {
			for range b.N {
				s.Drawing.Moment++
				if !Joins[0].Run(s, f, tail, head) {
					b.Fatal("not finite")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n),
				"ns/coordinate")
		})
		b.Run("fused/"+name, func(b *testing.B) {
			for range b.N {
				s.Drawing.Moment++
				s.Drawing.All(s.Noise)
				fusedAfter(s, f, tail)
				if !s.Finite() {
					b.Fatal("not finite")
				}
				fusedBefore(s, f, head)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n),
				"ns/coordinate")
		})
	}
}

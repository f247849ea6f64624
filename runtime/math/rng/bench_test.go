package rng

import (
	"strconv"
	"testing"
)

var sink float64

func BenchmarkNormals(b *testing.B) {
	for _, n := range []int{10, 124, 1000, 100000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := make([]float64, n)
			s := New(1, 0, Noise)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Normals(uint64(i), x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/elt")
		})
	}
}

func BenchmarkNormals32(b *testing.B) {
	for _, n := range []int{10, 124, 1000, 100000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := make([]float32, n)
			s := New(1, 0, Noise)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Normals32(uint64(i), x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/elt")
		})
	}
}

func BenchmarkUniforms1000(b *testing.B) {
	x := make([]float64, 1000)
	s := New(1, 0, Noise)
	for i := 0; b.Loop(); i++ {
		s.Uniforms(uint64(i), x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/elt")
}

func BenchmarkSource(b *testing.B) {
	g := New(1, 0, Simulate).At(0)
	for _, c := range []struct {
		name string
		f    func(*Source) float64
	}{
		{"Uint64", func(g *Source) float64 { return float64(g.Uint64()) }},
		{"Normal", (*Source).Normal},
		{"Exponential", (*Source).Exponential},
		{"Gamma2", func(g *Source) float64 { return g.Gamma(2) }},
		{"Gamma0.1", func(g *Source) float64 { return g.Gamma(0.1) }},
		{"Poisson3", func(g *Source) float64 { return float64(g.Poisson(3)) }},
		{"Poisson1000", func(g *Source) float64 { return float64(g.Poisson(1000)) }},
		{"Binomial1000", func(g *Source) float64 { return float64(g.Binomial(1000, 0.3)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = c.f(&g)
			}
		})
	}
}

package kernel

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// TestSpherePasses: the bits of all levels, which are those of sums in four lanes.
func TestSpherePasses(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	r := source(21)
	for n := range 23 {
		x, v, g, z := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], v[i], g[i], z[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64(),
				r.NormFloat64()
		}
		dot := func(a, b []float64) float64 {
			var lane [4]float64
			for i, p := range a {
				k := i % 4
				if i >= n&^3 {
					k = 0
				}
				lane[k] += float64(p * b[i])
			}
			return (lane[0] + lane[2]) + (lane[1] + lane[3])
		}
		for _, l := range cpu.Levels() {
			level = l
			check := func(what string, got, want []float64) {
				if !slices.Equal(got, want) {
					t.Errorf("%s of %d, %v: %v, want %v", what, n, l, got, want)
				}
			}
			xx, vv := Squares(x, v)
			check("squares", []float64{xx, vv}, []float64{dot(x, x), dot(v, v)})
			kicked, want := slices.Clone(v), slices.Clone(v)
			xx, xv := SphereKick(x, kicked, g, z, 0.3, 0.7)
			for i := range want {
				want[i] += float64(0.3*g[i]) + float64(0.7*z[i])
			}
			check("kick", kicked, want)
			check("sums of a kick", []float64{xx, xv}, []float64{dot(x, x), dot(x, want)})
			vv = SphereTangent(x, kicked, 0.2, 0.9)
			for i := range want {
				want[i] = (want[i] + float64(0.2*x[i])) * 0.9
			}
			check("tangent", append(kicked, vv), append(slices.Clone(want), dot(want, want)))
			p, q := slices.Clone(x), slices.Clone(v)
			SphereTurn(p, q, 0.8, 0.6, -0.5, 0.4, 0.7)
			for i := range want {
				want[i] = (float64(-0.5*x[i]) + float64(0.4*v[i])) * 0.7
			}
			check("turn", q, want)
			for i := range want {
				want[i] = float64(0.8*x[i]) + float64(0.6*v[i])
			}
			check("turn", p, want)
		}
	}
}

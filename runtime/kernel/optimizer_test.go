package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Steps of optimisers have the bits of their definitions at every level and
// length, and touch nothing beyond.
func TestOptimizers(t *testing.T) {
	kernels := []struct {
		name   string
		arrays int
		run    func(a [][]float64, c []float64)
		one    func(v []*float64, c []float64)
	}{
		{"santa drift", 5, func(a [][]float64, c []float64) { SantaDrift(a[0], a[1], a[2], a[3], a[4], c[0], c[1], c[2]) },
			func(v []*float64, c []float64) {
				x, p, xi, g, e := v[0], v[1], v[2], v[3], v[4]
				*x += float64(float64(*g**p) * c[0])
				*xi += float64((float64(*p**p) - c[1]) * c[2])
				*e = -float64(*xi * c[0])
			}},
		{"santa kick", 8, func(a [][]float64, c []float64) {
			SantaKick(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
		}, func(v []*float64, c []float64) {
			x, p, f, u, xi, q, g, e := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
			m := float64(*f * c[7])
			*q = float64(c[5]**q) + float64(c[6]*float64(m*m))
			*g = 1 / math.Sqrt(c[8]+math.Sqrt(*q))
			*p = float64(*p**e) + (float64(float64(*g**f)*c[0]) + float64(c[1]**u))
			*p *= *e
			*x += float64(float64(*g**p) * c[2])
			*xi += float64((float64(*p**p) - c[3]) * c[4])
		}},
		{"santa euler", 6, func(a [][]float64, c []float64) {
			SantaEuler(a[0], a[1], a[2], a[3], a[4], a[5], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
		}, func(v []*float64, c []float64) {
			x, p, f, u, xi, q := v[0], v[1], v[2], v[3], v[4], v[5]
			m := float64(*f * c[6])
			*q = float64(c[4]**q) + float64(c[5]*float64(m*m))
			g := 1 / math.Sqrt(c[7]+math.Sqrt(*q))
			*xi += float64((float64(*p**p) - c[2]) * c[3])
			*p = float64(*p-float64(float64(*xi**p)*c[0])) + (float64(float64(g**f)*c[0]) + float64(c[1]**u))
			*x += float64(float64(g**p) * c[0])
		}},
		{"adam", 4, func(a [][]float64, c []float64) {
			Adam(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
		}, func(v []*float64, c []float64) {
			x, p, f, q := v[0], v[1], v[2], v[3]
			m := float64(*f * c[5])
			*p = float64(c[1]**p) + float64(c[2]*m)
			*q = float64(c[3]**q) + float64(c[4]*float64(m*m))
			*x += float64(c[0]**p) / (math.Sqrt(*q)/c[6] + c[7])
		}},
		{"rmsprop", 3, func(a [][]float64, c []float64) { RMSprop(a[0], a[1], a[2], c[0], c[1], c[2], c[3], c[4]) },
			func(v []*float64, c []float64) {
				x, f, q := v[0], v[1], v[2]
				m := float64(*f * c[3])
				*q = float64(c[1]**q) + float64(c[2]*float64(m*m))
				*x += float64(c[0]*m) / (math.Sqrt(*q) + c[4])
			}},
		{"momentum", 3, func(a [][]float64, c []float64) { Momentum(a[0], a[1], a[2], c[0], c[1], c[2]) },
			func(v []*float64, c []float64) {
				x, p, f := v[0], v[1], v[2]
				*p = float64(c[1]**p) + float64(*f*c[2])
				*x += float64(c[0] * *p)
			}},
	}
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			r := rand.New(rand.NewPCG(uint64(trial), 31))
			n := r.IntN(45)
			c := make([]float64, 9)
			for i := range c {
				c[i] = r.Float64() // λ and the squares are not negative
			}
			for _, k := range kernels {
				a, w := make([][]float64, k.arrays), make([][]float64, k.arrays)
				for j := range a {
					a[j] = random[float64](r, n+2, trial%2 == 0)
					if j == 5 || k.arrays < 5 && j == k.arrays-1 {
						for i := range a[j] {
							a[j][i] = math.Abs(a[j][i])
						}
					}
					w[j] = append([]float64{}, a[j]...)
				}
				in, v := make([][]float64, k.arrays), make([]*float64, k.arrays)
				for j := range a {
					in[j] = a[j][:n]
				}
				k.run(in, c)
				for i := range n {
					for j := range w {
						v[j] = &w[j][i]
					}
					k.one(v, c)
				}
				for j := range a {
					agree(t, fmt.Sprintf("%s of %d, array %d", k.name, n, j), a[j], w[j])
				}
			}
		}
	})
}

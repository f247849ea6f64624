package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var optimizers64 = []func(a [][]float64, c []float64){
	func(a [][]float64, c []float64) { SantaDrift(a[0], a[1], a[2], a[3], a[4], c[0], c[1], c[2]) },
	func(a [][]float64, c []float64) {
		SantaKick(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], c[0], c[1], c[2], c[3], c[4],
			c[5], c[6], c[7], c[8])
	},
	func(a [][]float64, c []float64) {
		SantaEuler(a[0], a[1], a[2], a[3], a[4], a[5], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
	},
	func(a [][]float64, c []float64) {
		Adam(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
	},
	func(a [][]float64, c []float64) { RMSprop(a[0], a[1], a[2], c[0], c[1], c[2], c[3], c[4]) },
	func(a [][]float64, c []float64) { Momentum(a[0], a[1], a[2], c[0], c[1], c[2]) },
}

var optimizers32 = []func(a [][]float32, c []float32){
	func(a [][]float32, c []float32) {
		SantaDrift32(a[0], a[1], a[2], a[3], a[4], c[0], c[1], c[2])
	},
	func(a [][]float32, c []float32) {
		SantaKick32(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], c[0], c[1], c[2], c[3], c[4],
			c[5], c[6], c[7], c[8])
	},
	func(a [][]float32, c []float32) {
		SantaEuler32(a[0], a[1], a[2], a[3], a[4], a[5], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
	},
	func(a [][]float32, c []float32) {
		Adam32(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])
	},
	func(a [][]float32, c []float32) { RMSprop32(a[0], a[1], a[2], c[0], c[1], c[2], c[3], c[4]) },
	func(a [][]float32, c []float32) { Momentum32(a[0], a[1], a[2], c[0], c[1], c[2]) },
}

// Steps of optimisers have the bits of their definitions at every level and
// length, and touch nothing beyond.
func TestOptimizers(t *testing.T) {
	t.Run("f64", func(t *testing.T) { testOptimizers(t, optimizers64) })
	t.Run("f32", func(t *testing.T) { testOptimizers(t, optimizers32) })
}

func testOptimizers[T float32 | float64](t *testing.T, runs []func(a [][]T, c []T)) {
	root := func(x T) T { return T(math.Sqrt(float64(x))) }
	kernels := []struct {
		name   string
		arrays int
		one    func(v []*T, c []T)
	}{
		{"santa drift", 5, func(v []*T, c []T) {
			x, p, xi, g, e := v[0], v[1], v[2], v[3], v[4]
			*x += T(T(*g**p) * c[0])
			*xi += T((T(*p**p) - c[1]) * c[2])
			*e = -T(*xi * c[0])
		}},
		{"santa kick", 8, func(v []*T, c []T) {
			x, p, f, u, xi, q, g, e := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
			m := T(*f * c[7])
			*q = T(c[5]**q) + T(c[6]*T(m*m))
			*g = 1 / root(c[8]+root(*q))
			*p = T(*p**e) + (T(T(*g**f)*c[0]) + T(c[1]**u))
			*p *= *e
			*x += T(T(*g**p) * c[2])
			*xi += T((T(*p**p) - c[3]) * c[4])
		}},
		{"santa euler", 6, func(v []*T, c []T) {
			x, p, f, u, xi, q := v[0], v[1], v[2], v[3], v[4], v[5]
			m := T(*f * c[6])
			*q = T(c[4]**q) + T(c[5]*T(m*m))
			g := 1 / root(c[7]+root(*q))
			*xi += T((T(*p**p) - c[2]) * c[3])
			*p = T(*p-T(T(*xi**p)*c[0])) + (T(T(g**f)*c[0]) + T(c[1]**u))
			*x += T(T(g**p) * c[0])
		}},
		{"adam", 4, func(v []*T, c []T) {
			x, p, f, q := v[0], v[1], v[2], v[3]
			m := T(*f * c[5])
			*p = T(c[1]**p) + T(c[2]*m)
			*q = T(c[3]**q) + T(c[4]*T(m*m))
			*x += T(c[0]**p) / (root(*q)/c[6] + c[7])
		}},
		{"rmsprop", 3, func(v []*T, c []T) {
			x, f, q := v[0], v[1], v[2]
			m := T(*f * c[3])
			*q = T(c[1]**q) + T(c[2]*T(m*m))
			*x += T(c[0]*m) / (root(*q) + c[4])
		}},
		{"momentum", 3, func(v []*T, c []T) {
			x, p, f := v[0], v[1], v[2]
			*p = T(c[1]**p) + T(*f*c[2])
			*x += T(c[0] * *p)
		}},
	}
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			r := rand.New(rand.NewPCG(uint64(trial), 31))
			n := r.IntN(45)
			c := make([]T, 9)
			for i := range c {
				c[i] = T(r.Float64()) // λ and the squares are not negative
			}
			for which, k := range kernels {
				a, w := make([][]T, k.arrays), make([][]T, k.arrays)
				for j := range a {
					a[j] = random[T](r, n+2, trial%2 == 0)
					if j == 5 || k.arrays < 5 && j == k.arrays-1 {
						for i := range a[j] {
							a[j][i] = T(math.Abs(float64(a[j][i])))
						}
					}
					w[j] = append([]T{}, a[j]...)
				}
				in, v := make([][]T, k.arrays), make([]*T, k.arrays)
				for j := range a {
					in[j] = a[j][:n]
				}
				runs[which](in, c)
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

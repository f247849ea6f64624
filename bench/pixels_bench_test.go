package bench

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/network"
	"github.com/sgppl/sgppl/bench/internal/network32"
	"github.com/sgppl/sgppl/bench/internal/networksparse"
	"github.com/sgppl/sgppl/bench/internal/networksparse32"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// imageNetworks are the network 784-400-400-10 of images, with pixels that are
// stored sparsely and densely, in single precision and in double.
func imageNetworks(t testing.TB) (names []string, m []target.Target) {
	t.Helper()
	return imageNetworksOf(t, loadImages())
}

func imageNetworksOf(t testing.TB, im *images) (names []string, m []target.Target) {
	t.Helper()
	type bound interface{ Target() target.Target }
	add := func(name string, b bound, err error) {
		if err != nil {
			t.Fatal(err)
		}
		names, m = append(names, name), append(m, b.Target())
	}
	s32, err := networksparse32.New(networksparse32.Data{X: im.sparse(), Y: im.y})
	add("sparse32", s32, err)
	d32, err := network32.New(network32.Data{X: im.x, Y: im.y})
	add("dense32", d32, err)
	s64, err := networksparse.New(networksparse.Data{X: im.sparse(), Y: im.y})
	add("sparse64", s64, err)
	d64, err := network.New(network.Data{X: im.x, Y: im.y})
	add("dense64", d64, err)
	return names, m
}

func smallState(n int) []float64 {
	x := make([]float64, n)
	rng.New(2, 0, rng.Test).Normals(1, x)
	for i := range x {
		x[i] *= 0.03
	}
	return x
}

// Whether pixels are stored sparsely changes no bit of the gradient, and single
// precision changes it by rounding.
func TestPixelsSparseAsDense(t *testing.T) {
	names, m := imageNetworks(t)
	x := smallState(m[0].Dim())
	rows := []int{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}
	var g [4][]float64
	for i := range m {
		g[i] = make([]float64, len(x))
		m[i].NewEvaluator(10).Gradient(x, rows, 600, 1, g[i])
	}
	for i := 0; i < 4; i += 2 {
		if !slices.Equal(g[i], g[i+1]) {
			t.Errorf("%s and %s have other bits", names[i], names[i+1])
		}
	}
	most := 0.0
	for _, v := range g[3] {
		most = max(most, math.Abs(v))
	}
	worst := 0.0
	for k, v := range g[0] {
		worst = max(worst, math.Abs(v-g[3][k])/most)
	}
	if worst > 2e-6 {
		t.Errorf("%s: a gradient is off by %.3g of the largest", names[0], worst)
	}
}

// BenchmarkPixels is that network at minibatches of 100: a gradient alone, a step
// of plain stochastic gradient descent and one of mSGNHT, as runs take them, by processor time:
// such steps are too long for a busy machine to leave them alone.
func BenchmarkPixels(b *testing.B) {
	im := loadImages()
	fmt.Printf("images: %s, %.3f of the pixels are 0\n", im.name, im.black)
	names, m := imageNetworks(b)
	var gradient, sgd, msgnht []side
	for i, m := range m {
		at, grad, rows := smallState(m.Dim()), make([]float64, m.Dim()), make([]int, 100)
		e, next := m.NewEvaluator(100), 0
		g := func() {
			for i := range rows {
				next = (next + 7) % m.Rows()
				rows[i] = next
			}
			e.Gradient(at, rows, 1, 1, grad)
		}
		gradient = append(gradient, side{names[i], each(g)})
		o := optimize.DefaultConfig()
		o.Algorithm, o.Batch, o.Seed, o.Step = "sgd", 100, 1, 1e-4
		o.Steps, o.CheckEvery, o.Average = 1<<40, 1<<40, 0
		o.Init = [][]float64{smallState(m.Dim())}
		descent, err := optimize.NewChain(m, nil, o, 0)
		if err != nil {
			b.Fatal(err)
		}
		sgd = append(sgd, side{names[i], each(func() {
			if err := descent.Step(); err != nil {
				b.Fatal(err)
			}
		})})
		c := settings{sampler: "msgnht", batch: 100, step: 1e-5, friction: 50,
			seed: 1}.config(m.Dim())
		c.Init = [][]float64{smallState(m.Dim())}
		chain, err := sampler.NewChain(m, c, 0)
		if err != nil {
			b.Fatal(err)
		}
		msgnht = append(msgnht, side{names[i], func(calls int) {
			if err := chain.Advance(int64(calls)); err != nil {
				b.Fatal(err)
			}
		}})
	}
	b.Run("gradient", func(b *testing.B) { compare(b, 200, gradient, 1) })
	b.Run("sgd", func(b *testing.B) { compare(b, 200, sgd, 1) })
	b.Run("msgnht", func(b *testing.B) { compare(b, 500, msgnht, 1) })
}

package bench

import (
	"testing"
	"time"

	"github.com/sgppl/sgppl/bench/internal/network"
	"github.com/sgppl/sgppl/bench/internal/network32"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
)

// pictures are 2000 made-up ones of 28×28 with 81 % black, as MNIST has.
func pictures() (x [][]float64, y []int) {
	s := rng.New(1, 0, rng.Test)
	x, y = make([][]float64, 2000), make([]int, 2000)
	for i := range x {
		u := make([]float64, 2*784)
		s.Uniforms(uint64(i), u)
		x[i] = u[:784:784]
		for j := range x[i] {
			if u[784+j] < 0.81 {
				x[i][j] = 0
			}
		}
		y[i] = i % 10
	}
	return x, y
}

// report gives the steps a second of processor time: the machine may be shared.
func report(b *testing.B, begun time.Duration) {
	b.ReportMetric(float64(b.N)/(cpuTime()-begun).Seconds(), "steps/cpu-s")
}

// BenchmarkNetwork is a step of a network at minibatches of 100, in double and
// in single precision: a gradient with the update of plain stochastic gradient
// descent, and a step of mSGNHT.
func BenchmarkNetwork(b *testing.B) {
	x, y := pictures()
	m64, err := network.New(network.Data{X: x, Y: y})
	if err != nil {
		b.Fatal(err)
	}
	m32, err := network32.New(network32.Data{X: x, Y: y})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []struct {
		name string
		m    target.Target
	}{{"f64", m64.Target()}, {"f32", m32.Target()}} {
		n := p.m.Dim()
		start := make([]float64, n)
		rng.New(2, 0, rng.Test).Normals(1, start)
		for i := range start {
			start[i] *= 0.03
		}
		b.Run("sgd/"+p.name, func(b *testing.B) {
			e := p.m.NewEvaluator(100)
			at, grad, rows := append([]float64(nil), start...), make([]float64, n), make([]int, 100)
			step := 0
			b.ResetTimer()
			begun := cpuTime()
			for range b.N {
				for i := range rows {
					rows[i] = (step*100 + 7*i) % 2000
				}
				step++
				e.Gradient(at, rows, 1, 1, grad)
				for i, g := range grad {
					at[i] += float64(1e-4 * g)
				}
			}
			report(b, begun)
		})
		b.Run("msgnht/"+p.name, func(b *testing.B) {
			s := settings{sampler: "msgnht", batch: 100, step: 1e-5, friction: 50, seed: 1}
			c := s.config(n)
			c.Init = [][]float64{start}
			chain, err := sampler.NewChain(p.m, c, 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			begun := cpuTime()
			for n := int64(b.N); n > 0; n -= chain.Config().Thin { // as a run does
				if err := chain.Advance(min(n, chain.Config().Thin)); err != nil {
					b.Fatal(err)
				}
			}
			report(b, begun)
		})
	}
}

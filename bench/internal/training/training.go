// Package training takes training steps of compiled networks on made-up data
// of the shape of the real ones, to be timed.
package training

import (
	"fmt"

	"github.com/sgppl/sgppl/bench/internal/gru"
	"github.com/sgppl/sgppl/bench/internal/gru32"
	"github.com/sgppl/sgppl/bench/internal/lenet"
	"github.com/sgppl/sgppl/bench/internal/lenet32"
	"github.com/sgppl/sgppl/bench/internal/network"
	"github.com/sgppl/sgppl/bench/internal/network32"
	"github.com/sgppl/sgppl/bench/internal/networksparse"
	"github.com/sgppl/sgppl/bench/internal/networksparse32"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Network is a model of bench/models with its data, in one precision.
type Network struct {
	Name   string // of the model, "32" behind it in single precision
	Batch  int    // rows of a minibatch
	Target target.Target
	// of the update of plain stochastic gradient descent, small enough to stay finite for long
	rate float64
	step float64 // of mSGNHT
}

// Names are the models; each is there in single precision as well. pixels is
// network with its pixels stored sparsely.
var Names = []string{"network", "pixels", "lenet", "gru"}

// New makes a network: of double precision, or of single where the name ends in 32.
func New(name string) (*Network, error) {
	n := &Network{Name: name, Batch: 100, rate: 1e-6, step: 1e-5}
	x, y := Pictures(2000)
	var m interface{ Target() target.Target }
	var err error
	switch name {
	case "network":
		m, err = network.New(network.Data{X: x, Y: y})
	case "network32":
		m, err = network32.New(network32.Data{X: x, Y: y})
	case "pixels":
		m, err = networksparse.New(networksparse.Data{X: sparse(x), Y: y})
	case "pixels32":
		m, err = networksparse32.New(networksparse32.Data{X: sparse(x), Y: y})
	case "lenet":
		m, err = lenet.New(lenet.Data{X: squares(x), Y: y})
	case "lenet32":
		m, err = lenet32.New(lenet32.Data{X: squares(x), Y: y})
	case "gru":
		n.Batch = 1
		m, err = gru.New(gru.Data{X: Rolls(200, 101)})
	case "gru32":
		n.Batch = 1
		m, err = gru32.New(gru32.Data{X: Rolls(200, 101)})
	default:
		return nil, fmt.Errorf("no network %q", name)
	}
	if err != nil {
		return nil, err
	}
	n.Target = m.Target()
	return n, nil
}

// start is a state with small weights, the same for all steps.
func (n *Network) start() []float64 {
	x := make([]float64, n.Target.Dim())
	rng.New(2, 0, rng.Test).Normals(1, x)
	for i := range x {
		x[i] *= 0.03
	}
	return x
}

// SGD takes steps of a chain of the optimiser sgd, as a run does between its checks.
func (n *Network) SGD() (func(steps int), error) {
	c := optimize.DefaultConfig()
	c.Algorithm, c.Batch, c.Seed = "sgd", n.Batch, 1
	c.Step = n.rate * float64(n.Batch) // the update is by the mean gradient
	c.Steps, c.CheckEvery, c.Average = 1<<40, 1<<40, 0
	c.Init = [][]float64{n.start()}
	chain, err := optimize.NewChain(n.Target, nil, c, 0)
	if err != nil {
		return nil, err
	}
	return func(steps int) {
		for range steps {
			if err := chain.Step(); err != nil {
				panic(err)
			}
		}
	}, nil
}

// MSGNHT takes steps of a chain of the sampler mSGNHT, as a run that keeps every
// hundredth does.
func (n *Network) MSGNHT() (func(steps int), error) {
	c := sampler.DefaultConfig()
	c.Sampler, c.Batch, c.Step, c.Friction, c.Seed = "msgnht", n.Batch, n.step, 50, 1
	c.Chains, c.Warmup, c.Draws, c.Thin = 1, 0, 1<<40, 100
	c.Init = [][]float64{n.start()}
	chain, err := sampler.NewChain(n.Target, c, 0)
	if err != nil {
		return nil, err
	}
	return func(steps int) {
		for left := int64(steps); left > 0; left -= c.Thin {
			if err := chain.Advance(min(left, c.Thin)); err != nil {
				panic(err)
			}
		}
	}, nil
}

// Pictures are n made-up ones of 28×28 in ten classes with 81 % black, as MNIST has.
func Pictures(n int) (x [][]float64, y []int) {
	s := rng.New(1, 0, rng.Test)
	x, y = make([][]float64, n), make([]int, n)
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

// sparse leaves out what is black.
func sparse(x [][]float64) *data.CSR {
	s := &data.CSR{Rows: len(x), Cols: 784, Indptr: []int{0}}
	for _, p := range x {
		for j, v := range p {
			if v != 0 {
				s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v)
			}
		}
		s.Indptr = append(s.Indptr, len(s.Index))
	}
	return s
}

func squares(x [][]float64) [][][][]float64 {
	out := make([][][][]float64, len(x))
	for i, p := range x {
		lines := make([][]float64, 28)
		for a := range lines {
			lines[a] = p[a*28:][:28]
		}
		out[i] = [][][]float64{lines}
	}
	return out
}

// Rolls are n made-up piano rolls: of 88 keys 4.5 % are down, as in the corpora of the papers.
func Rolls(n, length int) [][][]bool {
	s := rng.New(1, 0, rng.Test)
	u := make([]float64, length*88)
	x := make([][][]bool, n)
	for i := range x {
		s.Uniforms(uint64(i), u)
		x[i] = make([][]bool, length)
		for t := range x[i] {
			x[i][t] = make([]bool, 88)
			for k := range x[i][t] {
				x[i][t][k] = u[t*88+k] < 0.045
			}
		}
	}
	return x
}

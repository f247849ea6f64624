package main

import (
	"github.com/sgppl/sgppl/bench/internal/logisticdense"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A work is a chain that is measured.
type work struct {
	name   string
	target func() (target.Target, error)
	config sampler.Config
}

var works = []work{
	{"nuts, logistic regression of 20,000 dense rows, 20 columns", dense(20_000),
		config("nuts", 60, 40, 0, 0)},
	{"sghmc, the same with 200,000 rows, batch 10,000", dense(200_000),
		config("sghmc", 0, 60, 10_000, 1e-6)},
	{"mSGNHT, network 784-400-400-10, batch 100, f32", network("network32"),
		config("msgnht", 0, 3, 100, 1e-5)},
	{"mSGNHT, network 784-400-400-10, batch 100, f64", network("network"),
		config("msgnht", 0, 3, 100, 1e-5)},
	{"mSGNHT, the network with sparse pixels, f32", network("pixels32"),
		config("msgnht", 0, 3, 100, 1e-5)},
}

// config has one chain; batch 0 stands for full passes.
func config(kind string, warmup, draws int64, batch int, step float64) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Draws, c.Batch, c.Step = kind, 1, warmup, draws, batch, step
	c.InitRadius = 0.1
	if kind == "msgnht" {
		c.Thin = 100 // to hand out and watch a draw of many numbers takes as long as a step
	}
	return c
}

func network(name string) func() (target.Target, error) {
	return func() (target.Target, error) {
		n, err := training.New(name)
		if err != nil {
			return nil, err
		}
		return n.Target, nil
	}
}

// dense is a logistic regression of simulated rows.
func dense(rows int) func() (target.Target, error) {
	return func() (target.Target, error) {
		const columns = 20
		s := rng.New(1, 0, rng.Test)
		d := logisticdense.Data{X: make([][]float64, rows), Y: make([]bool, rows)}
		u := make([]float64, rows)
		s.Uniforms(0, u)
		for i := range d.X {
			d.X[i] = make([]float64, columns)
			s.Normals(uint64(i+1), d.X[i])
			at := 0.0
			for k, x := range d.X[i] {
				at += float64(x * float64(k%5-2) / 4)
			}
			d.Y[i] = u[i] < special.Sigmoid(at)
		}
		m, err := logisticdense.New(d)
		if err != nil {
			return nil, err
		}
		return m.Target(), nil
	}
}

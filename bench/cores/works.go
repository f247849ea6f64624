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
	draws  int // that are measured
}

var works = []work{
	{"nuts, logistic regression of 20,000 dense rows, 20 columns", dense(20_000),
		config("nuts", 60, 0, 0), 40},
	{"sghmc, the same with 200,000 rows, batch 10,000", dense(200_000),
		config("sghmc", 0, 10_000, 1e-6), 200},
	{"mSGNHT, network 784-400-400-10, batch 100, f32", network("network32"),
		config("msgnht", 0, 100, 1e-5), 3},
	{"mSGNHT, network 784-400-400-10, batch 100, f64", network("network"),
		config("msgnht", 0, 100, 1e-5), 3},
	{"mSGNHT, the network with sparse pixels, f32", network("pixels32"),
		config("msgnht", 0, 100, 1e-5), 3},
}

// config has one chain that goes on until it is stopped; batch 0 stands for full passes.
func config(kind string, warmup int64, batch int, step float64) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Batch, c.Step = kind, 1, warmup, batch, step
	c.Draws = 1 << 30 // health looks at a chain every so many steps of the whole run
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

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/a9a"
	"github.com/sgppl/sgppl/bench/internal/eightschools"
	"github.com/sgppl/sgppl/bench/internal/logistic"
	"github.com/sgppl/sgppl/bench/internal/logistic32"
	"github.com/sgppl/sgppl/bench/internal/radon"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/bench/peers/nuts/simulated"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// own does a piece of work of sgppl again and again and prints seconds of processor time a unit.
func own(work string, seconds float64) error {
	run, err := start(work)
	if err != nil {
		return err
	}
	run(20)
	begun, done := training.CPUTime(), 0
	for chunk := 20; ; chunk = min(2*chunk, 10000) {
		done += run(chunk)
		if spent := (training.CPUTime() - begun).Seconds(); spent >= seconds {
			fmt.Println(spent / float64(done))
			return nil
		}
	}
}

// start makes a piece of work ready. It is named by a model and what is done with it. The work
// returns how many units it did in so many calls.
func start(work string) (func(calls int) (units int), error) {
	model, what, _ := strings.Cut(work, " ")
	switch model {
	case "topics":
		return topicModel(what)
	case "sam":
		return admixture(what)
	}
	run, err := plain(model, what)
	return func(calls int) int {
		run(calls)
		return calls
	}, err
}

// plain is work of which a call is the unit.
func plain(model, what string) (func(calls int), error) {
	switch model {
	case "a9a32", "a9a64", "schools", "radon":
		m, err := small(model)
		if err != nil {
			return nil, err
		}
		switch what {
		case "gradient":
			return gradient(m, nil), nil
		case "rows":
			rows := make([]int, m.Rows())
			for i := range rows {
				rows[i] = i
			}
			return gradient(m, rows), nil
		}
		return steps(m, what)
	}
	n, err := training.New(strings.TrimSuffix(model, "64"))
	if err != nil {
		return nil, err
	}
	if what == "sgd" {
		return n.SGD()
	}
	return n.MSGNHT()
}

// small binds a generated package to its data.
func small(model string) (target.Target, error) {
	var m interface{ Target() target.Target }
	var err error
	switch model {
	case "schools":
		m, err = eightschools.New(eightschools.Data{Y: []float64{28, 8, -3, 7, -1, 1, 18, 12},
			Sigma: []float64{15, 10, 16, 11, 9, 11, 10, 18}})
	case "radon":
		r := simulated.Radon()
		m, err = radon.New(radon.Data{J: r.J, County: r.County, X: r.X, Y: r.Y})
	default:
		name, x, y := a9a.Load(filepath.Join("..", "shared"))
		if name != "a9a" {
			fmt.Fprintln(os.Stderr, "rows of the shape of a9a are simulated")
		}
		if model == "a9a64" {
			m, err = logistic.New(logistic.Data{X: x, Y: y})
		} else {
			m, err = logistic32.New(logistic32.Data{X: x, Y: y})
		}
	}
	if err != nil {
		return nil, err
	}
	return m.Target(), nil
}

func gradient(m target.Target, rows []int) func(int) {
	e := m.NewEvaluator(len(rows))
	x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.01
	}
	return func(calls int) {
		for range calls {
			e.LogDensityGradient(x, rows, 1, 1, g)
		}
	}
}

// steps takes steps of a chain as a run does that keeps every fiftieth: "msgnht 10" is a sampler
// and the rows of a minibatch. The settings are those of Li et al. (2016) for a9a.
func steps(m target.Target, what string) (func(int), error) {
	c := sampler.DefaultConfig()
	if _, err := fmt.Sscan(what, &c.Sampler, &c.Batch); err != nil {
		return nil, fmt.Errorf("%q is no sampler with a batch", what)
	}
	c.Step, c.Friction = 0.0003, 50
	if c.Sampler == "sgld" {
		c.Step = 1e-5
	}
	return advance(m, c, make([]float64, m.Dim()))
}

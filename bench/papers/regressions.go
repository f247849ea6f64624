package main

import (
	"errors"
	"math"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

var regressions = []experiment{
	{"a9a", []string{"sampler", "scheme", "h", "D", "seed"}, []string{"accuracy", "lpd"}, a9aGrid},
	{"a9a_curves", []string{"sampler", "scheme", "h", "D", "seed"},
		[]string{"step", "error", "train"}, a9aCurves},
}

// a9a is the logistic regression of Li et al. (2016), §5.1, with the rows that it is fitted to and
// those that it is scored on.
type a9a struct {
	fitted, held *model.Model
	train, test  target.Evaluator
	lik, all     []float64 // space for the likelihoods of rows
}

func newA9A(b *bench) (*a9a, error) {
	specs := func(file string) []string {
		return []string{"x=" + b.data("a9a", file) + ":features", "y=" + b.data("a9a",
			file) + ":label"}
	}
	const file = "examples/models/logistic.sg"
	fitted, err := bound(file, data.Options{}, specs("a9a.gz")...)
	if err != nil {
		return nil, err
	}
	held, err := bound(file, data.Options{Fixed: map[string]int{"P": fitted.Dims["P"]}},
		specs("a9a.t.gz")...)
	if err != nil {
		return nil, err
	}
	return &a9a{fitted, held, fitted.NewEvaluator(0), held.NewEvaluator(0),
		make([]float64, held.Rows()), make([]float64, fitted.Rows())}, nil
}

// The protocol of the paper: 3000 steps of 10 rows, of which 300 are burn-in; of the others every
// fiftieth is a draw.
func (a *a9a) config(name, scheme, h, friction, seed string) (sampler.Config, error) {
	c := sampler.DefaultConfig()
	var errs [3]error
	c.Step, errs[0] = strconv.ParseFloat(h, 64)
	c.Seed, errs[1] = strconv.ParseUint(seed, 10, 64)
	if friction != "" {
		c.Friction, errs[2] = strconv.ParseFloat(friction, 64)
	}
	c.Sampler, c.Scheme, c.Batch, c.InitRadius = name, scheme, 10, 0
	c.Chains, c.Warmup, c.Draws, c.Thin = 1, 300, 54, 50
	return c, errors.Join(errs[:]...)
}

// A predictive is the likelihood of each test row, averaged over draws.
type predictive struct {
	p []float64 // sums over the draws
	n float64
}

func (a *a9a) add(to *predictive, x []float64) {
	if to.p == nil {
		to.p = make([]float64, len(a.lik))
	}
	a.test.LogLik(x, nil, a.lik)
	for i, l := range a.lik {
		to.p[i] += math.Exp(l)
	}
	to.n++
}

// scores are the accuracy and the mean log density.
func (p *predictive) scores() (accuracy, lpd float64) {
	for _, sum := range p.p {
		q := sum / p.n // of what was observed
		if q >= 0.5 {
			accuracy++
		}
		lpd += math.Log(q)
	}
	n := float64(len(p.p))
	return accuracy / n, lpd / n
}

// a9aGrid are all samplers by step size and friction.
func a9aGrid(b *bench) (all []run, err error) {
	a, err := newA9A(b)
	if err != nil {
		return nil, err
	}
	one := func(name, scheme, h, friction string) {
		for _, seed := range seeds {
			all = append(all, run{[]string{name, scheme, h, friction, seed},
				func() ([][]string, error) {
					c, err := a.config(name, scheme, h, friction, seed)
					if err != nil {
						return nil, err
					}
					var p predictive
					diverged, err := states(a.fitted, c, func(step int64, ch *sampler.Chain) {
						if step > c.Warmup && (step-c.Warmup)%c.Thin == 0 {
							a.add(&p, ch.Position())
						}
					})
					if diverged || err != nil {
						return [][]string{{"diverged", ""}}, err
					}
					accuracy, lpd := p.scores()
					return [][]string{{number(accuracy, 5), number(lpd, 5)}}, nil
				}})
		}
	}
	for _, name := range []string{"msgnht", "sghmc"} {
		for _, scheme := range []string{"split", "euler"} {
			for _, friction := range []string{"1", "10", "50", "100"} {
				for _, h := range []string{"1e-4", "3e-4", "1e-3", "3e-3", "1e-2"} {
					one(name, scheme, h, friction)
				}
			}
		}
	}
	for _, h := range []string{"1e-6", "3e-6", "1e-5", "3e-5", "1e-4"} {
		one("sgld", "euler", h, "")
	}
	for _, h := range []string{"1e-7", "3e-7", "1e-6", "3e-6", "1e-5", "3e-5"} {
		one("psgld", "euler", h, "")
	}
	return all, nil
}

// a9aCurves are chains along their steps: the test error by the average of the draws so far, one
// every fifty steps from the start, and the mean log likelihood of a training row at the state.
func a9aCurves(b *bench) (all []run, err error) {
	a, err := newA9A(b)
	if err != nil {
		return nil, err
	}
	for _, at := range [][2]string{{"3e-4", "10"}, {"3e-4", "50"}, {"1e-3", "50"},
		{"3e-3", "50"}} {
		for _, s := range [][2]string{{"msgnht", "split"}, {"msgnht", "euler"}, {"sghmc", "split"},
			{"sghmc", "euler"}} {
			for _, seed := range seeds {
				all = append(all, run{[]string{s[0], s[1], at[0], at[1], seed},
					func() ([][]string, error) { return a.curve(s[0], s[1], at[0], at[1], seed) }})
			}
		}
	}
	return all, nil
}

func (a *a9a) curve(name, scheme, h, friction, seed string) ([][]string, error) {
	c, err := a.config(name, scheme, h, friction, seed)
	if err != nil {
		return nil, err
	}
	var p predictive
	var rows [][]string
	diverged, err := states(a.fitted, c, func(step int64, ch *sampler.Chain) {
		if step%50 != 0 {
			return
		}
		a.add(&p, ch.Position())
		if step%100 != 0 {
			return
		}
		accuracy, _ := p.scores()
		a.train.LogLik(ch.Position(), nil, a.all)
		sum := 0.0
		for _, l := range a.all {
			sum += l
		}
		rows = append(rows, []string{strconv.FormatInt(step, 10), number(1-accuracy, 5),
			number(sum/float64(len(a.all)), 5)})
	})
	if diverged {
		rows = append(rows, []string{"0", "diverged", ""})
	}
	return rows, err
}

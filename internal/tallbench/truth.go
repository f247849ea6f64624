package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// contrasts is how many random directions of a draw are compared besides its numbers.
const contrasts = 8

// A truth is the means and standard deviations of the numbers of a draw, and then of the
// contrasts, with their errors.
type truth struct {
	How     string // what it was computed from
	Mean    []float64
	SD      []float64
	MeanErr []float64 // in standard deviations
	SDErr   []float64 // of the logarithm
}

// truthSeed is that of everything that a truth is computed from.
const truthSeed = 99

// truthOf reads the truth of a case from dir, or computes it and writes it there.
func (b *bench) truthOf(dir string, t target.Target) (*truth, error) {
	path := filepath.Join(dir, b.name+".json")
	out := &truth{}
	if text, err := os.ReadFile(path); err == nil && dir != "" {
		return out, json.Unmarshal(text, out)
	}
	var err error
	switch {
	case b.small != nil:
		small := &bench{name: b.name + "-cells", model: b.small.model, make: b.small.make,
			dims: b.dims}
		st, e := small.bind()
		if e != nil {
			return nil, e
		}
		out, err = byNUTS(st, b.nuts)
		if err == nil {
			out.How = "cells, " + out.How
		}
	case b.nuts > 0:
		out, err = byNUTS(t, b.nuts)
	default:
		out, err = byWeights(t, b.weights)
	}
	if err != nil || dir == "" {
		return out, err
	}
	text, err := json.Marshal(out)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	return out, err
}

// byNUTS is a long run of nuts on all rows, or of gmc where a block is curved.
func byNUTS(t target.Target, draws int) (*truth, error) {
	c := sampler.DefaultConfig()
	c.TargetESS, c.Seed = 0, truthSeed
	c, err := c.FullPasses().Resolve(t)
	if err != nil {
		return nil, err
	}
	c.Draws = int64(draws)
	d, err := sampler.Collect(context.Background(), t, c, sampler.RunOptions{})
	if err != nil {
		return nil, err
	}
	k := d.Width
	out := &truth{How: fmt.Sprintf("`%s`, %d draws", c.Sampler, draws*len(d.Chains))}
	var w diagnose.Workspace
	worst := 1.0
	add := func(number func(draw []float64) float64) {
		series := make([][]float64, len(d.Chains))
		for c := range d.Chains {
			for i := range d.Len(c) {
				series[c] = append(series[c], number(d.Draw(c, i)))
			}
		}
		worst = max(worst, w.Rhat(series))
		m := momentsOf(series)
		out.Mean, out.SD = append(out.Mean, m.mean), append(out.SD, m.sd)
		out.MeanErr, out.SDErr = append(out.MeanErr, 1/math.Sqrt(w.ESSMean(series))),
			append(out.SDErr, m.sdError(w.ESSSD(series)))
	}
	for j := range k {
		add(func(x []float64) float64 { return x[j] })
	}
	mean, sd := out.Mean[:k:k], out.SD[:k:k]
	for q := range contrasts {
		signs := signsOf(q, k)
		add(func(x []float64) float64 { return contrast(signs, x, mean, sd) })
	}
	out.How += fmt.Sprintf(" (R-hat %.3f)", worst)
	return out, nil
}

// signsOf are the signs of a contrast of k numbers.
func signsOf(q, k int) []float64 {
	r := rand.New(rand.NewPCG(uint64(q), 11))
	out := make([]float64, k)
	for i := range out {
		out[i] = 1 - 2*float64(r.IntN(2))
	}
	return out
}

func contrast(signs, x, mean, sd []float64) float64 {
	sum := 0.0
	for i, s := range signs {
		if sd[i] > 0 {
			sum += s * (x[i] - mean[i]) / sd[i]
		}
	}
	return sum
}

// each calls do for parts of 0 … n on all processors.
func each(n int, do func(from, to int)) {
	var wg sync.WaitGroup
	threads := runtime.GOMAXPROCS(0)
	for c := range threads {
		wg.Go(func() { do(c*n/threads, (c+1)*n/threads) })
	}
	wg.Wait()
}

// A moment is what one number's draws say of it.
type moment struct{ mean, sd, kurtosis float64 }

func momentsOf(series [][]float64) moment {
	n, sum := 0.0, 0.0
	for _, s := range series {
		for _, x := range s {
			n, sum = n+1, sum+x
		}
	}
	m := moment{mean: sum / n}
	second, fourth := 0.0, 0.0
	for _, s := range series {
		for _, x := range s {
			d := (x - m.mean) * (x - m.mean)
			second, fourth = second+d/n, fourth+d*d/n
		}
	}
	m.sd, m.kurtosis = math.Sqrt(second), fourth/(second*second)
	return m
}

// sdError is the Monte Carlo error of the logarithm of the standard deviation, from the
// effective size of squares.
func (m moment) sdError(ess float64) float64 { return math.Sqrt((m.kurtosis - 1) / (4 * ess)) }

// A meanOf gathers a mean and its error.
type meanOf struct{ n, mean, squares float64 }

func (m *meanOf) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

func (m *meanOf) error() float64 { return math.Sqrt(m.squares / (m.n - 1) / m.n) }

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
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
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
		small := &bench{name: b.name + "-cells", model: b.small.model, make: b.small.make, dims: b.dims}
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
		out.MeanErr, out.SDErr = append(out.MeanErr, 1/math.Sqrt(w.ESSMean(series))), append(out.SDErr, m.sdError(w.ESSSD(series)))
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

// byWeights draws pairs ±z from a Student t law about the posterior's mean, in the
// coordinates that a plan found, and weighs them by the density of all rows. The normal law
// of the same centre is a control variate: expectations under it need no rows. It is right
// where the posterior is near normal; the errors, of 20 groups of draws, say how near.
func byWeights(t target.Target, draws int) (*truth, error) {
	s, err := tall.Prepare(context.Background(), t, tall.Settings{Seed: truthSeed, Anyway: true}, loop.Options{})
	if err != nil {
		return nil, err
	}
	const nu, groups = 20, 20
	w := s.Whitening()
	k, d := t.OutputLen(), t.Dim()
	pairs := max(draws/2/groups, 2) * groups
	n := 2 * pairs
	outs, logs, ratio := make([][]float64, n), make([]float64, n), make([]float64, n)
	half := (nu + float64(d)) / 2
	a, _ := math.Lgamma(half)
	b, _ := math.Lgamma(nu / 2.0)
	constant := -float64(d)/2*math.Log(2*math.Pi) - a + b + float64(d)/2*math.Log(nu*math.Pi)
	each(pairs, func(from, to int) {
		e := t.NewEvaluator(1)
		z, x := make([]float64, d), make([]float64, d)
		for i := from; i < to; i++ {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			chi := 0.0
			for range nu {
				u := r.NormFloat64()
				chi += u * u
			}
			norm := 0.0
			for j := range z {
				z[j] = math.Sqrt(nu/chi) * r.NormFloat64()
				norm += z[j] * z[j]
			}
			for side := range 2 {
				w.Point(z, x)
				at := 2*i + side
				logs[at] = e.LogDensity(x, nil, 1, 1) + half*math.Log1p(norm/nu)
				ratio[at] = math.Exp(constant - norm/2 + half*math.Log1p(norm/nu))
				outs[at] = make([]float64, k)
				e.Constrain(x, outs[at])
				for j := range z {
					z[j] = -z[j]
				}
			}
		}
	})
	most := math.Inf(-1)
	for _, l := range logs {
		most = max(most, l)
	}
	weights := make([]float64, n)
	sumW, sumR, squares := 0.0, 0.0, 0.0
	for i, l := range logs {
		weights[i] = math.Exp(l - most)
		sumW, sumR, squares = sumW+weights[i], sumR+ratio[i], squares+weights[i]*weights[i]
	}
	for i := range weights {
		weights[i] *= sumR / sumW
	}
	var space diagnose.Workspace
	pareto := space.PSIS(logs, 1, make([]float64, n))
	cheap := normalDraws(t, w, 20000)
	out := &truth{How: fmt.Sprintf("importance weights, %d draws, %.0f effective, Pareto k %.2f", n, sumW*sumW/squares, pareto)}
	add := func(number func(x []float64) float64, guess, scale float64) {
		// Expectations of f and f² under the normal law, then what the weights add, by group.
		f := func(x []float64) float64 { return (number(x) - guess) / scale }
		e1, e2 := 0.0, 0.0
		for _, x := range cheap {
			v := f(x)
			e1, e2 = e1+v/float64(len(cheap)), e2+v*v/float64(len(cheap))
		}
		moments := func(from, to int) (mean, sd float64) {
			one, first, second := 1.0, e1, e2
			for i := from; i < to; i++ {
				v, by := f(outs[i]), (weights[i]-ratio[i])/float64(to-from)
				one, first, second = one+by, first+by*v, second+by*v*v
			}
			mean = first / one
			return mean, math.Sqrt(second/one - mean*mean)
		}
		m, sd := moments(0, n)
		var me, se meanOf
		for g := range groups {
			a, b := moments(g*n/groups, (g+1)*n/groups)
			me.add(a)
			se.add(math.Log(b))
		}
		out.Mean, out.SD = append(out.Mean, guess+scale*m), append(out.SD, scale*sd)
		out.MeanErr = append(out.MeanErr, math.Hypot(me.error()/sd, 1/math.Sqrt(200*float64(len(cheap)))))
		out.SDErr = append(out.SDErr, math.Hypot(se.error(), 1/math.Sqrt(2*float64(len(cheap)))))
	}
	for j := range k {
		m := momentsOf([][]float64{column(cheap, j)})
		if !(m.sd > 0) {
			m.sd = 1
		}
		add(func(x []float64) float64 { return x[j] }, m.mean, m.sd)
	}
	mean, sd := out.Mean[:k:k], out.SD[:k:k]
	for q := range contrasts {
		signs := signsOf(q, k)
		add(func(x []float64) float64 { return contrast(signs, x, mean, sd) }, 0, math.Sqrt(float64(k)))
	}
	return out, nil
}

// normalDraws are outputs at n states of the normal law of the coordinates, in pairs ±z.
func normalDraws(t target.Target, w *tall.Whitening, n int) [][]float64 {
	out := make([][]float64, n)
	d := t.Dim()
	each(n/2, func(from, to int) {
		e := t.NewEvaluator(1)
		z, x := make([]float64, d), make([]float64, d)
		for i := from; i < to; i++ {
			r := rand.New(rand.NewPCG(uint64(i), 4))
			for j := range z {
				z[j] = r.NormFloat64()
			}
			for side := range 2 {
				w.Point(z, x)
				out[2*i+side] = make([]float64, t.OutputLen())
				e.Constrain(x, out[2*i+side])
				for j := range z {
					z[j] = -z[j]
				}
			}
		}
	})
	return out
}

func column(rows [][]float64, j int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = r[j]
	}
	return out
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

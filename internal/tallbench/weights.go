package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

const (
	studentDegrees = 20 // of freedom of the law that draws are made from
	weightGroups   = 20 // of draws, whose estimates give the errors
)

// weighted are draws of a Student t law with their importance weights.
type weighted struct {
	outs    [][]float64
	weights []float64
	ratio   []float64   // density of the normal law of the same centre over that of the Student law
	cheap   [][]float64 // draws of that normal law, which need no rows
}

// byWeights draws pairs ±z from a Student t law about the posterior's mean, in the
// coordinates that a plan found, and weighs them by the density of all rows. The normal law
// of the same centre is a control variate: expectations under it need no rows. It is right
// where the posterior is near normal; the errors, of 20 groups of draws, say how near.
func byWeights(t target.Target, draws int) (*truth, error) {
	s, err := tall.Prepare(context.Background(), t, tall.Settings{Seed: truthSeed, Anyway: true},
		loop.Options{})
	if err != nil {
		return nil, err
	}
	n := 2 * max(draws/2/weightGroups, 2) * weightGroups
	d, logs := studentDraws(t, s.Whitening(), n)
	effective := d.weigh(logs)
	var space diagnose.Workspace
	pareto := space.PSIS(logs, 1, make([]float64, n))
	d.cheap = normalDraws(t, s.Whitening(), 20000)
	out := &truth{How: fmt.Sprintf("importance weights, %d draws, %.0f effective, Pareto k %.2f", n,
		effective, pareto)}
	k := t.OutputLen()
	for j := range k {
		m := momentsOf([][]float64{column(d.cheap, j)})
		if !(m.sd > 0) {
			m.sd = 1
		}
		d.estimate(out, func(x []float64) float64 { return x[j] }, m.mean, m.sd)
	}
	mean, sd := out.Mean[:k:k], out.SD[:k:k]
	for q := range contrasts {
		signs := signsOf(q, k)
		number := func(x []float64) float64 { return contrast(signs, x, mean, sd) }
		d.estimate(out, number, 0, math.Sqrt(float64(k)))
	}
	return out, nil
}

// studentDraws are n draws in pairs ±z, with the logarithms of their weights up to a constant.
func studentDraws(t target.Target, w *whitening.Map, n int) (*weighted, []float64) {
	const nu = studentDegrees
	d := t.Dim()
	out := &weighted{outs: make([][]float64, n), weights: make([]float64, n),
		ratio: make([]float64, n)}
	logs := make([]float64, n)
	half := (nu + float64(d)) / 2
	a, _ := math.Lgamma(half)
	b, _ := math.Lgamma(nu / 2.0)
	constant := -float64(d)/2*math.Log(2*math.Pi) - a + b + float64(d)/2*math.Log(nu*math.Pi)
	each(n/2, func(from, to int) {
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
				out.ratio[at] = math.Exp(constant - norm/2 + half*math.Log1p(norm/nu))
				out.outs[at] = make([]float64, t.OutputLen())
				e.Constrain(x, out.outs[at])
				for j := range z {
					z[j] = -z[j]
				}
			}
		}
	})
	return out, logs
}

// weigh sets the weights to a sum that is the sum of ratio, and returns the effective number
// of draws.
func (d *weighted) weigh(logs []float64) float64 {
	most := math.Inf(-1)
	for _, l := range logs {
		most = max(most, l)
	}
	sum, sumRatio, squares := 0.0, 0.0, 0.0
	for i, l := range logs {
		w := math.Exp(l - most)
		d.weights[i] = w
		sum, sumRatio, squares = sum+w, sumRatio+d.ratio[i], squares+w*w
	}
	for i := range d.weights {
		d.weights[i] *= sumRatio / sum
	}
	return sum * sum / squares
}

// estimate appends mean and standard deviation of a number to a truth, with their errors.
// The number is near guess, and varies by scale.
func (d *weighted) estimate(out *truth, number func(x []float64) float64, guess, scale float64) {
	// Expectations of f and f² under the normal law, then what the weights add, by group.
	f := func(x []float64) float64 { return (number(x) - guess) / scale }
	e1, e2, cheap := 0.0, 0.0, float64(len(d.cheap))
	for _, x := range d.cheap {
		v := f(x)
		e1, e2 = e1+v/cheap, e2+v*v/cheap
	}
	moments := func(from, to int) (mean, sd float64) {
		one, first, second := 1.0, e1, e2
		for i := from; i < to; i++ {
			v, by := f(d.outs[i]), (d.weights[i]-d.ratio[i])/float64(to-from)
			one, first, second = one+by, first+by*v, second+by*v*v
		}
		mean = first / one
		return mean, math.Sqrt(second/one - mean*mean)
	}
	n := len(d.outs)
	m, sd := moments(0, n)
	var me, se meanOf
	for g := range weightGroups {
		a, b := moments(g*n/weightGroups, (g+1)*n/weightGroups)
		me.add(a)
		se.add(math.Log(b))
	}
	out.Mean, out.SD = append(out.Mean, guess+scale*m), append(out.SD, scale*sd)
	out.MeanErr = append(out.MeanErr, math.Hypot(me.error()/sd, 1/math.Sqrt(200*cheap)))
	out.SDErr = append(out.SDErr, math.Hypot(se.error(), 1/math.Sqrt(2*cheap)))
}

// normalDraws are outputs at n states of the normal law of the coordinates, in pairs ±z.
func normalDraws(t target.Target, w *whitening.Map, n int) [][]float64 {
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

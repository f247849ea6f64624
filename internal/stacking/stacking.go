// Package stacking gives weights to models that predict the same observations: stacking and
// pseudo-BMA+ of Yao, Vehtari, Simpson and Gelman, "Using stacking to average Bayesian
// predictive distributions", Bayesian Analysis 13 (2018).
package stacking

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Weights are the weights of models whose mixture has the greatest sum of log predictive
// densities: of w ≥ 0 with sum 1 those that maximise Σ_i log Σ_k w_k exp(elpd[k][i]). Models
// that predict alike share their weight. The sum is within 1e-6 of the greatest.
//
// The sum is concave. With the densities of an observation divided by their largest, p, the
// weights minimise
//
//	f(w) = Σ_k w_k − 1/n Σ_i log Σ_k w_k p_ik,    w ≥ 0
//
// (the minimum has Σ w = 1 by itself). Newton's method minimises f(w) − μ Σ log w for smaller
// and smaller μ.
func Weights(elpd [][]float64) ([]float64, error) {
	p, err := ratios(elpd)
	if err != nil {
		return nil, err
	}
	k, n := len(p), len(p[0])
	w := make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	if k == 1 {
		return w, nil
	}
	s := solver{p: p, mix: make([]float64, n), grad: make([]float64, k), next: make([]float64, k),
		hess: mat.NewSymDense(k, nil)}
	for mu := 0.1; mu > 1e-11/float64(n*k); mu /= 5 {
		s.centre(w, mu)
	}
	sum := 0.0
	for i, x := range w {
		if x < 1e-10 { // the barrier keeps what should be 0 above it
			w[i], x = 0, 0
		}
		sum += x
	}
	for i := range w {
		w[i] /= sum
	}
	if gap := s.gap(w); !(gap <= 1e-6) {
		return nil, fmt.Errorf("the stacking weights did not converge: their log score may be %g "+
			"below the greatest", gap)
	}
	return w, nil
}

// ratios are the predictive densities of each observation, divided by their largest.
func ratios(elpd [][]float64) ([][]float64, error) {
	if len(elpd) == 0 || len(elpd[0]) == 0 {
		return nil, fmt.Errorf("stacking needs models and observations")
	}
	out := make([][]float64, len(elpd))
	for k := range elpd {
		if len(elpd[k]) != len(elpd[0]) {
			return nil, fmt.Errorf("stacking needs models of the same observations, and has %d and %d",
				len(elpd[0]), len(elpd[k]))
		}
		out[k] = make([]float64, len(elpd[k]))
	}
	for i := range elpd[0] {
		top := math.Inf(-1)
		for k := range elpd {
			top = math.Max(top, elpd[k][i])
		}
		for k := range elpd {
			x := math.Exp(elpd[k][i] - top)
			if math.IsNaN(x) {
				return nil, fmt.Errorf("the log predictive density of observation %d is not finite",
					i)
			}
			out[k][i] = x
		}
	}
	return out, nil
}

// A solver minimises f with a barrier.
type solver struct {
	p          [][]float64 // [model][observation]
	mix        []float64   // Σ_k w_k p_ik
	grad, next []float64
	hess       *mat.SymDense
}

// mixture computes mix at w.
func (s *solver) mixture(w []float64) {
	clear(s.mix)
	for k, row := range s.p {
		for i, x := range row {
			s.mix[i] += w[k] * x
		}
	}
}

// value is f with its barrier.
func (s *solver) value(w []float64, mu float64) float64 {
	s.mixture(w)
	sum, barrier := 0.0, 0.0
	for _, x := range s.mix {
		sum -= math.Log(x)
	}
	sum /= float64(len(s.mix))
	for _, x := range w {
		sum += x
		barrier -= math.Log(x)
	}
	return sum + mu*barrier
}

// centre minimises f with its barrier, from w.
func (s *solver) centre(w []float64, mu float64) {
	k, n := len(w), float64(len(s.mix))
	var chol mat.Cholesky
	var step mat.VecDense
	for range 50 {
		at := s.value(w, mu) // mix is at w
		for a := range k {
			sum := 0.0
			for i, x := range s.p[a] {
				sum += x / s.mix[i]
			}
			s.grad[a] = 1 - sum/n - mu/w[a]
			for b := range a + 1 {
				h := 0.0
				for i, x := range s.p[a] {
					h += x * s.p[b][i] / (s.mix[i] * s.mix[i])
				}
				h /= n
				if a == b {
					h += mu / (w[a] * w[a])
				}
				s.hess.SetSym(a, b, h)
			}
		}
		if !chol.Factorize(s.hess) || chol.SolveVecTo(&step, mat.NewVecDense(k, s.grad)) != nil {
			return
		}
		slope := 0.0
		long := 1.0 // the step stays inside w > 0
		for a := range k {
			d := step.AtVec(a)
			slope += d * s.grad[a]
			if d > 0 {
				long = math.Min(long, 0.95*w[a]/d)
			}
		}
		if slope < 1e-4*mu {
			return
		}
		for try := 0; ; try++ {
			for a := range k {
				s.next[a] = w[a] - long*step.AtVec(a)
			}
			if s.value(s.next, mu) <= at-0.1*long*slope {
				break
			}
			if long /= 2; try == 40 {
				return
			}
		}
		copy(w, s.next)
	}
}

// gap bounds how far the log score of the weights is below the greatest: that is concave, so
// that its greatest slope towards a single model bounds it.
func (s *solver) gap(w []float64) float64 {
	s.mixture(w)
	most := 0.0
	for _, row := range s.p {
		sum := 0.0
		for i, x := range row {
			sum += x / s.mix[i]
		}
		most = math.Max(most, sum)
	}
	return most - float64(len(s.mix))
}

package stacking

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat/distuv"
)

// randomScores are log densities of n normal observations under models that differ.
func randomScores(seed uint64, models, n int) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	means, sds := make([]float64, models), make([]float64, models)
	for k := range means {
		means[k], sds[k] = r.NormFloat64(), 0.5+r.Float64()
	}
	out := make([][]float64, models)
	for range n {
		y := r.NormFloat64() * 1.5
		for k := range out {
			out[k] = append(out[k], distuv.Normal{Mu: means[k], Sigma: sds[k]}.LogProb(y))
		}
	}
	return out
}

// score is Σ_i log Σ_k w_k exp(elpd[k][i]).
func score(elpd [][]float64, w []float64) float64 {
	sum := 0.0
	for i := range elpd[0] {
		mix := 0.0
		for k := range w {
			mix += w[k] * math.Exp(elpd[k][i])
		}
		sum += math.Log(mix)
	}
	return sum
}

// TestWeights holds the weights to a library's optimiser in the coordinates of softmax, and to
// the conditions of a maximum: no single model improves the mixture.
func TestWeights(t *testing.T) {
	for seed := range uint64(20) {
		models := 2 + int(seed%5)
		elpd := randomScores(seed, models, 30+int(seed)*20)
		w, err := Weights(elpd)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for k, x := range w {
			sum += x
			slope := 0.0
			for i := range elpd[0] {
				mix := 0.0
				for l := range w {
					mix += w[l] * math.Exp(elpd[l][i])
				}
				slope += math.Exp(elpd[k][i])/mix - 1
			}
			if slope > 1e-5 || x < 0 {
				t.Errorf("seed %d: weight %d is %g, and more of it adds %g", seed, k, x, slope)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("seed %d: the weights sum to %g", seed, sum)
		}
		softmax := func(x []float64) []float64 {
			w, sum := make([]float64, models), 0.0
			for k := range w {
				w[k] = math.Exp(x[k])
				sum += w[k]
			}
			for k := range w {
				w[k] /= sum
			}
			return w
		}
		best, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 {
			return -score(elpd, softmax(x))
		}},
			make([]float64, models), nil, &optimize.NelderMead{})
		if err != nil {
			t.Fatal(err)
		}
		if got := score(elpd, w); got < -best.F-1e-6 {
			t.Errorf("seed %d: the log score is %.9f, and the optimiser has %.9f",
				seed, got, -best.F)
		}
	}
}

// TestWeightsOfKnown tries models whose weights are known: the better of two everywhere has
// all, copies share, and one with a part of the observations each has that part.
func TestWeightsOfKnown(t *testing.T) {
	far := math.Log(1e-300)
	for _, c := range []struct {
		elpd [][]float64
		want []float64
	}{
		{[][]float64{{-1, -2, -3}}, []float64{1}},
		{[][]float64{{-1, -2, -3}, {-1.1, -2.5, -3.1}}, []float64{1, 0}},
		{[][]float64{{-1, -2, -3}, {-1, -2, -3}}, []float64{0.5, 0.5}},
		{[][]float64{{-1, far, far, far}, {far, -1, -2, -9}}, []float64{0.25, 0.75}},
		{[][]float64{{-1000, -5000}, {-1001, -6000}}, []float64{1, 0}},
	} {
		w, err := Weights(c.elpd)
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range c.want {
			if math.Abs(w[k]-x) > 1e-6 {
				t.Errorf("weights of %v: %v, expected %v", c.elpd, w, c.want)
			}
		}
	}
	for _, bad := range [][][]float64{nil, {{}}, {{1, 2}, {1}}, {{1, math.NaN()}, {1, 2}},
		{{math.Inf(-1)}, {math.Inf(-1)}}} {
		if w, err := Weights(bad); err == nil {
			t.Errorf("weights of %v are %v, expected an error", bad, w)
		}
	}
}

// TestPseudoBMA holds the weights to what they are for two observations, whose bootstrap
// weight u is uniform: the mean over u of 1/(1 + exp(−2 (u a + (1 − u) b))).
func TestPseudoBMA(t *testing.T) {
	a, b := 1.5, -0.4 // differences of elpd
	want, steps := 0.0, 100000
	for i := range steps {
		u := (float64(i) + 0.5) / float64(steps)
		want += 1 / (1 + math.Exp(-2*(u*a+(1-u)*b))) / float64(steps)
	}
	mean := 0.0
	for seed := range uint64(20) {
		w := PseudoBMA([][]float64{{-700, -300 + b}, {-700 - a, -300}}, seed)
		if math.Abs(w[0]+w[1]-1) > 1e-12 {
			t.Errorf("the weights %v do not sum to 1", w)
		}
		mean += w[0] / 20
	}
	if math.Abs(mean-want) > 0.008 { // six standard errors of 20,000 replications
		t.Errorf("the weight of the first is %.4f, expected %.4f", mean, want)
	}
}

package examples_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A posterior is a model with data whose posterior is known, and the scales
// from which the step and the length of every sampler are chosen, by rule and
// beforehand.
type posterior struct {
	name, model string
	inputs      map[string]any
	batch       int // of the minibatch runs: half of the rows; 0: the model has none
	order       string
	single      bool // compute in single precision
	// narrow is the least standard deviation of a coordinate, stiff that in any
	// direction, wide the greatest: in the chain's own coordinates.
	narrow, stiff, wide float64
	// modes multiplies the autocorrelation time where there is more than one.
	modes  float64
	center []float64 // of the posterior, in the model's coordinates: for the gradient's noise
	want   []expectation
}

// target is the model bound to the data.
func (p *posterior) target(t *testing.T) *model.Model {
	c := compile(t, p.model)
	if p.single {
		if err := c.ToSingle(); err != nil {
			t.Fatal(err)
		}
	}
	return onVM(t, c, jsonFile(t, p.inputs))
}

func at(i int) func([]float64) float64 { return func(d []float64) float64 { return d[i] } }

func squared(i int, mean float64) func([]float64) float64 {
	return func(d []float64) float64 { return (d[i] - mean) * (d[i] - mean) }
}

// withCovariance adds means and covariances of the coordinates from first on.
func (p *posterior) withCovariance(name string, first int, mean []float64, cov [][]float64) {
	for i, m := range mean {
		p.want = append(p.want,
			expectation{fmt.Sprintf("%s[%d]", name, i), at(first + i), m, math.Sqrt(cov[i][i])})
		for j := range i + 1 {
			p.want = append(p.want, expectation{fmt.Sprintf("cov %d %d", i, j),
				func(d []float64) float64 {
					return (d[first+i] - m) * (d[first+j] - mean[j])
				}, cov[i][j], math.Sqrt(cov[i][i]*cov[j][j] + cov[i][j]*cov[i][j])}) // of a normal
		}
	}
}

// regressions are the two posteriors of bayes_linreg.json.
func regressions(t *testing.T) []posterior {
	var truth struct {
		X     [][]float64
		Y     []float64
		Known struct {
			Mean []float64
			Cov  [][]float64
		} `json:"known_sigma"`
		NIG struct {
			Mean   []float64   `json:"beta_mean"`
			Cov    [][]float64 `json:"beta_cov"`
			Sigma2 struct{ Mean, SD float64 }
			Log    struct{ Mean, SD float64 } `json:"log_sigma"`
		} `json:"normal_inverse_gamma"`
	}
	loadTruth(t, "bayes_linreg.json", &truth)
	known := posterior{
		name: "known noise", model: "linear_regression", batch: 12, order: "replace",
		inputs: map[string]any{"X": truth.X, "y": truth.Y, "sigma": 0.7, "tau": 2},
		narrow: 0.145, stiff: 0.10, wide: 0.33, modes: 1, center: truth.Known.Mean,
	}
	known.withCovariance("beta", 0, truth.Known.Mean, truth.Known.Cov)
	nig := posterior{
		name: "unknown noise", model: "conjugate_regression", batch: 12, order: "replace",
		inputs: map[string]any{"X": truth.X, "y": truth.Y, "a0": 3, "b0": 1.5, "v0": 10},
		narrow: 0.15, stiff: 0.10, wide: 0.35, modes: 1,
		center: append([]float64{truth.NIG.Sigma2.Mean}, append(truth.NIG.Mean, 0)...),
	}
	nig.withCovariance("beta", 1, truth.NIG.Mean, truth.NIG.Cov)
	s2, ls := truth.NIG.Sigma2, truth.NIG.Log
	nig.want = append(nig.want,
		expectation{"sigma2", at(0), s2.Mean, s2.SD},
		expectation{"var sigma2", squared(0, s2.Mean), s2.SD * s2.SD, 0},
		expectation{"log sigma", at(4), ls.Mean, ls.SD},
		expectation{"var log sigma", squared(4, ls.Mean), ls.SD * ls.SD, 0})
	return []posterior{known, nig}
}

// binomials are the posteriors of beta_binomial.json.
func binomials(t *testing.T) []posterior {
	var truth struct {
		Cases []struct {
			A, B      float64
			PriorA    float64 `json:"prior_a"`
			PriorB    float64 `json:"prior_b"`
			N, K      int
			PostA     float64 `json:"post_a"`
			PostB     float64 `json:"post_b"`
			Mean, SD  float64
			Square    float64 `json:"E_sq"`
			Q5, Q95   float64
			LogitMean float64 `json:"logit_mean"`
			LogitSD   float64 `json:"logit_sd"`
		}
	}
	loadTruth(t, "beta_binomial.json", &truth)
	var out []posterior
	for _, c := range truth.Cases {
		// −d²/dz² log p = (a + b) θ (1 − θ) in the logit z: the stiffest of the bulk.
		curvature := 0.0
		for _, q := range []float64{c.Q5, c.Mean, c.Q95} {
			curvature = max(curvature, (c.PostA+c.PostB)*q*(1-q))
		}
		stiff := 1 / math.Sqrt(curvature)
		fourth := 1.0 // E θ⁴ of a beta, for the deviation of θ²
		for i := range 4 {
			fourth *= (c.PostA + float64(i)) / (c.PostA + c.PostB + float64(i))
		}
		modes := 1.0
		if tail := min(c.PostA, c.PostB); tail < 2 {
			// not of modes: the logit has a long straight tail
			modes = 2 / min(tail, 1)
		}
		out = append(out, posterior{
			name:   fmt.Sprintf("beta(%g, %g) %d of %d", c.PriorA, c.PriorB, c.K, c.N),
			model:  "beta_binomial",
			inputs: map[string]any{"n": c.N, "k": c.K, "a": c.PriorA, "b": c.PriorB},
			narrow: min(stiff, c.LogitSD), stiff: stiff, wide: c.LogitSD, modes: modes,
			want: []expectation{
				{"theta", at(0), c.Mean, c.SD},
				{"theta²", func(d []float64) float64 { return d[0] * d[0] }, c.Square,
					math.Sqrt(fourth - c.Square*c.Square)},
				{"logit", at(1), c.LogitMean, c.LogitSD},
				{"var logit", squared(1, c.LogitMean), c.LogitSD * c.LogitSD, 0},
			},
		})
	}
	return out
}

// mixtures are the densities of gaussian_mixture_1d.json and the posterior of
// the tied means. Chains on far cross from one mode to the other once in ten
// thousand units of time: runs of the usual length say something of x² alone,
// its last expectation, which is the same in both.
func mixtures(t *testing.T) (close, tied, three, far posterior) {
	type density struct {
		Weights, Means, SDs []float64
		Mean, Var           float64
		Negative            float64 `json:"P_lt_0"`
	}
	var truth struct {
		Three density
		Far   density `json:"far_two"`
		Close density `json:"close_two"`
		Tied  struct {
			X              []float64
			Theta1, Theta2 struct {
				Mean, SD float64
				Square   float64 `json:"mean_sq"`
			}
			Corr     float64
			Positive float64 `json:"P_theta2_gt_0"`
		} `json:"welling_teh_tied_mixture"`
	}
	loadTruth(t, "gaussian_mixture_1d.json", &truth)
	mixture := func(name string, d density, modes float64) posterior {
		narrow := d.SDs[0]
		for _, s := range d.SDs {
			narrow = min(narrow, s)
		}
		sd := math.Sqrt(d.Var)
		return posterior{
			name: name, model: "gaussian_mixture_1d",
			inputs: map[string]any{"weight": d.Weights, "mean": d.Means, "sd": d.SDs},
			narrow: narrow, stiff: narrow, wide: sd, modes: modes,
			want: []expectation{
				{"x", at(0), d.Mean, sd},
				{"var x", squared(0, d.Mean), d.Var, 0},
				{"x < 0", func(x []float64) float64 { return indicator(x[0] < 0) }, d.Negative,
					math.Sqrt(d.Negative * (1 - d.Negative))},
			},
		}
	}
	one, two := truth.Tied.Theta1, truth.Tied.Theta2
	tied = posterior{
		name: "tied means", model: "tied_means", batch: 50, order: "shuffle",
		inputs: map[string]any{"x": truth.Tied.X},
		narrow: one.SD, stiff: 0.13, wide: 0.86, modes: 4, center: []float64{one.Mean, two.Mean},
		want: []expectation{
			{"theta1", at(0), one.Mean, one.SD},
			{"var theta1", squared(0, one.Mean), one.SD * one.SD, 0},
			{"theta2", at(1), two.Mean, two.SD},
			{"var theta2", squared(1, two.Mean), two.SD * two.SD, 0},
			{"covariance", func(d []float64) float64 {
				return (d[0] - one.Mean) * (d[1] - two.Mean)
			}, truth.Tied.Corr * one.SD * two.SD, 0},
			{"theta2 > 0", func(d []float64) float64 { return indicator(d[1] > 0) },
				truth.Tied.Positive, 0},
		},
	}
	far = mixture("far two", truth.Far, 1)
	far.wide = 1 // of one mode
	far.want = append(far.want, expectation{"x²", squared(0, 0), truth.Far.Var, 0})
	return mixture("close two", truth.Close, 3), tied, mixture("three", truth.Three, 4), far
}

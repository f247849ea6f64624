package examples_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/native"
)

// A study is a model with what its simulation-based calibration is given; the
// rest is drawn. Seeds were fixed before the first run.
type study struct {
	kind, model string
	data        []string // files next to the models, of which only covariates and sizes are used
	sets        []string
	truth       bool   // chains start at the truth
	stuck       string // why ranks leave the bands; empty where they do not
	slow        bool   // not in the fast version
}

const calibrationSeed = 20261120

var studies = []study{
	{kind: "regression", model: "conjugate_regression", sets: []string{"N=20", "P=3"}},
	{kind: "logistic, sparse rows", model: "logistic", sets: []string{"N=50", "P=5"}},
	{kind: "hierarchical, non-centred", model: "eight_schools",
		data: []string{"eight_schools.json"}},
	{kind: "hierarchical, centred", model: "varying_intercepts",
		data: []string{"varying_intercepts.json"}, slow: true},
	{kind: "mixture, ordered", model: "two_normals", sets: []string{"N=30"}, slow: true,
		stuck: "the posterior has modes far apart, and a chain stays in the first it finds"},
	{kind: "the same from the truth", model: "two_normals", sets: []string{"N=30"}, truth: true,
		slow: true},
	{kind: "simplex", model: "dirichlet_categorical", sets: []string{"N=20", "K=4"}},
	{kind: "sphere", model: "vmf_posterior", sets: []string{"N=20", "D=3", "kappa0=2", "kappa=5"}},
	{kind: "Gaussian process", model: "gaussian_process", sets: []string{"N=12"}, slow: true},
	{kind: "survival, censored", model: "survival", sets: []string{"N=30", "P=2"}},
	{kind: "counts", model: "poisson_regression", sets: []string{"N=30", "P=2"}},
	{kind: "counts, mixture with a point", model: "zero_inflated", sets: []string{"N=30", "P=2"},
		slow: true},
	{kind: "truncated", model: "truncated", sets: []string{"N=20", "lo=-8", "hi=8"}, slow: true},
	{kind: "ordinal, cut points", model: "ordinal_regression", sets: []string{"N=40", "P=2", "K=4"},
		slow: true},
	{kind: "classes", model: "softmax_regression", sets: []string{"N=30", "P=2", "K=3"},
		slow: true},
	{kind: "covariance, inverse Wishart", model: "covariance", sets: []string{"N=20", "K=3"},
		slow: true},
	{kind: "correlated effects, LKJ", model: "correlated_effects", sets: []string{"N=80", "J=8"},
		slow:  true,
		stuck: "centred effects, many divergences: likely funnels whose neck the chain hardly enters"},
	{kind: "heavy tails", model: "robust_regression", sets: []string{"N=30"}, slow: true},
	{kind: "own distribution", model: "own_distribution", sets: []string{"N=20"}, slow: true},
}

func (s *study) name() string {
	if s.truth {
		return s.model + "-from-truth"
	}
	return s.model
}

// run calibrates a model, by the VM where there is no builder.
func (s *study) run(t *testing.T, replications int, build *native.Builder) *calibrate.Report {
	t.Helper()
	o := calibrate.DefaultOptions()
	o.Sets, o.Replications, o.Seed = s.sets, replications, calibrationSeed
	o.Native, o.FromTruth = build, s.truth
	for _, f := range s.data {
		o.Data = append(o.Data, filepath.Join("models", f))
	}
	test, diags, errs, err := calibrate.New(read(t, s.model), o)
	if test == nil {
		t.Fatal(diags, errs, err)
	}
	r, errs, err := test.Run(context.Background())
	if r == nil {
		t.Fatal(errs, err)
	}
	return r
}

// row is a line of the table in docs/calibration.md.
func (s *study) row(r *calibrate.Report) string {
	c := r.Calibration
	least, name, outside := calibrate.Float(2), "", []string{}
	for _, q := range c.Quantities {
		if q.P < least {
			least, name = q.P, q.Name
		}
		if !q.Inside {
			outside = append(outside, q.Name)
		}
	}
	var sizes []string
	for d, n := range r.Dims {
		sizes = append(sizes, fmt.Sprintf("%s = %d", d, n))
	}
	slices.Sort(sizes)
	verdict := "inside"
	if len(outside) > 0 || c.Verdict != calibrate.Passed {
		verdict = "outside: " + strings.Join(outside, ", ")
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %d | %d | %.2g (%s) | %d | %d | %s |", s.kind,
		s.model, strings.Join(sizes, ", "), c.Sampler,
		c.Replications, len(c.Quantities), float64(least), name, c.Short, c.Divergences, verdict)
}

// TestCalibration is the fast part of TestCalibrationStudies: few replications
// of the models that take little.
func TestCalibration(t *testing.T) {
	for i := range studies {
		if s := &studies[i]; !s.slow {
			t.Run(s.model, func(t *testing.T) {
				t.Parallel()
				if r := s.run(t, 20, nil); r.Verdict != calibrate.Passed {
					t.Error(calibrate.Text(r))
				}
			})
		}
	}
}

package typed

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// standard is a standard normal law on R² with its sum.
type standard struct{}

func (standard) Name() string { return "standard" }
func (standard) Dim() int     { return 2 }
func (standard) Blocks() []target.Block {
	return []target.Block{{Name: "x", Len: 2,
		Geometry: target.Geometry{Kind: "euclidean", Points: 2, Dim: 1}}}
}
func (standard) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{2}, Len: 2},
		{Name: "sum", Offset: 2, Len: 1, Track: true}}
}
func (standard) OutputLen() int                    { return 3 }
func (standard) Rows() int                         { return 0 }
func (standard) RowAxis() string                   { return "" }
func (standard) NewEvaluator(int) target.Evaluator { return standard{} }
func (standard) Gradient(x []float64, _ []int, _, _ float64, grad []float64) {
	for i, v := range x {
		grad[i] = -v
	}
}
func (standard) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return -0.5*x[0]*x[0] - 0.5*x[1]*x[1]
}
func (s standard) LogDensityGradient(
	x []float64, rows []int, scale, j float64, grad []float64,
) float64 {
	s.Gradient(x, rows, scale, j, grad)
	return s.LogDensity(x, rows, scale, j)
}
func (standard) Constrain(x, out []float64)               { copy(out, x); out[2] = x[0] + x[1] }
func (standard) Unconstrain(out, x []float64) error       { copy(x, out); return nil }
func (standard) LogLik(_ []float64, _ []int, _ []float64) {}

// TestSummarize holds summaries against the draws of the same run.
func TestSummarize(t *testing.T) {
	c := DefaultSettings()
	c.Sampler, c.Step, c.Chains, c.Warmup, c.Draws, c.Seed = "hmc", 0.4, 3, 50, 400, 5
	all, err := Collect(t.Context(), standard{}, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Keep{{}, {Entries: 16, Reservoir: 30},
		{MomentsOnly: true, Reservoir: 1000}} {
		s, err := Summarize(t.Context(), standard{}, c, k)
		if err != nil {
			t.Fatal(err)
		}
		rows := len(all.Health()) - 1 // R-hat, and one effective size for two
		if k.MomentsOnly {
			rows-- // R-hat alone, which cannot be computed
		}
		if s.Chains() != 3 || s.Len() != 400 || s.Kept() != min(k.Reservoir, 400) ||
			len(s.Health()) != rows {
			t.Errorf("%+v: %d chains of %d draws, %d kept", k, s.Chains(), s.Len(), s.Kept())
		}
		for chain := range s.Chains() {
			for i := range s.Kept() {
				d, err := s.Draw(chain, i)
				of, e := all.Draw(chain, d.Index)
				if err != nil || e != nil || d.Chain != chain ||
					!slices.Equal(d.Values, of.Values) {
					t.Fatalf("%+v: draw %d of chain %d is %+v", k, i, chain, d)
				}
			}
		}
		for i, x := range s.Mean() {
			if math.Abs(x-all.Mean()[i]) > 1e-13 {
				t.Errorf("%+v: mean %v, want %v", k, s.Mean(), all.Mean())
			}
		}
		for i, want := range all.Summary() {
			got := s.Summary()[i]
			if got.Name != want.Name || math.Abs(got.SD-want.SD) > 1e-12 || got.Count != 1200 {
				t.Errorf("%+v: %+v, want %+v", k, got, want)
			}
			if k.MomentsOnly {
				if !math.IsNaN(got.Quantile[2]) || !math.IsNaN(got.Rhat) {
					t.Errorf("%+v: %+v without a sketch", k, got)
				}
				continue
			}
			for j, q := range []float64{want.Q5, want.Q50, want.Q95} {
				if x := got.Quantile[[]int{0, 2, 4}[j]]; math.Abs(x-q) > 0.15*want.SD {
					t.Errorf("%+v: %s: quantile %v, of the draws %v", k, got.Name, x, q)
				}
			}
			if math.Abs(got.Rhat-want.Rhat) > 0.02 {
				t.Errorf("%+v: %s: R-hat %v, of the draws %v", k, got.Name, got.Rhat, want.Rhat)
			}
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Summarize(cancelled, standard{}, c, Keep{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if sketch.Entries(3) != sketch.SmallEntries || sketch.Entries(1e6) != sketch.DefaultEntries {
		t.Error("entries do not go by the size")
	}
}

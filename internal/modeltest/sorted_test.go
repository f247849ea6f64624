package modeltest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// sortedRows is so many that rows are arranged, and passes take chunks of the arrangement.
const sortedRows = 66_003

// TestSortedRows: minibatches of many rows have the posterior of full passes, where the file is
// sorted by the label or by a covariate. The chain forgets its state in some ten passes, so noise
// of minibatches cancels only if each pass has every row once.
func TestSortedRows(t *testing.T) {
	for name, x := range map[string]struct {
		text   string
		single bool
		bind   func() map[string]*data.Value
		step   float64
	}{
		"by label":     {text: sortedLogistic, bind: labelled, single: true, step: 1.4e-6},
		"by covariate": {text: sortedLine, bind: line, step: 2.5e-8},
	} {
		t.Run(name, func(t *testing.T) {
			of, diags := driver.Compile(source.New("m.sg", x.text), driver.Options{})
			if of == nil {
				t.Fatal(diags)
			}
			if x.single {
				if err := of.ToSingle(); err != nil {
					t.Fatal(err)
				}
			}
			bound, _, errs := data.Validate(&of.Spec.Schema, x.bind(), nil, data.Options{})
			if errs != nil {
				t.Fatal(errs[0])
			}
			m, err := of.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := columnsOf(t, m, chainOf("nuts", 300, 1000, 0))
			set := chainOf("sgld", 5000, 1200, 660)
			set.Step, set.Thin = x.step, 50
			got := columnsOf(t, m, set)
			for j := range got {
				have, truth := got[j:j+1], want[j:j+1]
				mean, sd := moments(have[0])
				trueMean, trueSD := moments(truth[0])
				z := (mean - trueMean) / math.Hypot(diagnose.MCSEMean(have), diagnose.MCSEMean(truth))
				u := (sd - trueSD) / math.Hypot(diagnose.MCSESD(have), diagnose.MCSESD(truth))
				says := fmt.Sprintf("coordinate %d: mean %.5f, not %.5f (z = %.1f); sd %.5f, not %.5f "+
					"(z = %.1f); %.0f effective draws", j, mean, trueMean, z, sd, trueSD, u,
					diagnose.ESSMean(have))
				if !(math.Abs(z) <= 4 && math.Abs(u) <= 4) {
					t.Error(says)
				}
				t.Log(says)
			}
		})
	}
}

const (
	sortedLogistic = "dim N, P\ndata x[N] : sparse real[P]\ndata y[N] : bool\n" +
		"param w[P] : real ~ normal(0, 10)\nfor n in N { y[n] ~ bernoulli_logit(x[n] @ w) }\n"
	sortedLine = "dim N\ndata x[N] : real\ndata y[N] : real\nparam a : real ~ normal(0, 10)\n" +
		"param b : real ~ normal(0, 10)\nfor n in N { y[n] ~ normal(a + b * x[n], 0.5) }\n"
)

// labelled are rows of ones in some of five columns, those without the label first.
func labelled() map[string]*data.Value {
	const columns = 5
	w := [columns]float64{1.5, -1, 0.5, -0.5, -1.5}
	r := rand.New(rand.NewPCG(6, 1))
	var of [2][][]int32
	for range sortedRows {
		var row []int32
		z := 0.0
		for j := range columns {
			if r.Float64() < 0.3 {
				row = append(row, int32(j))
				z += w[j]
			}
		}
		label := 0
		if r.Float64() < 1/(1+math.Exp(-z)) {
			label = 1
		}
		of[label] = append(of[label], row)
	}
	x := &data.CSR{Rows: sortedRows, Cols: columns, Indptr: []int{0}}
	y := make([]float64, 0, sortedRows)
	for label, rows := range of {
		for _, row := range rows {
			x.Index = append(x.Index, row...)
			x.Indptr = append(x.Indptr, len(x.Index))
			y = append(y, float64(label))
		}
	}
	return map[string]*data.Value{"x": data.Sparse(x), "y": data.Dense(y, sortedRows)}
}

// line are points near a line, from left to right, with residuals that bend it.
func line() map[string]*data.Value {
	r := rand.New(rand.NewPCG(6, 2))
	x, y := make([]float64, sortedRows), make([]float64, sortedRows)
	for i := range x {
		x[i] = 2*float64(i)/sortedRows - 1
		y[i] = 0.3 - 0.7*x[i] + 0.5*math.Sin(9*x[i]) + 0.5*r.NormFloat64()
	}
	return map[string]*data.Value{"x": data.Dense(x, sortedRows), "y": data.Dense(y, sortedRows)}
}

// columnsOf are the draws of a run, a list for each coordinate.
func columnsOf(t *testing.T, m *model.Model, c sampler.Config) [][]float64 {
	t.Helper()
	s := &columnSink{}
	if _, err := sampler.Run(context.Background(), m, c, s, sampler.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	return s.columns
}

// A columnSink keeps draws by coordinate.
type columnSink struct{ columns [][]float64 }

func (s *columnSink) Draw(_ int, _ int64, out []float64, _ *sampler.Stats) error {
	if s.columns == nil {
		s.columns = make([][]float64, len(out))
	}
	for j, x := range out {
		s.columns[j] = append(s.columns[j], x)
	}
	return nil
}
func (s *columnSink) Progress(sampler.Progress)    {}
func (s *columnSink) Checkpoint(int, []byte) error { return nil }

// moments are the mean and the standard deviation of draws.
func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(sd)
}

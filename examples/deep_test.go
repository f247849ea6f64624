package examples_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// deepTopics are four topics of 24 words that the documents of deep_factors are
// simulated from: each has six words of its own, and one word in ten is any.
func deepTopics() []float64 {
	phi := make([]float64, 4*24)
	for k := range 4 {
		for v := range 24 {
			phi[24*k+v] = 0.1 / 24
			if v/6 == k {
				phi[24*k+v] += 0.9 / 6
			}
		}
	}
	return phi
}

// deepDocuments simulates 80 documents, by the model itself: the first and the
// second topic come together, and so do the third and the fourth.
func deepDocuments(t *testing.T) []byte {
	t.Helper()
	truth := map[string]*data.Value{
		"phi": data.Dense(deepTopics(), 4, 24),
		"W1":  data.Dense([]float64{5, 0, 0, 4, 0, 0, 0, 5, 0, 0, 4, 1}, 4, 3),
		"W2":  data.Dense([]float64{3, -3, -3, 3, 0, 0}, 3, 2),
		"c1":  data.Dense([]float64{-2, -2, -2, -2}, 4),
		"c2":  data.Dense([]float64{0, 0, 0}, 3),
		"c3":  data.Dense([]float64{0, 0}, 2),
		"r":   data.Dense([]float64{0.6, 0.5, 0.7, 0.6}, 4),
	}
	out, diags, errs, err := driver.Simulate(read(t, "deep_factors"),
		driver.SimulateOptions{Sets: []string{"D=80", "V=24"}, Params: truth, Seed: seed})
	if err != nil || errs != nil || out == nil {
		t.Fatal(diags, errs, err)
	}
	for _, d := range out.Data {
		if d.Name == "x" {
			return driver.JSON([]driver.Named{d})
		}
	}
	t.Fatal("no counts")
	return nil
}

// TestDeepFactors: the example is in the one layout, and its file is what its
// model simulates.
func TestDeepFactors(t *testing.T) {
	src := read(t, "deep_factors")
	file, m := driver.Check(src, driver.Options{})
	for _, d := range m.Diags {
		t.Errorf("%s %s", d.Code, d.Message)
	}
	if p := ast.Print(file); p != src.Text {
		t.Errorf("deep_factors is not in the one layout, which is:\n%s", p)
	}
	path, text := filepath.Join("models", "deep_factors.json"), deepDocuments(t)
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != string(text) {
		t.Errorf("%s is not what this test makes; if that is meant, go test -run TestDeepFactors -update",
			path)
	}
}

// TestDeepFactorsRun: samplers by block with inner steps, as in the README except for less long,
// stay finite.
func TestDeepFactorsRun(t *testing.T) {
	c, diags := driver.Compile(read(t, "deep_factors"),
		driver.Options{Sampled: true, Charts: map[string]string{"phi": "expanded_mean"}})
	if c == nil {
		t.Fatal(diags)
	}
	m := onVM(t, c, filepath.Join("models", "deep_factors.json"))
	s := sampler.DefaultConfig()
	s.Sampler, s.Step, s.Friction, s.Seed, s.InitRadius = "msgnht", 0.01, 2, seed, 0.5
	phi := s.For("phi")
	phi.Sampler, phi.Step = "sgrld", new(0.02)
	s.Batch, s.InnerSteps, s.Chains, s.Warmup, s.Draws, s.Thin = 10, 4, 1, 20, 20, 1
	s.LocalOptions = target.LocalOptions{BurnIn: 5, Kept: 5}
	d, err := sampler.Collect(context.Background(), m, s, sampler.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Len(0); n != 20 {
		t.Fatalf("%d draws", n)
	}
	first, last := d.Draw(0, 0), d.Draw(0, 19)
	for i := range last {
		if math.IsNaN(last[i]) || math.IsInf(last[i], 0) || first[i] == last[i] {
			t.Errorf("number %d is %v at first and %v in the end", i, first[i], last[i])
		}
	}
}

// TestDeepFactorsComplete: at topics that are known, words of a document say
// which topics are in it, and so which words are left out of it.
func TestDeepFactorsComplete(t *testing.T) {
	c, diags := driver.Complete(read(t, "deep_factors"), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	row := func(counts map[int]int) []float64 {
		out := make([]float64, 24)
		for v, n := range counts {
			out[v] = float64(n)
		}
		return out
	}
	var bounds [2]*data.Bound
	for i, part := range []*driver.Compiled{c.Observed, c.Scored} {
		docs := append(row(map[int]int{0: 3, 1: 2, 5: 4}),
			row(map[int]int{12: 5, 13: 2, 16: 1, 17: 3})...)
		if i == 1 {
			docs = append(row(map[int]int{2: 1, 4: 2}), row(map[int]int{14: 1, 15: 1})...)
		}
		bound, _, errs := data.Validate(&part.Spec.Schema,
			map[string]*data.Value{"x": data.Dense(docs, 2, 24)}, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		bounds[i] = bound
	}
	known, all, err := c.Bind(bounds[0], bounds[1], driver.Recorded{})
	if err != nil {
		t.Fatal(err)
	}
	params := append(deepTopics(), make([]float64, 4*3+3*2+4+3+2)...)
	params = append(params, 0.6, 0.5, 0.7, 0.6)
	x := make([]float64, known.Dim())
	if err := known.Evaluator(1).Unconstrain(params, x); err != nil {
		t.Fatal(err)
	}
	out, seen := make([]float64, all.Width()), 0
	all.Evaluator(target.LocalOptions{BurnIn: 100, Kept: 100}, seed).Eval(x, 0, nil, out)
	for i, l := range out {
		if _, weight := all.Entry(i); weight > 0 {
			// With its topic alone a word has 0.154, without it 0.004.
			if seen++; !(l > math.Log(0.11) && l < math.Log(0.155)) {
				t.Errorf("word %d has the probability %.4f", i, math.Exp(l))
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d words were scored", seen)
	}
}

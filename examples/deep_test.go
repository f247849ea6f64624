package examples_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
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
		"r":   data.Dense([]float64{12, 8, 10, 9}, 4),
	}
	out, diags, errs, err := driver.Simulate(read(t, "deep_factors"), driver.SimulateOptions{Sets: []string{"D=80", "V=24"}, Params: truth, Seed: seed})
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
		t.Errorf("%s is not what this test makes; if that is meant, go test -run TestDeepFactors -update", path)
	}
}

// deepFactors is the example for minibatches, with topics on the chart of sgrld.
func deepFactors(t *testing.T) *model.Model {
	t.Helper()
	c, diags := driver.Compile(read(t, "deep_factors"), driver.Options{Sampled: true, Charts: map[string]string{"phi": "expanded_mean"}})
	if c == nil {
		t.Fatal(diags)
	}
	return onVM(t, c, filepath.Join("models", "deep_factors.json"))
}

// TestDeepFactorsFound: samplers by block with inner steps, as in the README but
// for less long, find the topics that the documents were simulated from.
func TestDeepFactorsFound(t *testing.T) {
	m := deepFactors(t)
	c := sampler.DefaultConfig()
	c.Sampler, c.Step, c.Friction, c.Seed, c.InitRadius = "msgnht", 0.02, 2, seed, 0.5
	phi := c.For("phi")
	phi.Sampler, phi.Step = "sgrld", new(0.02)
	c.Batch, c.InnerSteps, c.Chains, c.Warmup, c.Draws, c.Thin = 20, 4, 1, 600, 50, 4
	c.LocalOptions = target.LocalOptions{BurnIn: 5, Kept: 5}
	d, err := sampler.Collect(context.Background(), m, c, sampler.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The share of each topic that lies on each group of words.
	share := [4][4]float64{}
	n := d.Len(0)
	for i := range n {
		for at, p := range d.Draw(0, i)[:4*24] {
			share[at/24][at%24/6] += p / float64(n)
		}
	}
	found := [4]bool{}
	for k, s := range share {
		best := 0
		for g := range s {
			if s[g] > s[best] {
				best = g
			}
		}
		if found[best] || !(s[best] > 0.7) || math.IsNaN(s[best]) {
			t.Errorf("topic %d has the shares %.2f of the four groups of words", k, s)
		}
		found[best] = true
	}
}

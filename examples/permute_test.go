package examples_test

import (
	"context"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestPermuteEmbeddings: from random starts the clusters of embeddings have each of their names
// equally often. Without exchanges of labels a chain keeps the names that it has come to. The seed
// was set before any run.
func TestPermuteEmbeddings(t *testing.T) {
	m := onVM(t, compile(t, "embedding_mixture"), "models/embedding_mixture.json")
	weights := -1
	for _, o := range m.Outputs() {
		if o.Name == "pi" {
			weights = o.Offset
		}
	}
	largest := func(x []float64) int {
		pi := x[weights : weights+3]
		return slices.Index(pi, slices.Max(pi))
	}
	c := sampler.DefaultConfig()
	c.Chains, c.Draws, c.Seed = 4, 250, 11
	run := func() *sampler.Draws {
		d, err := sampler.Collect(context.Background(), m, c, loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	alone := run()
	for k := range alone.Chains {
		for i := range alone.Len(k) {
			if largest(alone.Draw(k, i)) != largest(alone.Draw(k, 0)) {
				t.Fatalf("chain %d exchanges its labels: the example shows nothing", k)
			}
		}
	}
	c.Permute = "K"
	d := run()
	for label := range 3 {
		of := func(x []float64) float64 {
			if largest(x) == label {
				return 1
			}
			return 0
		}
		// A label is the largest cluster's in a third of the draws, nearly independently.
		held(t, "largest cluster", d, of, 1./3, 0.12)
	}
	for _, r := range d.Health {
		if r.Statistic == "label_exchange" && !(r.Value > 0.999) {
			t.Errorf("%+v", r)
		}
	}
}

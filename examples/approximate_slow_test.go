//go:build slow

package examples_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestApproximateTable prints the table of bench/approximate.md: the methods of approximate and
// nuts, with 4,000 draws, on every reference posterior. No approximation that is called ok is
// wrong.
func TestApproximateTable(t *testing.T) {
	fmt.Print("| posterior | method | k | effective | verdict | mean off | sd ratio | gradients |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range referenceCases {
		r := &referenceCases[i]
		for _, method := range approximate.Names() {
			row, wrong := r.approximated(t, method)
			fmt.Println(row)
			if wrong != "" {
				t.Errorf("%s by %s: %s", r.model, method, wrong)
			}
		}
		m := r.target(t)
		c := sampler.DefaultConfig()
		c.Sampler, c.Seed = "nuts", 300+uint64(r.number)
		r.start(t, m, &c)
		d, err := sampler.Collect(context.Background(), m, c, sampler.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var o comparison
		if err := o.compare(m, d, loadReference(t, r.posterior)); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("| %s | nuts | | %.0f | | %.3f | %.3f | |\n", r.model, o.ess, o.err, o.ratio)
	}
}

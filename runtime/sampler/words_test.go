package sampler

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/scheme"
)

// checkCurvedWords: every word compiles, and a row that says it runs on curved
// spaces uses only flows that do.
func checkCurvedWords(t *testing.T) {
	for _, r := range Table {
		for _, s := range r.Schemes {
			steps, err := scheme.Compile(s)
			if err != nil {
				t.Errorf("%s %s: %v", r.Name, s.Name, err)
			}
			if r.Curved && scheme.NeedsFlat(steps) {
				t.Errorf("%s %s runs on curved spaces with a flow that needs a flat one", r.Name, s.Name)
			}
		}
	}
}

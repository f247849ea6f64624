//go:build slow

package examples_test

import "testing"

// TestDirichletAll: every law of dirichlet.json by gmc on the ilr chart, and on
// the sphere chart those whose density there is bounded.
func TestDirichletAll(t *testing.T) {
	for _, c := range dirichlets(t) {
		t.Run(c.Name+" on ilr", func(t *testing.T) { t.Parallel(); c.check(t, "ilr", 5000) })
		if c.onSphere() {
			t.Run(c.Name+" on sphere",
				func(t *testing.T) { t.Parallel(); c.check(t, "sphere", 5000) })
		}
	}
}

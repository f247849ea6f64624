package examples_test

import "testing"

// TestPosteriorsInSingle: in single precision the posteriors that are known
// come out within Monte Carlo error as well. The slow tests take minibatches.
func TestPosteriorsInSingle(t *testing.T) {
	for _, p := range []posterior{regressions(t)[1], binomials(t)[1]} {
		inSingle(t, p, false)
	}
}

func inSingle(t *testing.T, p posterior, minibatch bool) {
	p.single = true
	by := method{"msgnht", "split"}
	t.Run(p.label(by, minibatch), func(t *testing.T) {
		t.Parallel()
		p.check(t, by, minibatch)
	})
}

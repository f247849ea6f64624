package examples_test

import "testing"

// TestPosteriors is the part of the slow TestPosteriorGrid that takes a second
// each: one sampler on every kind of posterior, and each sampler somewhere.
func TestPosteriors(t *testing.T) {
	linear := regressions(t)
	binomial := binomials(t)
	close, _, _, _ := mixtures(t)
	for _, c := range []struct {
		p         posterior
		by        method
		minibatch bool
	}{
		{linear[0], method{"sghmc", "split"}, false},
		{linear[0], method{"msgnht", "split"}, false},
		{linear[1], method{"sgnht", "split"}, false},
		{linear[1], method{"msgnht", "split"}, false},
		{binomial[0], method{"sgnht", "euler"}, false},
		{binomial[1], method{"sgld", "euler"}, false},
		{binomial[1], method{"psgld", "euler"}, false},
		{binomial[2], method{"sghmc", "split"}, false},
		{binomial[5], method{"msgnht", "split"}, false},
		{close, method{"msgnht", "split"}, false},
	} {
		t.Run(c.p.label(c.by, c.minibatch), func(t *testing.T) {
			t.Parallel()
			c.p.check(t, c.by, c.minibatch)
		})
	}
}

func (p *posterior) label(by method, minibatch bool) string {
	s := p.name + "/" + by.sampler + "-" + by.scheme
	if minibatch {
		s += "/minibatch"
	}
	return s
}

package sampling

import (
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// gibbs reports whether a sampler by full conditionals is asked for.
func (c *Sample) gibbs() bool {
	for _, name := range c.Sampler {
		if row, ok := table.Lookup(name[strings.LastIndexByte(name, '=')+1:]); ok &&
			row.Conditionals {
			return true
		}
	}
	return false
}

// checkGibbs refuses flags that do not go with draws from full conditionals.
func (c *Sample) checkGibbs() error {
	if !c.gibbs() {
		return nil
	}
	const given = "--sampler gibbs draws from laws given all rows"
	switch {
	case c.Stream:
		return session.Usagef("--stream: %s, so they are read into memory; leave it out", given)
	case c.Surrogate:
		return session.Usagef("--surrogate: %s, and a surrogate stands for them; --sampler nuts", given)
	case c.Precision == run.Single:
		return session.Usagef("--precision f32: --sampler gibbs computes in f64")
	case len(c.HeldOut) > 0:
		return session.Usagef("--held-out: --sampler gibbs stores draws alone; `sgppl score RUN " +
			"--data …` says what they predict of other rows")
	case c.LogLik:
		return session.Usagef("--log-lik: --sampler gibbs stores draws alone; `sgppl loo RUN` " +
			"computes likelihoods of observations")
	}
	return nil
}

package sampling

import (
	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// checkStill refuses flags that a run of a model without params has no use for.
func (s *sampling) checkStill() error {
	switch {
	case !s.b.Still() && s.Generates:
		return session.Usagef("%s has params, whose draws come first: sgppl sample %s, then sgppl "+
			"generate with the directory of the run", s.b.Src.Name, s.b.Src.Name)
	case !s.b.Still():
		return nil
	}
	for _, x := range []struct {
		given bool
		flag  string
	}{
		{s.Stream, "stream"}, {s.Surrogate, "surrogate"}, {s.onDevice(), "device"},
		{s.Init != "", "init"}, {len(s.HeldOut) > 0, "held-out"}, {s.LogLik, "log-lik"},
		{len(s.Keep) > 0, "keep"}, {s.Reservoir > 0, "reservoir"},
	} {
		if x.given {
			return session.Usagef("--%s: %s has no params; a draw is what it tracks and generates, and "+
				"all of that is stored", x.flag, s.b.Src.Name)
		}
	}
	return nil
}

// generate computes the `generate` lines of a model without params, which are what its run is for.
func (c *Sample) generate(
	e *session.Session, b *session.Binding, dir string, r *run.Record,
) error {
	if !b.Still() || len(b.Compiled.Check.Generated()) == 0 {
		return nil
	}
	g := derived.Generation{Dir: dir, Seed: r.Settings.Seed, Threads: c.Threads, Force: true}
	return g.Store(e)
}

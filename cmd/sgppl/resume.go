package main

import (
	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// resumable are the flags that mean something with --resume: draws do not
// depend on them.
var resumable = map[string]bool{"resume": true, "threads": true, "engine": true, "progress": true}

// resume goes on with a run from its directory alone.
func (c *sampleCmd) resume(e *session.Session, ctx *kong.Context) error {
	for _, p := range ctx.Path {
		switch {
		case p.Flag != nil && !p.Resolved && !resumable[p.Flag.Name]:
			return session.Usagef("--%s does not go with --resume, which takes every setting from the run", p.Flag.Name)
		case p.Positional != nil:
			return session.Usagef("--resume takes the model from the run; leave %s away", c.Model)
		}
	}
	owes := false
	if r, err := run.Read(c.Resume); err == nil && r.Status == run.Done {
		if owes, err = session.OwesLoglik(c.Resume, r); err != nil {
			return err
		}
		if !owes {
			e.Tidy(c.Resume)
			e.Note("the run in %s is complete", c.Resume)
			return show.Finished(e, c.Resume)
		}
		e.Note("the draws in %s are complete; their log likelihoods, which --log-lik asked for, are computed now", c.Resume)
	}
	r, b, err := e.Reopen(c.Resume)
	if err != nil {
		return err
	}
	if owes {
		e.Tidy(c.Resume)
		if err := b.SaveLoglik(e, c.Resume, r, c.Threads); err != nil {
			return err
		}
		return show.Finished(e, c.Resume)
	}
	if c.Engine == "auto" && r.Engine == "vm" {
		c.Engine = "vm" // as it was begun
	}
	if err := b.Fits(r.Outline().Chains, c.Threads); err != nil {
		return err
	}
	eng, err := c.engine(e, b)
	if err != nil {
		return err
	}
	return c.sample(e, eng, b, c.Resume, r)
}

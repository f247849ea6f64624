package sampling

import (
	"slices"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// resumable are the flags that mean something with --resume: draws do not
// depend on them.
var resumable = map[string]bool{"resume": true, "threads": true, "engine": true, "progress": true,
	"more-draws": true, "serve": true, "open": true}

// resume goes on with a run from its directory alone.
func (c *Sample) resume(e *session.Session, ctx *commandline.Context) error {
	for _, p := range ctx.Path {
		switch {
		case p.Flag != nil && !p.Resolved && !resumable[p.Flag.Name]:
			return session.Usagef("--%s does not go with --resume, which takes every setting "+
				"from the run", p.Flag.Name)
		case p.Argument != nil:
			return session.Usagef("--resume takes the model from the run; leave %s away", c.Model)
		}
	}
	if c.MoreDraws != nil {
		if err := c.more(e); err != nil {
			return err
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
		e.Note("the draws in %s are complete; their log likelihoods, which --log-lik asked for, "+
			"are computed now", c.Resume)
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
	if err := b.Fits(r.Outline().Chains, c.Threads); err != nil {
		return err
	}
	eng, done, err := c.resumedEngine(e, b, r)
	if err != nil {
		return err
	}
	defer done()
	return c.sample(e, eng, b, c.Resume, r)
}

// more asks for more draws of a run that is complete.
func (c *Sample) more(e *session.Session) error {
	_, b, err := e.Reopen(c.Resume)
	if err != nil {
		return err
	}
	r, err := run.More(c.Resume, b.Target, *c.MoreDraws)
	if err != nil {
		return session.OwnStatus(err)
	}
	s := &r.Settings
	e.Note("the run in %s goes on from %d to %d draws of each chain", c.Resume,
		s.Draws-*c.MoreDraws, s.Draws)
	if r.Tuning != nil || slices.ContainsFunc(r.Chains, func(k run.Chain) bool {
		return k.Tuned != nil
	}) {
		e.Note("its settings were found for %d draws and stay; a new run of %d might find others",
			s.Begun, s.Draws)
	}
	return nil
}

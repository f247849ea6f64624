package sampling

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// surrogates are the flags of draws of a surrogate that are held against all rows.
type surrogates struct {
	Surrogate bool `help:"Of many rows: let nuts draw from a surrogate, which has the prior as it is, the likelihood to second order and some rows as they are; hold the draws against all rows in one pass, and refuse them where they cannot stand for the posterior." group:"Many rows"`
	Rows      *int `placeholder:"N" help:"With --surrogate: about how many rows it takes as they are, by their leverage (default ${surrogate_rows}; 0: none)." group:"Many rows"`
	Correct   int  `placeholder:"R" help:"With --surrogate: move each draw by R proposals of the surrogate, each tested against all rows: a pass each." group:"Many rows"`
	Accept    bool `name:"accept-approximation" help:"With --surrogate: keep draws that cannot stand for the posterior; summary says so in its first line." group:"Many rows"`
}

// checkSurrogate refuses what does not go with a surrogate.
func (s *sampling) checkSurrogate() error {
	c := s.Sample
	if !c.Surrogate {
		if c.Rows != nil || c.Correct != 0 || c.Accept {
			return session.Usagef("--rows, --correct and --accept-approximation are for --surrogate")
		}
		return nil
	}
	if c.Rows != nil && *c.Rows < 0 || c.Correct < 0 {
		return session.Usagef("--rows and --correct: at least 0")
	}
	for _, f := range []string{"batch", "full-batch", "anchor", "target-ess", "max-bias",
		"time", "passes", "follow", "step", "metric", "keep", "reservoir", "lp", "held-out",
		"save-warmup", "temperature", "batch-order", "dry"} {
		if given(s.ctx, f) {
			return session.Usagef("--%s: with --surrogate nuts takes the surrogate, and each draw is "+
				"stored when all are known", f)
		}
	}
	return nil
}

// onSurrogate settles the settings of a run that takes a surrogate.
func (s *sampling) onSurrogate() (err error) {
	if s.cfg.Sampler == "auto" {
		s.cfg.Sampler = "nuts"
	}
	if s.cfg.Sampler != "nuts" || len(s.cfg.Blocks) > 0 {
		return session.Usagef("--surrogate goes with --sampler nuts, for all params")
	}
	var refusal *surrogate.Refusal
	if err := surrogate.Suits(s.b.Target); errors.As(err, &refusal) {
		return session.Failf(session.ExitRun, "no surrogate stands for this posterior: %s",
			refusal.Why)
	}
	s.cfg.BlockRows, s.cfg.WindowBlocks = 0, 0 // of the stream; chains have no minibatches
	s.full, err = s.cfg.Resolve(surrogate.Like(s.b.Target))
	if err != nil {
		return session.Refused(err)
	}
	s.cfg = s.full
	return nil
}

// surrogateRecord is what the record says of a surrogate; nil without.
func (s *sampling) surrogateRecord() *run.Surrogate {
	if !s.Surrogate {
		return nil
	}
	out := &run.Surrogate{Rows: surrogate.DefaultRows, Correct: s.Correct, Accept: s.Accept}
	if s.Rows != nil {
		if out.Rows = *s.Rows; out.Rows == 0 {
			out.Rows = -1
		}
	}
	return out
}

// tellSurrogate notes how the run is sampled.
func (s *sampling) tellSurrogate() {
	rows := "no rows as they are"
	if n := s.surrogateRecord().Rows; n > 0 {
		rows = fmt.Sprintf("about %d of %d rows of %s as they are", n, s.b.Target.Rows(),
			s.b.Target.RowAxis())
	}
	s.e.Note("sampler nuts on a surrogate: the likelihood to second order, %s; then all rows at "+
		"the draws", rows)
}

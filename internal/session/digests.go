package session

import (
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// OpenRunDraws opens the draws of a run to read them, of the chains that run.Choose
// finds, and says so where the run has no digests to hold them against.
func (e *Session) OpenRunDraws(dir string, r *run.Record) (*trace.Store, *run.Chosen, error) {
	s, err := run.OpenDraws(dir, r)
	if err != nil {
		return nil, nil, notOpened(dir, r, err)
	}
	chosen, err := run.Choose(s, r, run.SummarisedAsDrawn(s))
	if err != nil {
		return nil, nil, OwnStatus(err)
	}
	if !s.Checked() {
		e.Note("the draws of %s have no digests, as an older version of sgppl wrote them: damage "+
			"would not be noticed", dir)
	}
	return s, chosen, nil
}

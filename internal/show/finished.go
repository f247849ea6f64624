package show

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Finished prints what a complete run gave.
func Finished(e *session.Session, dir string) error {
	if r, err := run.Read(dir); err == nil && r.Optimize != nil {
		if err := Found(e, dir, r, View{Limit: sampleRows, Words: ShownWords}); err != nil {
			return err
		}
		e.Note("the run is in %s", dir)
		return nil
	}
	s, err := ReadSummary(e, dir, View{Limit: sampleRows, Words: ShownWords})
	if err != nil {
		return session.Failf(session.ExitFiles,
			"the run in %s was whole, and cannot be read any more (has another process replaced it?): %v",
			dir, err)
	}
	if r, err := run.Read(dir); err == nil {
		tuned(e, r)
	}
	s.Warn(e)
	if err := s.Print(e.Stdout); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	e.Note("the run is in %s", dir)
	return nil
}

package session

import "github.com/sgppl/sgppl/runtime/results/run"

// NoteExactness notes that the draws of a run are approximate, where they are.
func (e *Session) NoteExactness(r *run.Record) {
	if r.Exactness != nil && r.Exactness.Method != "" {
		e.Note("%s", r.Exactness)
	}
}

package model

import "github.com/sgppl/sgppl/runtime/engine/model/column"

// A cold column is one whose rows are asked for before they are read into its buffer.
type cold struct {
	column column.Fetcher
	buffer *column.Buffer
}

// Fetches implements target.Fetcher.
func (e *Evaluator) Fetches(placed bool) bool {
	if e.m.streamed != nil || e.m.Spec.Chain != nil {
		return false
	}
	e.cold = nil
	for i, c := range e.m.columns {
		if f, is := c.(column.Fetcher); is && f.Cold(placed) {
			e.cold = append(e.cold, cold{f, &e.buffers[i]})
		}
	}
	return len(e.cold) > 0
}

// Coming implements target.Fetcher. Rows that a team shares are not asked for: half of them would
// come to the cache of another member, and meanwhile the others wait.
func (e *Evaluator) Coming(next, after []int) {
	if e.crew != nil && e.crew.spread {
		next, after = nil, nil
	}
	for _, c := range e.cold {
		c.column.Fetch(c.buffer, next, after)
	}
}

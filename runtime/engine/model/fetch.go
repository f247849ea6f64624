package model

import "github.com/sgppl/sgppl/runtime/engine/model/column"

// A cold column is one whose rows are asked for before they are read into its buffer.
type cold struct {
	column column.Fetcher
	buffer *column.Buffer
}

// Fetches implements target.Fetcher. Rows of a stream are told by their places in its pages.
func (e *Evaluator) Fetches(placed bool) bool {
	if e.m.Spec.Chain != nil {
		return false
	}
	e.fetches, e.placed = true, placed
	e.findCold()
	return len(e.cold) > 0 || e.m.streamed != nil
}

// findCold finds the columns whose rows are asked for.
func (e *Evaluator) findCold() {
	e.cold = e.cold[:0]
	columns, buffers := e.m.columns, e.buffers
	if e.m.Spec.Single && e.variate != nil {
		columns, buffers = e.m.doubles, e.variate.buffers
	}
	for i, c := range columns {
		if f, is := c.(column.Fetcher); is && f.Cold(e.placed) {
			e.cold = append(e.cold, cold{f, &buffers[i]})
		}
	}
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

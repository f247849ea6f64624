package model

import "github.com/sgppl/sgppl/runtime/engine/model/column"

// Fetches implements target.Fetcher.
func (e *Evaluator) Fetches() bool {
	if e.m.streamed != nil || e.m.Spec.Chain != nil {
		return false
	}
	e.cold = nil
	for _, c := range e.m.columns {
		if f, is := c.(column.Fetcher); is && f.Cold() {
			e.cold = append(e.cold, f)
		}
	}
	return len(e.cold) > 0
}

// Coming implements target.Fetcher.
func (e *Evaluator) Coming(next, after []int) {
	for _, c := range e.cold {
		c.Fetch(next, after)
	}
}

package model

import "github.com/sgppl/sgppl/runtime/engine/model/column"

// Coming implements target.Fetcher.
func (e *Evaluator) Coming(next, after []int) {
	if e.m.streamed != nil || e.m.Spec.Chain != nil {
		return
	}
	for _, c := range e.m.columns {
		if f, is := c.(column.Fetcher); is {
			f.Fetch(next, after)
		}
	}
}

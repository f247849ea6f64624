package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
)

// order gives the arrangement in which columns may lay out rows for minibatches. It is nil for few
// rows, and for a stream once its model is bound. A page of a stream may have one, which is not
// used: places of its rows are those in the page.
func (m *Model) order() func() *batch.Arrangement {
	if m.streamed != nil || !batch.Arranges(m.rows) {
		return nil
	}
	return sync.OnceValue(func() *batch.Arrangement { return batch.Arrange(m.rows) })
}

// arranged are the rows of a minibatch with the places where they lie.
type arranged struct{ rows, places, soon []int }

// Lie implements target.Fetcher.
func (e *Evaluator) Lie(rows, places, soon []int) { e.arranged = arranged{rows, places, soon} }

// of returns the places of rows from start on of a list, and some that are read soon; none unless
// the list is the one whose places are known.
func (a *arranged) of(list []int, start, count int) (places, soon []int) {
	if len(a.places) == 0 || len(list) != len(a.rows) || &list[0] != &a.rows[0] {
		return nil, nil
	}
	end := start + count
	return a.places[start:end], a.soon[min(start, len(a.soon)):min(end, len(a.soon))]
}

package session

import (
	"maps"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/results/run"
)

func cannot(err error) error {
	return Failf(ExitData, "new levels cannot be predicted: %v; leave out --new-levels "+
		"to be told which rows have them", err)
}

// NewLevels prepares draws of the unknowns of levels that a binding has and the run has not; nil
// where there are none.
func NewLevels(e *Session, b *Binding, r *run.Record) (*driver.NewLevels, error) {
	if len(b.Bound.NewLevels) == 0 {
		return nil, nil
	}
	for _, dim := range slices.Sorted(maps.Keys(b.Bound.NewLevels)) {
		if err := b.Compiled.Tied(dim); err != nil {
			return nil, cannot(err)
		}
	}
	l, err := driver.NewLevelsOf(b.Src, driver.Options{Set: Numbers(r.Set), RowDim: r.RowDim},
		b.Target.Spec, b.Bound)
	if err != nil {
		return nil, cannot(err)
	}
	e.Note("of new levels %s is drawn from its prior, given the draws of what levels share",
		l.Params())
	return l, nil
}

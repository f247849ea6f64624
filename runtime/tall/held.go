package tall

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/batch"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
)

// holds is how many rows an evaluator should have in memory at a time, of a target that
// reads its rows as they are needed: as many as a page of theirs has. It is 0 of targets
// whose rows are all in memory.
func holds(t target.Target) int {
	block, window, streams := target.StreamOf(t)
	if !streams {
		return 0
	}
	return max(block*window, 1)
}

// holdRows has an evaluator read rows of a stream; the list is sorted, and changed.
func holdRows(e target.Evaluator, rows []int) error {
	slices.Sort(rows)
	if err := e.(target.RowHolder).Hold(slices.Compact(rows)); err != nil {
		return &sampler.RowsError{Err: err}
	}
	return nil
}

// some is the target of some of the rows of t, drawn without replacement, each in place of
// weight of them. It has all that in memory.
func some(t target.Target, size int, weight float64, stream rng.Stream) (target.Target, error) {
	rows := batch.Some(t.Rows(), size, stream)
	if holds(t) == 0 {
		return sampler.Subset(t, rows, weight), nil
	}
	sorted := slices.Clone(rows)
	slices.Sort(sorted)
	part, err := t.(target.Parted).Part(sorted)
	if err != nil {
		return nil, &sampler.RowsError{Err: err}
	}
	places := make([]int, len(rows))
	for i, r := range rows {
		places[i], _ = slices.BinarySearch(sorted, r)
	}
	return sampler.Subset(part, places, weight), nil
}

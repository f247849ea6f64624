package pick

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// AtOnce returns how many rows an evaluator should have in memory at a time, for a target that
// reads rows when they are needed: the rows of one page. It is 0 for targets whose rows are all in
// memory.
func AtOnce(t target.Target) int {
	block, window, streams := target.StreamOf(t)
	if !streams {
		return 0
	}
	return max(block*window, 1)
}

// Hold has an evaluator read rows of a stream into memory. It sorts rows in place.
func Hold(e target.Evaluator, rows []int) error {
	slices.Sort(rows)
	if err := e.(target.RowHolder).Hold(slices.Compact(rows)); err != nil {
		return &sampler.RowsError{Err: err}
	}
	return nil
}

// Some returns a target with some of the rows of t, drawn without replacement, each with the given
// weight. All of its rows are in memory.
func Some(t target.Target, size int, weight float64, stream rng.Stream) (target.Target, error) {
	rows := batch.Some(t.Rows(), size, stream)
	if AtOnce(t) == 0 {
		return target.NewSubset(t, rows, weight), nil
	}
	sorted := slices.Clone(rows)
	slices.Sort(sorted)
	of, err := Part(t, sorted)
	if err != nil {
		return nil, err
	}
	return target.NewSubset(of, Places(sorted, rows), weight), nil
}

// Part returns a target with the given rows of a stream, in memory. The rows are sorted.
func Part(t target.Target, rows []int) (target.Target, error) {
	of, err := t.(target.Parted).Part(rows)
	if err != nil {
		return nil, &sampler.RowsError{Err: err}
	}
	return of, nil
}

// Places returns the index of each row in a sorted list that contains it.
func Places(sorted, rows []int) []int {
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i], _ = slices.BinarySearch(sorted, r)
	}
	return out
}

package array

import (
	"fmt"
	"math"
	"slices"
)

// Ragged returns an array of nested lists whose lengths differ. v has the entries of the innermost
// lists, one list after another. lists[k] has the lengths of all lists at depth k, in order. So
// lists[0] is one number, and lists[1] has that many entries. The value shares both slices.
//
// [[1, 2], [], [3]] is Ragged([]float64{1, 2, 3}, [][]int{{3}, {2, 0, 1}}).
func Ragged(v []float64, lists [][]int) *Value {
	out := &Value{F64: v, Lists: lists, Shape: make([]int, len(lists))}
	for k, level := range lists {
		for _, n := range level {
			out.Shape[k] = max(out.Shape[k], n)
		}
	}
	return out
}

// ListsDefect returns a message on list lengths that contradict each other or the entries, or ""
// if none do.
func (v *Value) ListsDefect() string {
	if len(v.Lists) != len(v.Shape) || v.Bytes != nil || v.CSR != nil {
		return "has lists beside other storage, or as many as no axes"
	}
	want := 1
	for k, level := range v.Lists {
		if len(level) != want {
			return fmt.Sprintf("has %d lists %d deep, where the lists around them hold %d",
				len(level), k, want)
		}
		want = 0
		for _, n := range level {
			if n < 0 || n > math.MaxInt-want {
				return fmt.Sprintf("has a list of %d entries", n)
			}
			want += n
		}
	}
	if want != len(v.F64) {
		return fmt.Sprintf("has %d entries, where its lists hold %d", len(v.F64), want)
	}
	return ""
}

// Levels returns the lengths of all lists at each depth. An array that is not ragged has equal
// lengths.
func (v *Value) Levels() [][]int {
	if v.Lists != nil {
		return v.Lists
	}
	out, lists := make([][]int, len(v.Shape)), 1
	for k, n := range v.Shape {
		out[k] = slices.Repeat([]int{n}, lists)
		lists *= n
	}
	return out
}

// PathOf returns the path of list i at depth k: the index within each list that encloses it.
func PathOf(levels [][]int, k, i int) []int {
	path := make([]int, k)
	for k > 0 {
		k--
		around := 0
		for i >= levels[k][around] {
			i -= levels[k][around]
			around++
		}
		path[k], i = i, around
	}
	return path
}

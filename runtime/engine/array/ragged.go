package array

import (
	"fmt"
	"math"
	"slices"
)

// Ragged makes an array of lists in lists whose lengths differ. v has the
// entries of the innermost lists, one list after the other; lists[k] has the
// lengths of all lists that lie within k others, in order, so lists[0] is one
// number, lists[1] has that many, and so on. It keeps both.
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

// ListsDefect says how lists contradict themselves or the entries; "" when they
// do not.
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

// Levels are the lengths of lists by level, of arrays too.
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

// PathOf is where list i of a level stands: an index for each list around it.
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

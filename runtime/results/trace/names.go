package trace

import (
	"iter"
	"strconv"
	"strings"
)

// Elements yields the name of every element of a draw of v, row-major and
// counted from 0: "mu", "w[0]", "w[0,1]".
func (v Variable) Elements() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		index := make([]int, len(v.Shape))
		for i := range v.Len() {
			if !yield(i, v.element(index, "[", ",", "]", 0)) {
				return
			}
			for k := len(index) - 1; k >= 0; k-- {
				if index[k]++; index[k] < v.Shape[k] {
					break
				}
				index[k] = 0
			}
		}
	}
}

// ElementName is the name of element i, as Elements yields it.
func (v Variable) ElementName(i int) string {
	index := make([]int, len(v.Shape))
	for k := len(index) - 1; k >= 0; k-- {
		i, index[k] = i/v.Shape[k], i%v.Shape[k]
	}
	return v.element(index, "[", ",", "]", 0)
}

// columnMajor yields the elements as Stan orders them, the first index
// fastest, each with its row-major position.
func (v Variable) columnMajor(open, sep, end string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		index := make([]int, len(v.Shape))
		for range v.Len() {
			at := 0
			for k, i := range index {
				at = at*v.Shape[k] + i
			}
			if !yield(at, v.element(index, open, sep, end, 1)) {
				return
			}
			for k := range index {
				if index[k]++; index[k] < v.Shape[k] {
					break
				}
				index[k] = 0
			}
		}
	}
}

func (v Variable) element(index []int, open, sep, end string, origin int) string {
	if len(index) == 0 {
		return v.Name
	}
	var b strings.Builder
	b.WriteString(v.Name)
	for k, i := range index {
		if k == 0 {
			b.WriteString(open)
		} else {
			b.WriteString(sep)
		}
		b.WriteString(strconv.Itoa(i + origin))
	}
	b.WriteString(end)
	return b.String()
}

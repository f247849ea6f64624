package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// spread converts lists of indices to rows of zeros and ones. The result is packed cells: the rows
// of a CSR matrix if the input is sparse, else bytes. A row that is given as zeros and ones is an
// error, because its indices 0 and 1 repeat.
func (c *checker) spread(n *nest, cells, width int) *array.Value {
	out := &array.Value{Shape: []int{cells, width}, Canonical: true, Origin: n.v.Origin}
	lists, from := n.levels[n.head], float64(n.in.From)
	list, at := n.v.Floats(), 0
	var wrong problem.List
	m := &array.CSR{Rows: cells, Cols: width, Indptr: make([]int, 1, cells+1)}
	if total, ok := array.Product(out.Shape); width > math.MaxInt32 ||
		!n.in.Sparse && (!ok || total > maxDense) {
		c.fail(c.at(n.in, n.v, -1, "D0128",
			fmt.Sprintf("%s takes %d × %d entries: they are too many", n.in.Name, cells, width)))
		return nil
	}
	row := make([]int32, 0, 64)
	if !n.in.Sparse {
		// A list of one index may claim any width, so memory is checked first.
		what := fmt.Sprintf("%s, %d × %d entries,", n.in.Name, cells, width)
		if err := memory.FitsNow(float64(cells)*float64(width), what); err != nil {
			c.fail(c.at(n.in, n.v, -1, "D0164", err.Error()))
			return nil
		}
		out.Bytes = &array.Bytes{Code: make([]uint8, cells*width), Level: array.PlainLevels}
	}
	for i, k := range lists {
		row = row[:0]
		for j, x := range list[at : at+k] {
			say := func(code, what string) {
				wrong.Add(func() *problem.Error {
					path := append(array.PathOf(n.levels, n.head, i), j)
					return c.at(n.in, n.v, first(path), code, pathText(n.in.Name, path)+" "+what)
				})
			}
			switch {
			case x != x:
				say("D0131", fmt.Sprintf("is missing (NaN), but %s lists the indices that are on",
					n.in.typeName()))
			case x != math.Trunc(x):
				say("D0133", fmt.Sprintf("is %s, but %s lists the indices that are on",
					problem.Number(x), n.in.typeName()))
			case x < from || x >= from+float64(width):
				say("D0130", fmt.Sprintf("is %s, but %s lists the indices that are on, %s",
					problem.Number(x), n.in.typeName(), between(n.in.From, width)))
			default:
				row = append(row, int32(x-from))
			}
		}
		if slices.Sort(row); repeats(row) {
			c.twice(&wrong, n, i, list[at:at+k])
		}
		at += k
		if out.Bytes != nil {
			for _, j := range row {
				out.Bytes.Code[i*width+int(j)] = 1
			}
			continue
		}
		m.Index = append(m.Index, row...)
		m.Indptr = append(m.Indptr, len(m.Index))
	}
	if wrong.Count > 0 {
		errs := wrong.Done("entries of " + n.in.Name)
		if n.v.Lists == nil && n.v.Shape[n.head] == width && zeroOnes(list) {
			errs[0].Notes = append(errs[0].Notes, "rows of 0 and 1 are declared without from")
		}
		c.errs = append(c.errs, errs...)
		return nil
	}
	if out.Bytes == nil {
		out.CSR = m
	}
	return out
}

// repeats reports whether a sorted list has two equal entries.
func repeats(sorted []int32) bool {
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return true
		}
	}
	return false
}

// twice reports each number that repeats in list i. Its memory grows with the list and not with
// the width of the input.
func (c *checker) twice(wrong *problem.List, n *nest, i int, list []float64) {
	seen := map[float64]bool{}
	for j, x := range list {
		if seen[x] {
			wrong.Add(func() *problem.Error {
				path := append(array.PathOf(n.levels, n.head, i), j)
				return c.at(n.in, n.v, first(path), "D0130", fmt.Sprintf(
					"%s is %s once more, but %s lists each index that is on once",
					pathText(n.in.Name, path), problem.Number(x), n.in.typeName()))
			})
		}
		seen[x] = true
	}
}

func zeroOnes(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return x != 0 && x != 1 })
}

func first(path []int) int {
	if len(path) > 1 {
		return path[0]
	}
	return -1
}

// between returns the text of a range of indices.
func between(from, width int) string {
	if width == 0 {
		return "and there is none"
	}
	return fmt.Sprintf("from %d to %d", from, from+width-1)
}

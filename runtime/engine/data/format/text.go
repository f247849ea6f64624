package format

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readText reads a matrix of numbers between blanks, one row a line, as numpy.savetxt writes it;
// text after # is a comment. One column is a vector.
func readText(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "text")
	in := newLineReader(r)
	var v []float64
	var rows rowLines
	var wrong problem.List
	cols := 0
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t, []*problem.Error{t.readError(in.line, err)}
		}
		if k := bytes.IndexByte(line, '#'); k >= 0 {
			line = line[:k]
		}
		n := 0
		for i := skipBlank(line, 0); i < len(line); n++ {
			end := i
			for !blankAt(line, end) {
				end++
			}
			x, size := Decimal(line[i:end])
			ok := size == end-i && !math.IsInf(x, 0)
			if !ok && size == 0 {
				if x, ok = Word(line[i:end]); !ok && lower(line[i:end]) == "na" {
					x, ok = math.NaN(), true
				}
			}
			if !ok {
				wrong.Add(func() *problem.Error {
					what := " is no number"
					if size == end-i {
						what = " is beyond the range of float64"
					}
					return t.Fail(in.line, columnOf(line, i), "D0106", quoted(line[i:end])+what)
				})
			}
			v = append(v, x)
			i = skipBlank(line, end)
		}
		if n == 0 {
			continue
		}
		rows.add(in.line)
		if rows.rows == 1 {
			cols = n
		} else if n != cols {
			wrong.Add(func() *problem.Error {
				return t.Fail(in.line, 0, "D0107",
					fmt.Sprintf("the row has %s, but the rows before it have %d",
						problem.Counted(n, "number"), cols))
			})
		}
	}
	if wrong.Count > 0 {
		return t, wrong.Done("mistakes")
	}
	if rows.rows == 0 {
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "holds no rows")}
	}
	shape := []int{rows.rows, cols}
	if cols == 1 {
		shape = shape[:1]
	}
	t.one = &array.Value{Shape: shape, F64: v,
		Origin: &array.Origin{File: file, First: rows.first, Lines: rows.lines}}
	return t, nil
}

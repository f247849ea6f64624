package data

import (
	"bytes"
	"io"

	"github.com/sgppl/sgppl/runtime/parquet"
)

// readParquet reads the columns of a Parquet file. As in tables of text, columns
// name.0, name.1, … are one vector.
func readParquet(file string, r io.Reader) (*Table, []*Error) {
	t := newTable(file, "parquet")
	b, err := io.ReadAll(r)
	if err != nil {
		return t, []*Error{t.readError(0, err)}
	}
	f, err := parquet.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return t, []*Error{t.fail(0, 0, "D0162", err.Error())}
	}
	names, columns, problems := numericColumns(f)
	c := newCells(t, names, f.Rows())
	for g := range f.Groups {
		for k, column := range columns {
			x, err := f.Read(g, column)
			if err != nil {
				return t, []*Error{t.fail(0, 0, "D0162", err.Error())}
			}
			c.column(k, x)
		}
	}
	c.rows.rows = f.Rows()
	if c.rows.rows == 0 {
		return t, []*Error{t.fail(0, 0, "D0103", "holds no rows")}
	}
	c.finish()
	for name, what := range problems {
		t.Fields = append(t.Fields, name)
		t.errs[name] = []*Error{t.fail(0, 0, "D0162", "column "+name+" "+what)}
	}
	if len(problems) > 0 {
		all := t.matrix
		t.matrix = func() (*Value, []*Error) {
			v, errs := all()
			for _, name := range sortedKeys(problems) {
				errs = append(errs, t.errs[name]...)
			}
			return v, errs
		}
	}
	return t, nil
}

// numericColumns are the columns of numbers, with their places in the file, and
// what is wrong with the others.
func numericColumns(f *parquet.File) (names []string, columns []int, problems map[string]string) {
	problems = map[string]string{}
	for i, c := range f.Columns {
		if c.Problem != "" {
			problems[c.Name] = c.Problem
			continue
		}
		names, columns = append(names, c.Name), append(columns, i)
	}
	return names, columns, problems
}

// newCells makes a reader of columns that come as numbers.
func newCells(t *Table, names []string, rows int) *csvReader {
	c := &csvReader{t: t, header: names}
	c.fields, c.place = layout(names)
	for _, f := range c.fields {
		f.data = make([]float64, 0, min(rows, 1<<20)*f.width)
	}
	return c
}

// column appends a part of column k; those of one field come one after the other.
func (c *csvReader) column(k int, x []float64) {
	p := &c.place[k]
	f := p.field
	if f.next == nil {
		f.next = make([]int, f.width)
	}
	from := f.next[p.at]
	f.next[p.at] += len(x)
	if need := f.next[p.at] * f.width; need > len(f.data) {
		f.data = append(f.data, make([]float64, need-len(f.data))...)
	}
	for i, v := range x {
		f.data[(from+i)*f.width+p.at] = v
	}
}

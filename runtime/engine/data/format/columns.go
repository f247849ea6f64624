package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A ColumnFile is an open file of columns, in a format that takes more than the
// standard library to read, such as Parquet. Package parquet of this module opens
// those.
type ColumnFile interface {
	// Rows is how many rows there are.
	Rows() int
	// Columns are those of the file, in its order.
	Columns() []Column
	// Read hands out the rows of some columns, by their numbers, in order and a few
	// thousand at a time: x[k] are entries of columns[k], NaN where one is missing,
	// and good until take returns. text returns the entry for a cell of columns[k],
	// a column of text. Read's errors are *Error, for mistakes in single values, and say
	// else what is wrong with the file.
	Read(columns []int, text func(k, row int, cell []byte) float64,
		take func(x [][]float64) error) error
}

// A Column of a ColumnFile.
type Column struct {
	Name    string
	Problem string // why it cannot be read; "" where it can
	Text    bool   // its cells are texts
}

// OpenColumns opens a file of size bytes.
type OpenColumns func(r io.ReaderAt, size int64) (ColumnFile, error)

// columnFormats has what packages registered.
var columnFormats = map[string]OpenColumns{}

// RegisterColumns has files of a format read by columns. It is for the init
// functions of packages that read one; a format that is registered twice panics.
func RegisterColumns(format string, open OpenColumns) {
	if columnFormats[format] != nil {
		panic("data: " + format + " is registered twice")
	}
	columnFormats[format] = open
}

// openColumns opens a file in such a format.
func openColumns(file, format string, r io.ReaderAt, size int64) (ColumnFile, *problem.Error) {
	t := NewTable(file, format)
	open := columnFormats[format]
	if isTable(format) {
		open = openTable
	}
	if open == nil {
		e := t.Fail(0, 0, "D0163", "this program has no reader of "+format)
		e.Notes = []string{fmt.Sprintf("a Go program has one that imports _ %q; the command sgppl does",
			"github.com/sgppl/sgppl/"+format)}
		return nil, e
	}
	f, err := open(r, size)
	if err != nil {
		return nil, t.columnError(err)
	}
	return f, nil
}

// columnError is an error of a file of columns.
func (t *Table) columnError(err error) *problem.Error {
	var own *problem.Error
	if errors.As(err, &own) {
		e := *own
		e.File = t.File
		return &e
	}
	return t.Fail(0, 0, "D0162", err.Error())
}

// readColumns returns the reader of files of a format of columns. It finds the columns of a
// file, which are read when they are asked for. As in tables of text, columns name.0,
// name.1, … are one vector.
func readColumns(format string) func(string, io.Reader) (*Table, []*problem.Error) {
	return func(file string, r io.Reader) (*Table, []*problem.Error) {
		t := NewTable(file, format)
		c := &columnTable{t: t}
		info, err := os.Stat(file)
		if err == nil && info.Mode().IsRegular() && !isCompressed(file) {
			c.info = info
		} else if c.all, err = io.ReadAll(r); err != nil {
			return t, []*problem.Error{t.readError(0, err)}
		}
		return t, c.begin()
	}
}

// begin reads the head, and offers the columns as fields.
func (c *columnTable) begin() []*problem.Error {
	if e := c.open(c.head); e != nil {
		return []*problem.Error{e}
	}
	if c.rows == 0 {
		return []*problem.Error{c.t.Fail(0, 0, "D0103", "holds no rows")}
	}
	c.offer()
	return nil
}

func isCompressed(path string) bool {
	_, is := Compressed(path)
	return is
}

// A columnTable reads fields from a file of columns.
type columnTable struct {
	t    *Table
	info os.FileInfo // of the file; nil where all is in memory
	all  []byte
	// what opened all, where it is in memory
	opened ColumnFile

	rows    int
	columns []Column
	numbers []int // the columns that can be read
	fields  []*csvField
	place   []cell // by place in numbers
}

// open opens the file for as long as use takes.
func (c *columnTable) open(use func(f ColumnFile) *problem.Error) *problem.Error {
	if c.info == nil {
		if c.opened == nil {
			f, e := openColumns(c.t.File, c.t.Format, bytes.NewReader(c.all), int64(len(c.all)))
			if e != nil {
				return e
			}
			c.opened = f
		}
		return use(c.opened)
	}
	in, err := disk.OpenRegular(c.t.File)
	if err != nil {
		return c.t.Fail(0, 0, "D0101", "cannot be opened: "+reason(err))
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || info.Size() != c.info.Size() || !info.ModTime().Equal(c.info.ModTime()) {
		return c.t.Fail(0, 0, "D0158", "changed while it was read")
	}
	f, e := openColumns(c.t.File, c.t.Format, in, info.Size())
	if e != nil {
		return e
	}
	return use(f)
}

func (c *columnTable) head(f ColumnFile) *problem.Error {
	var names []string
	c.rows, c.columns = f.Rows(), f.Columns()
	for i, col := range c.columns {
		if col.Problem == "" {
			names, c.numbers = append(names, col.Name), append(c.numbers, i)
		}
	}
	c.fields, c.place = layout(names)
	if t, is := f.(*sgTable); is {
		c.t.Notes = append(c.t.Notes, t.notes...)
	}
	return nil
}

// offer makes the fields.
func (c *columnTable) offer() {
	t := c.t
	columns := make(map[*csvField][]int, len(c.fields))
	for k, p := range c.place {
		columns[p.field] = append(columns[p.field], k)
	}
	for _, f := range c.fields {
		some := columns[f]
		t.later(f.name, func() (*array.Value, []*problem.Error) {
			return c.read(f.name, f.shape, some, func(k int) int { return c.place[k].at })
		})
	}
	for k, p := range c.place {
		if name := c.columns[c.numbers[k]].Name; p.field.shape != nil {
			t.late[name] = func() (*array.Value, []*problem.Error) {
				return c.read(name, nil, []int{k}, func(int) int { return 0 })
			}
		}
	}
	var problems []*problem.Error
	for _, col := range c.columns {
		if col.Problem != "" {
			e := c.problem(col)
			problems = append(problems, e)
			t.Fields = append(t.Fields, col.Name)
			t.errs[col.Name] = append(t.errs[col.Name], e)
		}
	}
	t.even = true
	t.matrix = func() (*array.Value, []*problem.Error) {
		all := make([]int, len(c.place))
		for k := range all {
			all[k] = k
		}
		if len(problems) > 0 {
			return &array.Value{Shape: []int{c.rows, len(all)}}, problems
		}
		v, errs := c.read("", []int{len(all)}, all, func(k int) int { return k })
		if v != nil && v.Words != nil {
			v = v.ReadWords(TrueOrFalse)
		}
		return v, errs
	}
}

func (c *columnTable) problem(col Column) *problem.Error {
	return c.t.Fail(0, 0, "D0162", "column "+col.Name+" "+col.Problem)
}

// read reads some columns as a field, the k-th to its place in a row of a shape.
func (c *columnTable) read(
	field string, shape, some []int, place func(k int) int,
) (*array.Value, []*problem.Error) {
	v := &array.Value{Shape: append([]int{c.rows}, shape...),
		Origin: &array.Origin{File: c.t.File, Field: field}}
	w := len(some)
	columns, at := make([]int, w), make([]int, w)
	one := &csvField{name: field}
	fields := make([]*csvField, w)
	for i, k := range some {
		columns[i], at[i], fields[i] = c.numbers[k], place(k), one
	}
	if err := memory.FitsNow(8*float64(c.rows)*float64(w), reading); err != nil {
		return nil, []*problem.Error{c.t.Fail(0, 0, "D0164", err.Error())}
	}
	// The number of rows in the head is not trusted: no memory is allocated for it.
	v.NewRoom(min(c.rows, 1<<20) * w)
	finite := true
	e := c.open(func(f ColumnFile) *problem.Error {
		cells := &textCells{t: c.t, of: c.columns, columns: columns, fields: fields, bits: true}
		err := cells.read(f, func(x [][]float64) error {
			from, n := len(v.F64), len(x[0])
			if from+n*w > c.rows*w {
				return errors.New("has more rows than its head says")
			}
			v.F64 = slices.Grow(v.F64, n*w)[:from+n*w]
			fine := interleave(v.F64[from:], x, at,
				func(k int) bool { return c.columns[columns[k]].Text })
			finite = finite && fine
			return nil
		})
		switch {
		case err != nil:
			return c.t.columnError(err)
		case len(v.F64) != c.rows*w:
			return c.t.Fail(0, 0, "D0162", "has fewer rows than its head says")
		}
		return nil
	})
	if e != nil {
		return nil, []*problem.Error{e}
	}
	if finite {
		v.NoteFinite()
	}
	v.Words = one.texts()
	return v, one.wrong.Done("cells")
}

// interleave writes columns as rows, the k-th column to the place at[k] of a row, and reports
// whether all are of finite numbers. It takes some rows of all columns at a time, which stay in the
// processor's cache.
func interleave(to []float64, x [][]float64, at []int, text func(k int) bool) (finite bool) {
	const some = 512
	w, n := len(x), len(x[0])
	finite = true
	for start := 0; start < n; start += some {
		end := min(start+some, n)
		for k, list := range x {
			list, j := list[start:end], start*w+at[k]
			if text(k) {
				finite = false
				for _, y := range list {
					to[j] = y
					j += w
				}
				continue
			}
			for _, y := range list {
				if y-y != 0 { // NaN, or infinite
					finite, y = false, notWord(y)
				}
				to[j] = y
				j += w
			}
		}
	}
	return finite
}

// columnNames are the fields of a file of columns, without its values.
func columnNames(path, format string) ([]string, *problem.Error) {
	if s, is := Outside(path, format); is {
		return sourceNames(s, path)
	}
	c := &columnTable{t: NewTable(path, format)}
	info, err := os.Stat(path)
	if err != nil {
		return nil, c.t.Fail(0, 0, "D0101", "cannot be opened: "+reason(err))
	}
	c.info = info
	if e := c.open(c.head); e != nil {
		return nil, e
	}
	c.offer()
	return c.t.Fields, nil
}

// needed says which columns of a file hold some fields; nil are all fields.
func (c *columnTable) needed(
	fields map[string]bool,
) (columns []int, names []string, wrong map[string]*problem.Error) {
	use := map[*csvField]bool{}
	for k, p := range c.place {
		name := c.columns[c.numbers[k]].Name
		if fields == nil || fields[name] || fields[p.field.name] {
			use[p.field] = true // of a vector all, that columns stay one
		}
	}
	for k, p := range c.place {
		if use[p.field] {
			columns, names = append(columns, c.numbers[k]),
				append(names, c.columns[c.numbers[k]].Name)
		}
	}
	wrong = map[string]*problem.Error{}
	for _, col := range c.columns {
		if col.Problem != "" && (fields == nil || fields[col.Name]) {
			wrong[col.Name] = c.problem(col)
		}
	}
	return columns, names, wrong
}

// columnRows says how files of columns are read by rows: they are stored as cells first.
var columnRows = &Rowwise{columns: true, fields: columnFields}

func columnFields(t *Table, _ *bufio.Reader) []*problem.Error {
	if isCompressed(t.File) {
		return []*problem.Error{t.Fail(0, 0, "D0159",
			"is compressed as a whole; Parquet files compress their pages")}
	}
	names, err := columnNames(t.File, t.Format)
	if err != nil {
		return []*problem.Error{err}
	}
	t.Fields = names
	return nil
}

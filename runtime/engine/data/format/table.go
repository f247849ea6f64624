package format

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

var errLongLine = errors.New("a line is longer than 256 MiB")

// A Table is the content of a file: named fields, or one array without a name.
type Table struct {
	File   string
	Format string
	Fields []string // in the file's order
	Print  Fingerprint
	Notes  []string

	one    *array.Value
	values map[string]*array.Value
	errs   map[string][]*problem.Error // mistakes inside a field, reported when it is used
	// fields made when they are asked for, late those that are read then
	lazy   map[string]func() *array.Value
	late   map[string]func() (*array.Value, []*problem.Error)
	matrix func() (*array.Value, []*problem.Error) // all columns together, of formats with columns

	// the field that an input takes when none is named; "" or nil: by name
	natural func(in Wanted) string
	corpus  *corpus // of bags of words
	even    bool    // all fields have the same rows
}

// Wanted describes the input that a field is bound to, as far as formats care.
type Wanted struct {
	Name   string
	Axes   int  // how many axes it has
	Index  bool // its entries are indices
	Ragged bool // the rows of one of its axes differ in length
}

// Natural returns the field that an input takes when the user names none; "" where
// the names of fields decide.
func (t *Table) Natural(in Wanted) string {
	if t.natural == nil {
		return ""
	}
	return t.natural(in)
}

// One returns the array of a file that holds a single one without a name; else nil.
func (t *Table) One() *array.Value { return t.one }

// HasColumns reports whether the file is a table, all of whose columns Matrix joins.
func (t *Table) HasColumns() bool { return t.matrix != nil }

// Matrix returns all columns of a table as one matrix.
func (t *Table) Matrix() (*array.Value, []*problem.Error) { return t.matrix() }

// Even reports whether all fields have the same rows.
func (t *Table) Even() bool { return t.even }

// IsCorpus reports whether the file holds bags of words.
func (t *Table) IsCorpus() bool { return t.corpus != nil }

// Fail returns an error at a place of the file; 0 stands for a line or column unknown.
func (t *Table) Fail(line, column int, code, message string) *problem.Error {
	return &problem.Error{Code: code, Message: message, File: t.File, Line: line, Column: column}
}

// NewTable returns a table without fields.
func NewTable(file, format string) *Table {
	return &Table{File: file, Format: format, values: map[string]*array.Value{},
		errs: map[string][]*problem.Error{}, lazy: map[string]func() *array.Value{},
		late: map[string]func() (*array.Value, []*problem.Error){}}
}

// Field returns the numbers of a field, or the mistakes in it; both are nil if the field does not
// exist. The name "" is the only array of a file.
func (t *Table) Field(name string) (*array.Value, []*problem.Error) {
	v, errs := t.Texts(name)
	if v != nil && v.Words != nil {
		v = v.ReadWords(TrueOrFalse)
	}
	return v, errs
}

// Texts returns a field as Field does, with its words. The errors that it returns say that the
// words are not numbers.
func (t *Table) Texts(name string) (*array.Value, []*problem.Error) {
	if name == "" {
		return t.one, t.errs[""]
	}
	if read := t.late[name]; read != nil {
		delete(t.late, name)
		v, errs := read()
		t.values[name], t.errs[name] = v, append(t.errs[name], errs...)
	}
	if make := t.lazy[name]; make != nil && t.values[name] == nil && t.errs[name] == nil {
		t.values[name] = make()
	}
	return t.values[name], t.errs[name]
}

// derive adds a field that is made when it is asked for.
func (t *Table) derive(name string, make func() *array.Value) {
	t.Fields = append(t.Fields, name)
	t.lazy[name] = make
}

// later adds a field that is read when it is asked for; a second one of the same
// name is an error to use.
func (t *Table) later(name string, read func() (*array.Value, []*problem.Error)) {
	if _, twice := t.late[name]; twice {
		t.errs[name] = append(t.errs[name],
			t.Fail(0, 0, "D0118", fmt.Sprintf("two fields are called %s", name)))
		return
	}
	t.Fields = append(t.Fields, name)
	t.late[name] = read
}

// offer adds a field that is made when it is asked for, with what is wrong inside it; a
// second one of the same name is an error to use.
func (t *Table) offer(name string, wrong []*problem.Error, make func() *array.Value) {
	if first := t.lazy[name]; first != nil {
		if t.values[name] == nil {
			t.values[name] = first()
		}
		t.values[name].Words = nil // which of the two they are of, nobody knows
		t.errs[name] = append(t.errs[name],
			t.Fail(0, 0, "D0118", fmt.Sprintf("two fields are called %s", name)))
		return
	}
	t.derive(name, make)
	if wrong != nil {
		t.values[name], t.errs[name] = make(), wrong
	}
}

// add appends a field; a second one of the same name is an error to use.
func (t *Table) add(name string, v *array.Value) {
	if _, twice := t.values[name]; twice {
		t.errs[name] = append(t.errs[name],
			t.Fail(0, 0, "D0118", fmt.Sprintf("two fields are called %s", name)))
		return
	}
	t.Fields = append(t.Fields, name)
	t.values[name] = v
}

// readError says why reading stopped.
func (t *Table) readError(line int, err error) *problem.Error {
	var e *problem.Error
	var m *memory.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &m):
		return t.Fail(0, 0, "D0164", err.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return t.Fail(line, 0, "D0104", "the file ends before its data do: it is truncated")
	}
	return t.Fail(line, 0, "D0104", "cannot be read to its end: "+err.Error())
}

// columnOf counts code points before a byte offset, from 1.
func columnOf(line []byte, offset int) int {
	return utf8.RuneCount(line[:min(offset, len(line))]) + 1
}

// cut shows a number of a file, cut short.
func cut(b []byte) string { return printable.Cut(string(b), 40) }

// quoted shows a piece of a file, cut short.
func quoted(b []byte) string {
	const most = 40
	if len(b) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(b[cut]) {
			cut--
		}
		return fmt.Sprintf("%q…", b[:cut])
	}
	return fmt.Sprintf("%q", b)
}

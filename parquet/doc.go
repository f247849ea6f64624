// Package parquet reads Parquet files as data: columns of one number a row, of
// every encoding and compression that the library parquet-go knows.
//
// The command has it. The runtime, and with it generated packages, uses the
// standard library alone; a program that is to bind Parquet files to a generated
// package imports this one for its effect:
//
//	import _ "github.com/sgppl/sgppl/parquet"
//
// Whole numbers, floats, bools and texts are read, and null where an entry is missing.
// Texts are numbers, words or missing as in tables of text. Lists and decimals are refused.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
)

func init() { formats.RegisterColumns("parquet", Open) }

// A file is an open file.
type file struct {
	f       *parquet.File
	columns []column
}

// Open opens a file of size bytes, which Read then reads.
func Open(r io.ReaderAt, size int64) (open formats.ColumnFile, err error) {
	defer recovered(&err)
	if err := checkEnds(r, size); err != nil {
		return nil, err
	}
	// Structures for finding values without reading a whole column are not needed, and may be damaged.
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.ReadBufferSize(1<<16))
	if err != nil {
		return nil, damaged(err)
	}
	out := &file{f: f}
	walk(f.Root(), func(c *parquet.Column) { out.columns = append(out.columns, columnOf(c)) })
	return out, out.check(size)
}

// checkEnds says of files that are none, and of those that are cut off, what they
// are.
func checkEnds(r io.ReaderAt, size int64) error {
	const magic = "PAR1"
	var head [4]byte
	var tail [8]byte
	if size < 12 {
		return errors.New("the file is too short for Parquet")
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return err
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	switch n := int64(binary.LittleEndian.Uint32(tail[:])); {
	case string(head[:]) == "PARE" || string(tail[4:]) == "PARE":
		return errors.New("the file is encrypted")
	case string(head[:]) != magic:
		return errors.New("the file does not begin as Parquet does")
	case string(tail[4:]) != magic:
		return errors.New("the file does not end as Parquet does: it is cut off, or of another format")
	case n > size-12:
		return errors.New("the file is damaged: its metadata are longer than it")
	}
	return nil
}

// check holds what the metadata say of row groups against the file.
func (f *file) check(size int64) error {
	for i, g := range f.f.Metadata().RowGroups {
		if g.NumRows < 0 {
			return fmt.Errorf("the file is damaged: row group %d has %d rows", i, g.NumRows)
		}
		if len(g.Columns) != len(f.columns) {
			return fmt.Errorf("the file is damaged: row group %d has %d columns, the schema %d", i,
				len(g.Columns), len(f.columns))
		}
		for k := range g.Columns {
			c := &g.Columns[k]
			if c.FilePath != "" {
				return errors.New("the file has columns in other files, which are not read")
			}
			m := &c.MetaData
			at := m.DataPageOffset
			if m.DictionaryPageOffset > 0 {
				at = min(at, m.DictionaryPageOffset)
			}
			if at < 4 || m.TotalCompressedSize < 0 || at > size-m.TotalCompressedSize {
				return fmt.Errorf("the file is damaged: column %s of row group %d lies outside of it",
					f.columns[k].name, i)
			}
		}
	}
	return nil
}

func walk(c *parquet.Column, leaf func(*parquet.Column)) {
	if c.Leaf() {
		leaf(c)
		return
	}
	for _, inner := range c.Columns() {
		walk(inner, leaf)
	}
}

// recovered makes an error of what the library panics with over a damaged file.
func recovered(err *error) {
	switch x := recover().(type) {
	case nil:
	case runtime.Error:
		*err = damaged(x)
	case error:
		*err = damaged(x)
	default:
		*err = damaged(fmt.Errorf("%v", x))
	}
}

func damaged(err error) error {
	text := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		text = "it ends too early"
	}
	return errors.New("the file is damaged: " + text)
}

// Rows implements data.ColumnFile.
func (f *file) Rows() int {
	n := int64(0)
	for _, g := range f.f.Metadata().RowGroups {
		n += g.NumRows
	}
	return int(n)
}

// Columns implements data.ColumnFile.
func (f *file) Columns() []formats.Column {
	out := make([]formats.Column, len(f.columns))
	for i, c := range f.columns {
		out[i] = formats.Column{Name: c.name, Problem: c.problem, Text: c.text}
	}
	return out
}

// A column is what the schema says of a leaf.
type column struct {
	name    string
	problem string // why it cannot be read; "" where it can
	text    bool   // its values are texts
	number  func(v *parquet.Value) (x float64, ok bool)

	level    byte // of definition, of a value that is there
	unsigned bool
	special  bool // numbers of a kind that is read value by value
}

func columnOf(c *parquet.Column) column {
	out := column{name: strings.Join(c.Path(), ".")}
	var logical format.LogicalTypeValue
	if l := c.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	out.level = byte(c.MaxDefinitionLevel())
	unsigned := false
	if n, is := logical.(*format.IntType); is {
		unsigned = !n.IsSigned
	}
	out.unsigned = unsigned
	_, decimal := logical.(*format.DecimalType)
	kind := c.Type().Kind()
	switch {
	case c.MaxRepetitionLevel() > 0:
		out.problem = "has lists; columns of one number a row can be read, name.0, name.1, … as a vector"
	case decimal:
		out.problem = "holds decimals; cast it to double"
	case kind == parquet.Boolean:
		out.number = boolean
	case kind == parquet.Int32 && unsigned:
		out.number = func(v *parquet.Value) (float64, bool) { return float64(v.Uint32()), true }
	case kind == parquet.Int32:
		out.number = func(v *parquet.Value) (float64, bool) { return float64(v.Int32()), true }
	case kind == parquet.Int64 && unsigned:
		out.number = func(v *parquet.Value) (float64, bool) {
			return float64(v.Uint64()), v.Uint64() <= 1<<53
		}
	case kind == parquet.Int64:
		out.number = func(v *parquet.Value) (float64, bool) {
			n := v.Int64()
			return float64(n), -1<<53 <= n && n <= 1<<53
		}
	case kind == parquet.Float:
		out.number = func(v *parquet.Value) (float64, bool) { return float64(v.Float()), true }
	case kind == parquet.Double:
		out.number = func(v *parquet.Value) (float64, bool) { return v.Double(), true }
	case kind == parquet.FixedLenByteArray && is[*format.Float16Type](logical):
		out.number, out.special = half, true
	case kind == parquet.ByteArray &&
		(is[*format.StringType](logical) || is[*format.EnumType](logical)):
		out.text = true
	default:
		out.problem = fmt.Sprintf("holds %v, no numbers", kind)
	}
	return out
}

func is[T any](x any) bool {
	_, ok := x.(T)
	return ok
}

func boolean(v *parquet.Value) (float64, bool) {
	if v.Boolean() {
		return 1, true
	}
	return 0, true
}

package format

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readLibsvm reads lines of `label id:value id:value …`, after Chang and Lin,
// LIBSVM (2011). Its fields are label, features, whose ids count from 1 unless
// an id 0 occurs, and features0, whose ids count from 0.
func readLibsvm(file string, r io.Reader) (*Table, []*problem.Error) {
	p := newLibsvm(file)
	if err := p.body(newLineReader(r)); err != nil {
		return p.t, []*problem.Error{err}
	}
	return p.end()
}

func newLibsvm(file string) *libsvm {
	return &libsvm{t: NewTable(file, "libsvm"), m: &array.CSR{Indptr: []int{0}, Open: true},
		smallest: math.MaxInt32, base: -1}
}

// body reads rows to the end of the text.
func (p *libsvm) body(in *lineReader) *problem.Error {
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return p.t.readError(in.line, err)
		}
		p.row(line, in.line)
	}
}

// end makes the table of what was read.
func (p *libsvm) end() (*Table, []*problem.Error) {
	if p.wrong.Count > 0 {
		return p.t, p.wrong.Done("mistakes")
	}
	if p.rows.rows == 0 {
		return p.t, []*problem.Error{p.t.Fail(0, 0, "D0103", "holds no rows")}
	}
	p.finish()
	return p.t, nil
}

type libsvm struct {
	t        *Table
	m        *array.CSR
	labels   []float64
	rows     rowLines
	wrong    problem.List
	smallest int32 // id
	base     int   // what ids count from, where some rows alone are read; −1: found by the ids
	largest  int32
}

func (p *libsvm) row(line []byte, number int) {
	if k := bytes.IndexByte(line, '#'); k >= 0 {
		line = line[:k]
	}
	i := skipBlank(line, 0)
	if i == len(line) {
		return
	}
	p.rows.add(number)
	label, n := Decimal(line[i:])
	if n == 0 || !blankAt(line, i+n) || math.IsInf(label, 0) {
		p.bad(line, number, i, "D0106", "is no label: a number is expected")
		return
	}
	p.labels = append(p.labels, label)
	last := int32(-1)
	for i = skipBlank(line, i+n); i < len(line); i = skipBlank(line, i) {
		start := i
		id := int64(0)
		for ; i < len(line) && line[i]-'0' <= 9; i++ {
			id = min(id*10+int64(line[i]-'0'), math.MaxInt32)
		}
		if i == start || i == len(line) || line[i] != ':' {
			p.bad(line, number, start, "D0110", "is no entry: id:value is expected")
			return
		}
		if id >= math.MaxInt32 {
			p.bad(line, number, start, "D0110", "has an id too large: ids are below 2147483647")
			return
		}
		if int32(id) <= last {
			p.bad(line, number, start, "D0110",
				fmt.Sprintf("does not rise: the id before it is %d", last))
			return
		}
		i++
		value := 1.0
		if i < len(line) && line[i] == '1' && blankAt(line, i+1) {
			i++ // most entries of binary data
		} else {
			v, n := Decimal(line[i:])
			if n == 0 {
				end := i
				for !blankAt(line, end) {
					end++
				}
				var ok bool
				if v, ok = Word(line[i:end]); ok {
					n = end - i
				}
			} else if math.IsInf(v, 0) {
				p.bad(line, number, start, "D0106", "is beyond the range of float64")
				return
			}
			if n == 0 || !blankAt(line, i+n) {
				p.bad(line, number, start, "D0106", "has no number after its colon")
				return
			}
			value, i = v, i+n
		}
		last = int32(id)
		p.smallest, p.largest = min(p.smallest, last), max(p.largest, last)
		p.m.Index = append(p.m.Index, last)
		if p.m.Value == nil && value != 1 {
			p.m.Value = make([]float64, len(p.m.Index)-1, cap(p.m.Index))
			for k := range p.m.Value {
				p.m.Value[k] = 1
			}
		}
		if p.m.Value != nil {
			p.m.Value = append(p.m.Value, value)
		}
	}
	p.m.Indptr = append(p.m.Indptr, len(p.m.Index))
}

func (p *libsvm) bad(line []byte, number, at int, code, what string) {
	end := at
	for !blankAt(line, end) {
		end++
	}
	p.wrong.Add(func() *problem.Error {
		return p.t.Fail(number, columnOf(line, at), code, quoted(line[at:end])+" "+what)
	})
}

// finish settles what ids count from and names the fields.
func (p *libsvm) finish() {
	m := p.m
	m.Rows = len(p.labels)
	base := 1
	if p.base >= 0 {
		base = p.base
	} else if len(m.Index) > 0 && p.smallest == 0 {
		base = 0
		p.t.Notes = append(p.t.Notes,
			p.t.File+": feature ids count from 0, as an id 0 occurs; use field features0 for "+
				"other files of the same data")
	}
	origin := func(field string, base int) *array.Origin {
		return &array.Origin{File: p.t.File, Field: field, First: p.rows.first, Lines: p.rows.lines,
			Base: base}
	}
	width := func(base int) int {
		if len(m.Index) == 0 {
			return 0
		}
		return int(p.largest) + 1 - base
	}
	p.t.even = true
	p.t.natural = func(in Wanted) string {
		if in.Axes > 1 && !slices.Contains(p.t.Fields, in.Name) {
			return "features"
		}
		return ""
	}
	p.t.add("label", &array.Value{Shape: []int{m.Rows}, F64: p.labels, Origin: origin("label", 0)})
	one := *m
	one.Cols = width(base)
	if base == 1 {
		for k := range one.Index {
			one.Index[k]--
		}
	}
	p.t.add("features", &array.Value{Shape: []int{m.Rows, one.Cols}, CSR: &one,
		Origin: origin("features", base)})
	p.t.derive("features0", func() *array.Value {
		zero := one
		if base == 1 {
			zero.Cols = width(0)
			zero.Index = make([]int32, len(one.Index))
			for k, j := range one.Index {
				zero.Index[k] = j + 1
			}
		}
		return &array.Value{Shape: []int{m.Rows, zero.Cols}, CSR: &zero,
			Origin: origin("features0", 0)}
	})
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

func blankAt(b []byte, i int) bool { return i >= len(b) || b[i] == ' ' || b[i] == '\t' }

// sniffLibsvm recognises the format by its first line with entries.
func sniffLibsvm(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	words := bytes.Fields(line)
	if len(words) < 2 {
		return false
	}
	if _, n := Decimal(words[0]); n != len(words[0]) {
		return false
	}
	id, value, found := bytes.Cut(words[1], []byte(":"))
	_, n := Decimal(value)
	for _, c := range id {
		found = found && c-'0' <= 9
	}
	return found && len(id) > 0 && n > 0
}

// libsvmRows says how libsvm is read by rows: a line a row, except for comments.
var libsvmRows = &Rowwise{fields: libsvmFields, read: readLibsvmRows}

func libsvmFields(t *Table, _ *bufio.Reader) []*problem.Error {
	t.Fields = []string{"label", "features", "features0"}
	return nil
}

func readLibsvmRows(t *RowText, in *lineReader, p Piece) (rowData, []*problem.Error) {
	s := newLibsvm(t.File)
	s.base = t.Base
	if err := s.body(in); err != nil {
		return nil, []*problem.Error{err}
	}
	if s.base == 1 && s.smallest == 0 {
		s.wrong.Add(func() *problem.Error {
			e := s.t.Fail(p.Line, 0, "D0110",
				"the rows from this line on have an id 0, so ids do not count from 1")
			e.Notes = []string{"bind the field features0, whose ids count from 0"}
			return e
		})
	}
	return s, nil
}

func (p *libsvm) problems() *problem.List { return &p.wrong }
func (p *libsvm) size() int               { return p.rows.rows }
func (p *libsvm) stored() int             { return len(p.m.Index) }
func (p *libsvm) grow(rows, entries int)  { p.m.Grow(rows, entries) }

func (p *libsvm) join(others rowData) {
	o := others.(*libsvm)
	p.labels = append(p.labels, o.labels...)
	p.smallest, p.largest = min(p.smallest, o.smallest), max(p.largest, o.largest)
	p.m.Join(o.m)
	p.rows.join(&o.rows)
}

func (p *libsvm) take(keep []int) rowData {
	out := *p
	out.labels = make([]float64, len(keep))
	for i, k := range keep {
		out.labels[i] = p.labels[k]
	}
	out.m, out.rows = p.m.Take(keep, 1), p.rows.take(keep)
	return &out
}

func (p *libsvm) table(t *RowText, _ []int) (*Table, []*problem.Error) {
	out := *p
	out.t = NewTable(t.File, t.Format)
	m := *p.m
	m.Index = slices.Clone(m.Index) // they are moved to count from 0
	out.m = &m
	return out.end()
}

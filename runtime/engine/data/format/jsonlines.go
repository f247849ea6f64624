package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A jsonLines reads JSON lines: an object a line, which is a row, and its keys are columns.
// A key that a row does not have is missing there, as null is.
type jsonLines struct {
	c     *csvReader
	by    map[string]*csvField
	depth map[string]bool // keys whose values are lists
	last  map[string]int  // the row that has a key last, counted from 1
	plain map[string]bool // keys that had a value which is not missing, and no list
	known bool            // the set of keys is complete; others are skipped
	// rows are read for their keys alone
	forget bool
	meter  memory.Meter
}

func newJSONLines(t *Table, in *lineReader) *jsonLines {
	return &jsonLines{
		c:  &csvReader{t: t, in: in, meter: memory.Meter{What: reading}},
		by: map[string]*csvField{}, depth: map[string]bool{}, last: map[string]int{},
		plain: map[string]bool{}, meter: memory.Meter{What: reading},
	}
}

// readJSONLines reads a file of JSON lines. Lists of numbers or words, as long in every row,
// are vectors.
func readJSONLines(file string, r io.Reader) (*Table, []*problem.Error) {
	j := newJSONLines(NewTable(file, "jsonl"), newLineReader(r))
	if e := j.body(); e != nil {
		return j.c.t, []*problem.Error{e}
	}
	if j.c.rows.rows == 0 {
		return j.c.t, []*problem.Error{j.c.t.Fail(0, 0, "D0103", "holds no rows")}
	}
	j.place()
	j.c.finish()
	return j.c.t, nil
}

// body reads rows to the end of the text.
func (j *jsonLines) body() *problem.Error {
	for {
		line, err := j.c.in.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err == nil {
			err = j.row(line)
		}
		if err == nil {
			err = j.c.full
		}
		if err != nil {
			return j.c.t.readError(j.c.in.line, err)
		}
	}
}

// place names the columns of the fields.
func (j *jsonLines) place() {
	for _, f := range j.c.fields {
		if j.depth[f.name] {
			f.shape = []int{f.width}
		}
		for k := range f.width {
			name := f.name
			if j.depth[f.name] {
				name += "." + strconv.Itoa(k)
			}
			j.c.header, j.c.place = append(j.c.header, name), append(j.c.place, cell{f, k})
		}
	}
}

// row reads one object.
func (j *jsonLines) row(line []byte) error {
	fail := func(code, what string) error { return j.c.t.Fail(j.c.in.line, 0, code, what) }
	d := json.NewDecoder(bytes.NewReader(line))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return fail("D0108", "an object is expected in each line: {\"key\": value, …}")
	}
	j.c.rows.add(j.c.in.line)
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err == nil {
			err = d.Decode(&raw)
		}
		name, is := key.(string)
		if err != nil || !is {
			return fail("D0108", "is no object of JSON: "+wrongJSON(err))
		}
		if j.last[name] == j.c.rows.rows {
			return fail("D0118", fmt.Sprintf("two fields are called %s", printable.Cut(name, 100)))
		}
		j.last[name] = j.c.rows.rows
		if j.known && j.by[name] == nil {
			continue
		}
		if err := j.value(name, raw); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fail("D0108", "is no object of JSON: "+wrongJSON(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return fail("D0108", "nothing more is expected behind the object")
	}
	for _, f := range j.c.fields { // keys that the row does not have
		if err := j.pad(f, j.c.rows.rows); err != nil {
			return err
		}
	}
	if j.forget {
		j.reset()
	}
	return nil
}

// reset forgets the rows, but not their keys.
func (j *jsonLines) reset() {
	for _, f := range j.c.fields {
		f.data, f.words, f.wrong = f.data[:0], wordTable{}, problem.List{}
	}
	j.c.rows = rowLines{}
	clear(j.last)
}

// wrongJSON is what the decoder says.
func wrongJSON(err error) string {
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too early"
	}
	return err.Error()
}

// pad makes the entries of a field up to a row missing.
func (j *jsonLines) pad(f *csvField, rows int) error {
	if more := rows*f.width - len(f.data); more > 0 {
		if err := j.meter.Add(8 * more); err != nil {
			return err
		}
	}
	for len(f.data) < rows*f.width {
		f.data = append(f.data, math.NaN())
	}
	return nil
}

// field returns the field of a key, which may be new.
func (j *jsonLines) field(name string) (*csvField, error) {
	if f := j.by[name]; f != nil {
		return f, nil
	}
	if err := j.meter.Add(columnBytes + len(name)); err != nil {
		return nil, err
	}
	f := &csvField{name: name, width: 1}
	j.by[name], j.c.fields = f, append(j.c.fields, f)
	return f, nil
}

// value reads the value of a key in a row.
func (j *jsonLines) value(name string, raw json.RawMessage) error {
	f, err := j.field(name)
	if err != nil {
		return err
	}
	before := j.c.rows.rows - 1
	fail := func(what string) {
		j.c.mistake(f, j.c.in.line, 0, fmt.Sprintf("%s (key %s)", what, printable.Cut(name, 100)))
	}
	if raw[0] != '[' {
		if err := j.pad(f, before); err != nil {
			return err
		}
		if j.depth[name] {
			if !missingJSON(raw) {
				fail("a list is expected, as in rows before")
			}
			return nil
		}
		return j.cell(f, raw)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		fail("is a list without entries")
		return nil
	}
	if !j.depth[name] {
		if j.plain[name] {
			fail("is a list, and none in rows before")
			return nil
		}
		j.depth[name], f.width = true, len(list)
		f.data = f.data[:0]
	}
	if err := j.pad(f, before); err != nil {
		return err
	}
	if len(list) != f.width {
		fail(fmt.Sprintf("has %d entries, and %d in rows before", len(list), f.width))
		return nil
	}
	for _, entry := range list {
		if err := j.cell(f, entry); err != nil {
			return err
		}
	}
	return nil
}

// missingJSON reports whether a value is missing.
func missingJSON(raw json.RawMessage) bool {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return raw[0] == 'n'
	}
	x, _ := (&csvField{}).read([]byte(s), &memory.Meter{})
	_, word := array.WordOf(x)
	return x != x && !word
}

// cell appends an entry: a number, true or false, null, or a text that is read as cells of
// tables are.
func (j *jsonLines) cell(f *csvField, raw json.RawMessage) error {
	if err := j.meter.Add(8); err != nil {
		return err
	}
	text := []byte(raw)
	switch raw[0] {
	case 'n':
		text = nil
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return j.c.t.Fail(j.c.in.line, 0, "D0108", "is no object of JSON: "+err.Error())
		}
		text = []byte(s)
	case '{', '[':
		f.data = append(f.data, math.NaN())
		j.c.mistake(f, j.c.in.line, 0,
			fmt.Sprintf("is deeper than a list of numbers or words (key %s)",
				printable.Cut(f.name, 100)))
		return nil
	}
	x, wrong := f.read(text, &j.c.texts)
	f.data = append(f.data, x)
	if _, word := array.WordOf(x); x == x || word {
		j.plain[f.name] = true
	}
	if wrong != "" {
		j.c.mistake(f, j.c.in.line, 0,
			fmt.Sprintf("%s %s (key %s)", quoted(bytes.TrimSpace(text)), wrong,
				printable.Cut(f.name, 100)))
	}
	return nil
}

// sniffJSONLines recognises files whose first line is an object, and whose second begins
// with another.
func sniffJSONLines(head []byte) bool {
	line, rest, more := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte("\n"))
	return more && begins(line, "{") && begins(rest, "{") && json.Valid(line)
}

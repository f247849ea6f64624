package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// jsonRows says how JSON lines are read by rows: a line each. All lines are read once to find
// the keys, which the head of the text then has.
var jsonRows = &Rowwise{table: true, fields: jsonFields, line: jsonLine, read: readJSONRows}

// A jsonKey is a key of rows with the length of its lists; 0 if its values are not lists.
type jsonKey struct {
	Name  string `json:"name"`
	Width int    `json:"width,omitempty"`
}

// keys are those of the rows so far, as a head.
func (j *jsonLines) keys() []byte {
	var list []jsonKey
	for _, f := range j.c.fields {
		key := jsonKey{Name: f.name}
		if j.depth[f.name] {
			key.Width = f.width
		}
		list = append(list, key)
	}
	head, err := json.Marshal(list)
	if err != nil {
		panic("data: keys of JSON lines: " + err.Error())
	}
	return head
}

// jsonFields reads all lines for their keys.
func jsonFields(t *Table, in *bufio.Reader) []*problem.Error {
	j := newJSONLines(t, newLineReader(in))
	j.forget = true
	if e := j.body(); e != nil {
		if _, err := j.c.in.next(); err != io.EOF {
			return []*problem.Error{e}
		}
		// The last line may be half a row of a file that grows. Else who indexes the rows says
		// what is wrong with it.
	}
	for _, f := range j.c.fields {
		t.Fields = append(t.Fields, f.name)
	}
	return nil
}

// jsonLine finds the keys of a line that was not read before. Lines that are appended to a file
// have the keys of the earlier rows; other keys are skipped.
func jsonLine(s *RowScanner, line []byte, number int) *problem.Error {
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if s.keys == nil {
		t := NewTable(s.Text.File, s.Text.Format)
		if len(s.Text.Head) > 0 {
			_, known, e := knownKeys(t, s.Text.Head)
			if e != nil {
				return e
			}
			s.keys = known
		} else {
			s.keys = newJSONLines(t, nil)
		}
		s.keys.forget = true
	}
	j := s.keys
	j.c.in = linesOf(nil, number+1) // the current line has the number
	before := len(j.c.fields) + len(j.depth)
	if err := j.row(line); err != nil {
		return j.c.t.readError(number, err)
	}
	if len(j.c.fields)+len(j.depth) > before {
		s.Text.Head = j.keys()
	}
	s.Rows++
	return nil
}

// knownKeys makes a reader of rows with the keys of a head.
func knownKeys(t *Table, head []byte) (list []jsonKey, j *jsonLines, e *problem.Error) {
	j = newJSONLines(t, nil)
	j.known = true
	if len(head) == 0 {
		return nil, j, nil
	}
	if err := json.Unmarshal(head, &list); err != nil {
		return nil, nil, t.Fail(0, 0, "D0160", "the keys of its rows are damaged")
	}
	for _, key := range list {
		f := &csvField{name: key.Name, width: max(key.Width, 1)}
		j.by[key.Name], j.c.fields = f, append(j.c.fields, f)
		if key.Width > 0 {
			j.depth[key.Name] = true
		} else {
			j.plain[key.Name] = true
		}
	}
	return list, j, nil
}

// readJSONRows reads the rows of a piece.
func readJSONRows(t *RowText, in *lineReader, p Piece) (rowData, []*problem.Error) {
	_, j, e := knownKeys(NewTable(t.File, t.Format), t.Head)
	if e != nil {
		return nil, []*problem.Error{e}
	}
	j.c.in = in
	if e := j.body(); e != nil {
		return nil, []*problem.Error{e}
	}
	j.place()
	return j.c, nil
}

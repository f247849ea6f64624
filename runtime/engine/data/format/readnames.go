package format

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// ReadNames reads a text file that has a name a line, such as a vocabulary: line i is the name of
// entry i. Blanks around a name are not part of it. A note names a repeated name. The file may be
// compressed.
func ReadNames(path string) (names, notes []string, errs []*problem.Error) {
	t, errs := readPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return decompress(path, raw, func(_ string, in *bufio.Reader, _ bool) (*Table, []*problem.Error) {
			t := NewTable(path, "names")
			var errs []*problem.Error
			names, errs = readNames(t, in)
			return t, errs
		})
	})
	return names, t.Notes, errs
}

func readNames(t *Table, r io.Reader) (names []string, errs []*problem.Error) {
	in := newLineReader(r)
	blank := 0 // line of the first one since the last name
	var wrong problem.List
	first := map[string]int{}
	twice, note := 0, ""
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, []*problem.Error{t.readError(in.line, err)}
		}
		name := strings.TrimSpace(string(line))
		if name == "" {
			if blank == 0 {
				blank = in.line
			}
			continue
		}
		bad := func(line int, what string) {
			wrong.Add(func() *problem.Error { return t.Fail(line, 0, "D0155", what) })
		}
		if blank > 0 {
			bad(blank, "is blank, and names follow: a name is missing")
			blank = 0
		}
		if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
			bad(in.line, quoted([]byte(name))+
				" is no name: a line of text is expected, in UTF-8 and without tabs")
		}
		if line, seen := first[name]; seen {
			if twice++; twice == 1 {
				note = fmt.Sprintf("%s: %q comes twice, in lines %d and %d", t.File, name, line, in.line)
			}
		} else {
			first[name] = in.line
		}
		names = append(names, name)
	}
	if wrong.Count > 0 {
		return nil, wrong.Done("lines")
	}
	if len(names) == 0 {
		return nil, []*problem.Error{t.Fail(0, 0, "D0103", "holds no names")}
	}
	if twice > 1 {
		note += fmt.Sprintf(", and %d more do", twice-1)
	}
	if twice > 0 {
		t.Notes = append(t.Notes, note)
	}
	return names, nil
}

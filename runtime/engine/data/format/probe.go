package format

import (
	"bufio"
	"io"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Probe finds the format of a file, and the names of its fields where its
// format can be read by rows, from its first lines alone.
func Probe(path, format string) (found string, fields []string, errs []*problem.Error) {
	if s, _, is := SourceOf(path); is {
		names, e := sourceNames(s, path)
		if e != nil {
			return "", nil, []*problem.Error{e}
		}
		return "sgtable", names, nil
	}
	t, errs := openPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return decompress(path, raw, func(name string, in *bufio.Reader, utf16 bool) (*Table, []*problem.Error) {
			f, err := formatOf(path, name, format, in)
			if err != nil {
				return nil, []*problem.Error{err}
			}
			t := NewTable(path, f.Name)
			if f.Rows != nil && utf16 {
				e := t.Fail(0, 0, "D0159", "is UTF-16, which cannot be read by rows")
				e.Notes = []string{"write it as UTF-8: iconv -f UTF-16 -t UTF-8"}
				return nil, []*problem.Error{e}
			}
			if f.Rows != nil {
				if errs := f.Rows.fields(t, in); errs != nil {
					return nil, errs
				}
			}
			return t, nil
		})
	})
	if len(errs) > 0 {
		return "", nil, errs
	}
	return t.Format, t.Fields, nil
}

// Compressed says whether the ending of a name tells that the file is
// compressed, and how to undo it.
func Compressed(path string) (open func(r io.Reader) (io.Reader, error), is bool) {
	for _, c := range compressions {
		if len(path) > len(c.ending) &&
			strings.EqualFold(path[len(path)-len(c.ending):], c.ending) {
			return c.open, true
		}
	}
	return nil, false
}

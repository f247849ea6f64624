package format

import (
	"bufio"
	"io"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Probe finds the format of a file, and the names of its fields where its format can be read by
// rows: from its first lines alone, except for JSON lines.
func Probe(path, format string) (found string, fields []string, errs []*problem.Error) {
	if s, _, is := SourceOf(path); is {
		names, e := sourceNames(s, path)
		if e != nil {
			return "", nil, []*problem.Error{e}
		}
		return "sgtable", names, nil
	}
	t, errs := openPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return decompress(path, raw, func(name string, in *bufio.Reader, _ bool) (*Table,
			[]*problem.Error) {
			f, err := formatOf(path, name, format, in)
			if err != nil {
				return nil, []*problem.Error{err}
			}
			t := NewTable(path, f.Name)
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

// Unpacked reports whether the text of a file is not what the file has, since that is compressed or
// UTF-16, and how the text is read.
func Unpacked(path string) (open func(r io.Reader) (io.Reader, error), is bool) {
	inflate, packed := Compressed(path)
	f, err := disk.OpenRegular(path)
	if err != nil {
		return inflate, packed
	}
	defer f.Close()
	plain := func(r io.Reader) (*bufio.Reader, error) {
		if !packed {
			return bufio.NewReader(r), nil
		}
		text, err := inflate(bufio.NewReader(r))
		return bufio.NewReader(text), err
	}
	text, err := plain(f)
	if err != nil {
		return inflate, packed
	}
	is, big := wide(text)
	if !is {
		return inflate, packed
	}
	return func(r io.Reader) (io.Reader, error) {
		text, err := plain(r)
		return &wideReader{in: text, big: big}, err
	}, true
}

// Compressed reports whether the ending of a name tells that the file is compressed, and how to
// undo it.
func Compressed(path string) (open func(r io.Reader) (io.Reader, error), is bool) {
	for _, c := range compressions {
		if len(path) > len(c.ending) &&
			strings.EqualFold(path[len(path)-len(c.ending):], c.ending) {
			return c.open, true
		}
	}
	return nil, false
}

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
	t, errs := openPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return decompress(path, raw, func(name string, in *bufio.Reader) (*Table, []*problem.Error) {
			f, err := formatOf(path, name, format, in)
			if err != nil {
				return nil, []*problem.Error{err}
			}
			t := NewTable(path, f.Name)
			switch f.Name {
			case "csv", "tsv":
				c := (&RowText{File: path, Format: f.Name}).csv()
				c.in = newLineReader(in)
				if errs := c.head(); errs != nil {
					return nil, errs
				}
				for _, f := range c.fields {
					t.Fields = append(t.Fields, f.name)
				}
			case "parquet":
				if isCompressed(path) {
					return nil, []*problem.Error{t.Fail(0, 0, "D0159", "is compressed as a whole; Parquet files compress their pages")}
				}
				names, err := columnNames(path, f.Name)
				if err != nil {
					return nil, []*problem.Error{err}
				}
				t.Fields = names
			case "libsvm":
				t.Fields = []string{"label", "features", "features0"}
			case "ldac", "docword":
				t.Fields = strings.Fields("tokens counts terms repeats lengths")
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
		if len(path) > len(c.ending) && strings.EqualFold(path[len(path)-len(c.ending):], c.ending) {
			return c.open, true
		}
	}
	return nil, false
}

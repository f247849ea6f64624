package data

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadNames reads a text file that has a name a line, such as a vocabulary: line
// i is the name of entry i. Blanks around a name are no part of it. A name that
// comes twice is told in a note. The file may be compressed.
func ReadNames(path string) (names, notes []string, errs []*Error) {
	t, errs := readPath(path, func(raw io.Reader) (*Table, []*Error) {
		return decompress(path, raw, func(_ string, in *bufio.Reader) (*Table, []*Error) {
			t := newTable(path, "names")
			var errs []*Error
			names, errs = readNames(t, in)
			return t, errs
		})
	})
	return names, t.Notes, errs
}

func readNames(t *Table, r io.Reader) (names []string, errs []*Error) {
	in := newLineReader(r)
	blank := 0 // line of the first one since the last name
	var wrong mistakes
	first := map[string]int{}
	twice, note := 0, ""
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, []*Error{t.readError(in.line, err)}
		}
		name := strings.TrimSpace(string(line))
		if name == "" {
			if blank == 0 {
				blank = in.line
			}
			continue
		}
		bad := func(line int, what string) {
			wrong.add(func() *Error { return t.fail(line, 0, "D0155", what) })
		}
		if blank > 0 {
			bad(blank, "is blank, and names follow: a name is missing")
			blank = 0
		}
		if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
			bad(in.line, quoted([]byte(name))+" is no name: a line of text is expected, in UTF-8 and without tabs")
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
	if wrong.count > 0 {
		return nil, wrong.done("lines")
	}
	if len(names) == 0 {
		return nil, []*Error{t.fail(0, 0, "D0103", "holds no names")}
	}
	if twice > 1 {
		note += fmt.Sprintf(", and %d more do", twice-1)
	}
	if twice > 0 {
		t.Notes = append(t.Notes, note)
	}
	return names, nil
}

// names takes one --names, DIM=FILE: it settles the size of the dim.
func (b *binder) names(text string) {
	dim, path, ok := strings.Cut(text, "=")
	dim = strings.TrimSpace(dim)
	if !ok || path == "" || !identifier(dim) {
		b.fail("D0156", "", fmt.Sprintf("--names %s: DIM=FILE is expected", text))
		return
	}
	d := b.schema.Dim(dim)
	switch {
	case d == nil:
		notes := didYouMean(dim, b.schema.dimNames())
		if b.schema.Input(dim) != nil {
			notes = append(notes, dim+" is an input; its dims have names")
		}
		b.fail("D0113", dim, fmt.Sprintf("--names %s: %s is no dim of the model", text, dim), notes...)
		return
	case d.Of != "":
		b.fail("D0126", dim, fmt.Sprintf("--names %s: %s, so its entries have no names", text, d.manyLengths()))
		return
	case b.labels[dim] != nil:
		b.fail("D0115", dim, fmt.Sprintf("%s has names twice, the second time by --names %s", dim, text))
		return
	}
	names, notes, errs := ReadNames(path)
	b.notes, b.errs = append(b.notes, notes...), append(b.errs, errs...)
	if len(errs) > 0 {
		b.excused[dim] = true
		return
	}
	b.label(dim, names, "--names "+text)
}

// label gives the entries of a dim their names.
func (b *binder) label(dim string, names []string, by string) {
	b.size(dim, len(names), by)
	b.labels[dim] = names
}

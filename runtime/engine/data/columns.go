package data

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// severalColumns reports whether the field of a spec may name several columns: a list a,b, a range
// a..z, or a pattern x*.
func severalColumns(field string) bool {
	return strings.Contains(field, ",") || strings.Contains(field, "..") ||
		strings.Contains(field, "*")
}

// columnsNamed returns the fields that the field of a spec names. They are in the order of its
// parts, and in file order within a range or pattern. wrong is a message on a part that names no
// field, or on a field named twice; it is "" without an error.
func columnsNamed(fields []string, field string) (names []string, wrong string) {
	add := func(more ...string) string {
		for _, name := range more {
			if slices.Contains(names, name) {
				return fmt.Sprintf("%s is named twice in %s", name, field)
			}
			names = append(names, name)
		}
		return ""
	}
	for part := range strings.SplitSeq(field, ",") {
		part = strings.TrimSpace(part)
		from, to, isRange := strings.Cut(part, "..")
		first, last := slices.Index(fields, from), slices.Index(fields, to)
		var more []string
		switch {
		case part == "":
			return nil, "a column has no name in " + field
		case slices.Contains(fields, part):
			more = []string{part}
		case isRange && (first < 0 || last < 0):
			missing := from
			if first >= 0 {
				missing = to
			}
			return nil, fmt.Sprintf("there is no column %s, as %s has", missing, part)
		case isRange && last < first:
			return nil, fmt.Sprintf("column %s stands before %s in the file: write %s..%s", to,
				from, to, from)
		case isRange:
			more = fields[first : last+1]
		case strings.Contains(part, "*"):
			for _, name := range fields {
				if matches(part, name) {
					more = append(more, name)
				}
			}
			if more == nil {
				return nil, "no column is called as " + part
			}
		default:
			more = []string{part} // a column of a vector, or none
		}
		if wrong := add(more...); wrong != "" {
			return nil, wrong
		}
	}
	return names, ""
}

// matches reports whether a name matches a pattern in which only * is special.
func matches(pattern, name string) bool {
	quote := strings.NewReplacer(`\`, `\\`, "?", `\?`, "[", `\[`, "/", "\x00")
	ok, err := path.Match(quote.Replace(pattern), strings.ReplaceAll(name, "/", "\x00"))
	return err == nil && ok
}

// columns joins the columns that the field of a spec names into one array, a row for each row of
// the table.
func (b *binder) columns(
	t *format.Table, field string, in *Input,
) (*array.Value, []*problem.Error) {
	fail := func(code, message string, notes ...string) []*problem.Error {
		return []*problem.Error{{Code: code, Name: in.Name, Message: message, File: t.File,
			Decl: in.Place, Notes: notes}}
	}
	names, wrong := columnsNamed(t.Fields, field)
	if wrong != "" {
		return nil, fail("D0111", wrong, b.fields(t, field)...)
	}
	var parts []*array.Value
	var errs []*problem.Error
	width := 0
	for _, name := range names {
		v, more := t.Texts(name)
		errs = append(errs, more...)
		switch {
		case v == nil && more == nil:
			return nil, fail("D0111", fmt.Sprintf("there is no column %s, of %s", name, field),
				b.fields(t, name)...)
		case v == nil:
			return nil, errs
		case v.CSR != nil || v.Lists != nil || len(v.Shape) == 0:
			return nil, fail("D0111",
				fmt.Sprintf(
					"%s is not a column of numbers or words, so it cannot be one of several", name))
		case len(parts) > 0 && v.Shape[0] != parts[0].Shape[0]:
			return nil, fail("D0111",
				fmt.Sprintf("%s has %d rows, and %s has %d", names[0], parts[0].Shape[0], name,
					v.Shape[0]))
		}
		each, _ := array.Product(v.Shape[1:])
		width += each
		parts = append(parts, v)
	}
	rows := parts[0].Shape[0]
	if err := memory.FitsNow(8*float64(rows)*float64(width), "reading it"); err != nil {
		return nil, fail("D0164", err.Error())
	}
	if width == len(names) {
		b.namedColumns(in, names)
	}
	out := joinColumns(parts, width, field)
	if width == 1 && len(in.Shape) == 1 {
		out.Shape = out.Shape[:1]
	}
	return out, errs
}

// joinColumns returns the columns side by side, as an array of width entries per row. The columns
// have equal numbers of rows.
func joinColumns(parts []*array.Value, width int, field string) *array.Value {
	rows := parts[0].Shape[0]
	out := &array.Value{Shape: []int{rows, width}, F64: make([]float64, rows*width)}
	if o := parts[0].Origin; o != nil {
		origin := *o
		origin.Field = field
		out.Origin = &origin
	}
	place := map[string]int{}
	at := 0
	for _, v := range parts {
		entries := make([]float64, len(v.Words)) // entry in the joined array of each word of v
		for k, word := range v.Words {
			if _, known := place[word]; !known {
				place[word] = len(out.Words)
				out.Words = append(out.Words, word)
			}
			entries[k] = array.Word(place[word])
		}
		each, _ := array.Product(v.Shape[1:])
		for i, x := range v.Floats() {
			if k, is := array.WordOf(x); is && k < len(entries) {
				x = entries[k]
			}
			out.F64[i/each*width+at+i%each] = x
		}
		at += each
	}
	return out
}

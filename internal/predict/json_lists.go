package predict

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
)

// jsonLists writes an object of names whose values come one draw at a time, of
// all names at once, into lists of draws, or with each > 0 into lists of
// chains of so many draws. What does not come first in the file is kept in
// others until the end: nothing is held in memory.
type jsonLists struct {
	names []string
	each  int
	n     int
	to    []*bufio.Writer
	rest  []*os.File
}

// newJSONLists goes on in b, which goes to the file out, or "-": start is what stands
// before the first name, such as "{".
func newJSONLists(
	b *bufio.Writer, out string, names []string, each int, start string,
) (*jsonLists, error) {
	l := &jsonLists{names: names, each: each, to: []*bufio.Writer{b}}
	dir := filepath.Dir(out)
	if out == "-" {
		dir = ""
	}
	for range names[1:] {
		f, err := os.CreateTemp(dir, ".sgppl.tmp-*")
		if err != nil {
			l.remove()
			return nil, session.WriteError(err)
		}
		l.rest = append(l.rest, f)
		l.to = append(l.to, bufio.NewWriterSize(f, 1<<16))
	}
	for i, name := range names {
		if i > 0 {
			start = ","
		}
		l.to[i].WriteString(start + "\n  " + strconv.Quote(name) + ": [")
		if each > 0 {
			l.to[i].WriteByte('[')
		}
	}
	return l, nil
}

// begin begins the next draw.
func (l *jsonLists) begin() {
	for _, w := range l.to {
		switch {
		case l.n == 0:
		case l.each > 0 && l.n%l.each == 0:
			w.WriteString("],\n    [")
		default:
			w.WriteString(",\n    ")
		}
	}
	l.n++
}

// put writes name i of a draw.
func (l *jsonLists) put(i int, x []float64, shape []int, whole bool) error {
	return session.WriteError(driver.WriteNested(l.to[i], x, shape, whole))
}

// named is put of a named value.
func (l *jsonLists) named(i int, v *driver.Named) error {
	return session.WriteError(v.Write(l.to[i]))
}

// end completes the object.
func (l *jsonLists) end() error {
	for _, w := range l.to {
		if l.each > 0 {
			w.WriteByte(']')
		}
		w.WriteByte(']')
	}
	for i, f := range l.rest {
		if err := l.to[i+1].Flush(); err != nil {
			return session.WriteError(err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return session.WriteError(err)
		}
		if _, err := io.Copy(l.to[0], f); err != nil {
			return session.WriteError(err)
		}
	}
	_, err := l.to[0].WriteString("\n}\n")
	return session.WriteError(err)
}

// remove takes the files away that were made meanwhile.
func (l *jsonLists) remove() {
	for _, f := range l.rest {
		f.Close()
		os.Remove(f.Name())
	}
}

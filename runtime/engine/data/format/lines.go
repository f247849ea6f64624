package format

import (
	"bytes"
	"io"
)

// A lineReader hands out the lines of a text without copying them.
type lineReader struct {
	r    io.Reader
	buf  []byte
	lo   int // what is unread is buf[lo:hi]
	hi   int
	err  error // of the reader, after what is in buf
	line int   // number of the line last returned, from 1
}

// maxLine bounds a line, so that a binary file by mistake does not fill memory.
const maxLine = 1 << 28

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: r, buf: make([]byte, 1<<18)} }

// linesOf reads the lines of a text in memory, the first of which has the number first.
// It needs no buffer: runs by blocks read the head of their file again with every block.
func linesOf(text []byte, first int) *lineReader {
	return &lineReader{buf: text, hi: len(text), err: io.EOF, line: first - 1}
}

// next returns a line without its end, valid until the next call. After the
// last line it returns io.EOF, or what made reading fail.
func (l *lineReader) next() ([]byte, error) {
	for scanned := 0; ; {
		if k := bytes.IndexByte(l.buf[l.lo+scanned:l.hi], '\n'); k >= 0 {
			b := l.buf[l.lo : l.lo+scanned+k]
			l.lo += len(b) + 1
			return l.finish(b), nil
		}
		scanned = l.hi - l.lo
		if l.err != nil {
			if scanned > 0 && l.err == io.EOF {
				b := l.buf[l.lo:l.hi]
				l.lo = l.hi
				return l.finish(b), nil
			}
			return nil, l.err
		}
		if l.lo > 0 {
			copy(l.buf, l.buf[l.lo:l.hi])
			l.lo, l.hi = 0, scanned
		}
		if l.hi == len(l.buf) {
			if len(l.buf) >= maxLine {
				return nil, errLongLine
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		var n int
		n, l.err = l.r.Read(l.buf[l.hi:])
		l.hi += n
	}
}

func (l *lineReader) finish(b []byte) []byte {
	l.line++
	if l.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}

// rowLines remembers the lines of rows, in the short form while they follow
// one another.
type rowLines struct {
	first int
	lines []int32
	rows  int
}

func (r *rowLines) add(line int) {
	switch {
	case r.rows == 0:
		r.first = line
	case r.lines == nil && line != r.first+r.rows:
		for i := range r.rows {
			r.lines = append(r.lines, int32(r.first+i))
		}
		fallthrough
	case r.lines != nil:
		r.lines = append(r.lines, int32(line))
	}
	r.rows++
}

// join appends the lines of other rows.
func (r *rowLines) join(o *rowLines) {
	for i := range o.rows {
		if o.lines != nil {
			r.add(int(o.lines[i]))
		} else {
			r.add(o.first + i)
		}
	}
}

// take returns the lines of some of the rows.
func (r *rowLines) take(keep []int) rowLines {
	var out rowLines
	for _, k := range keep {
		if r.lines != nil {
			out.add(int(r.lines[k]))
		} else {
			out.add(r.first + k)
		}
	}
	return out
}

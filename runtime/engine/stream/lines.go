package stream

import (
	"bytes"
	"errors"
	"io"
)

// lines hands out the lines of a text with their ends, without copying them.
type lines struct {
	r      io.Reader
	buf    []byte
	lo, hi int // what is unread is buf[lo:hi]
	err    error
}

const (
	roomOfLines = 1 << 20
	mostOfLine  = 1 << 28
)

var errLongLine = errors.New("a line is longer than 256 MiB")

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, roomOfLines)} }

// next is a line with its end, good until the next call; io.EOF after the last.
func (l *lines) next() ([]byte, error) {
	for scanned := 0; ; {
		if k := bytes.IndexByte(l.buf[l.lo+scanned:l.hi], '\n'); k >= 0 {
			line := l.buf[l.lo : l.lo+scanned+k+1]
			l.lo += len(line)
			return line, nil
		}
		scanned = l.hi - l.lo
		if l.err != nil {
			if scanned > 0 && l.err == io.EOF {
				line := l.buf[l.lo:l.hi]
				l.lo = l.hi
				return line, nil
			}
			return nil, l.err
		}
		if l.lo > 0 {
			copy(l.buf, l.buf[l.lo:l.hi])
			l.lo, l.hi = 0, scanned
		}
		if l.hi == len(l.buf) {
			if len(l.buf) >= mostOfLine {
				return nil, errLongLine
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		var n int
		n, l.err = l.r.Read(l.buf[l.hi:])
		l.hi += n
	}
}

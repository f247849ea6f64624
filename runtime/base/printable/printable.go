// Package printable makes text that comes from files fit for a terminal: the text of a key, a
// header or a name cannot move the cursor, set the title, start a line, or fill the screen.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most is how many characters of a line Line leaves.
const Most = 600

// Line is text as a part of one line: control characters, line ends among them,
// are escaped, and what is behind the first Most characters is counted instead.
func Line(text string) string { return escape(Cut(text, Most), true) }

// Text is text of several lines, whose control characters but line ends and tabs
// are escaped.
func Text(text string) string { return escape(text, false) }

// Cut leaves the first characters of a text, up to so many, and says how many
// bytes were left out.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := 0
	for range most {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
		if end >= len(text) {
			return text
		}
	}
	return fmt.Sprintf("%s… (%d more bytes)", text[:end], len(text)-end)
}

// plain reports whether a character is shown as it is.
func plain(r rune, size int, line bool) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		// no UTF-8; some terminals take such bytes as control characters
		return false
	case r == '\n' || r == '\t':
		return !line
	case r < 0x20 || 0x7f <= r && r < 0xa0: // C0, delete, C1
		return false
	case r == 0x2028 || r == 0x2029 || r == 0xfeff:
		// line and paragraph separators, byte order mark
		return false
	}
	return !unicode.Is(unicode.Bidi_Control, r) // they show text in another order than it has
}

// escape writes characters that are not plain as JSON does, so that JSON stays
// what it is, and bytes that are no UTF-8 as \xff.
func escape(text string, line bool) string {
	k := 0
	for k < len(text) {
		r, n := utf8.DecodeRuneInString(text[k:])
		if !plain(r, n, line) {
			break
		}
		k += n
	}
	if k == len(text) {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:k])
	for k < len(text) {
		r, n := utf8.DecodeRuneInString(text[k:])
		switch {
		case plain(r, n, line):
			b.WriteString(text[k : k+n])
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, text[k])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		k += n
	}
	return b.String()
}

// A Writer escapes what is written through it as Text does.
type Writer struct {
	w    io.Writer
	rest []byte // the beginning of a character, whose end comes with the next call
}

// NewWriter makes a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (w *Writer) Write(b []byte) (int, error) {
	all := b
	if len(w.rest) > 0 {
		all = append(w.rest, b...)
		w.rest = nil
	}
	end := whole(all)
	if _, err := io.WriteString(w.w, Text(string(all[:end]))); err != nil {
		return 0, err
	}
	w.rest = append(w.rest, all[end:]...)
	return len(b), nil
}

// Flush writes what is left of a character that was cut off.
func (w *Writer) Flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	rest := string(w.rest)
	w.rest = nil
	_, err := io.WriteString(w.w, Text(rest))
	return err
}

// whole is where the last character of b begins, if b has only its beginning,
// and else the end of b.
func whole(b []byte) int {
	for k := 1; k <= min(utf8.UTFMax-1, len(b)); k++ {
		if c := b[len(b)-k]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-k:]) {
				return len(b) - k
			}
			break
		}
	}
	return len(b)
}

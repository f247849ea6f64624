package format

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// wide reports whether a text begins with the byte-order mark of UTF-16, and whether the
// high byte of a unit comes first.
func wide(in *bufio.Reader) (is, big bool) {
	head, _ := in.Peek(2)
	switch {
	case bytes.Equal(head, []byte{0xff, 0xfe}):
		return true, false
	case bytes.Equal(head, []byte{0xfe, 0xff}):
		return true, true
	}
	return false, false
}

// A wideReader reads UTF-16 as UTF-8. Unpaired surrogates become U+FFFD.
type wideReader struct {
	in   *bufio.Reader
	big  bool
	left []byte // of a character, that did not fit
	high rune   // half of a pair that waits for the other; 0 without
	err  error
}

func (w *wideReader) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(w.in, b[:]); err != nil {
		return 0, err
	}
	if w.big {
		b[0], b[1] = b[1], b[0]
	}
	return rune(b[0]) | rune(b[1])<<8, nil
}

// Read implements io.Reader. A byte too few at the end is io.ErrUnexpectedEOF.
func (w *wideReader) Read(to []byte) (n int, err error) {
	for n < len(to) {
		if len(w.left) > 0 {
			k := copy(to[n:], w.left)
			n, w.left = n+k, w.left[k:]
			continue
		}
		if w.err != nil {
			break
		}
		var u rune
		if u, w.err = w.unit(); w.err != nil {
			if w.high != 0 {
				w.left, w.high = utf8.AppendRune(nil, utf8.RuneError), 0
			}
			continue
		}
		switch {
		case w.high != 0:
			pair := utf16.DecodeRune(w.high, u)
			w.high = 0
			w.left = utf8.AppendRune(nil, pair)
			if pair == utf8.RuneError && !utf16.IsSurrogate(u) {
				w.left = utf8.AppendRune(w.left, u)
			}
		case u >= 0xd800 && u < 0xdc00:
			w.high = u
		case u < utf8.RuneSelf:
			to[n] = byte(u)
			n++
		default:
			w.left = utf8.AppendRune(nil, u)
		}
	}
	if n == 0 && w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// fromLatin returns a text that is not UTF-8 as if each byte were a character: Latin-1, with
// the quotes and dashes that Windows has in the place of its control characters.
func fromLatin(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/2)
	for _, c := range b {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 && windows[c-0x80] != 0 {
			r = windows[c-0x80]
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// windows are the characters 0x80 to 0x9f of Windows-1252
// (https://encoding.spec.whatwg.org/index-windows-1252.txt); 0 where it has none.
var windows = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

package trace

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

func sealed(line string) string {
	return fmt.Sprintf("%s %08x\n", line, crc32.Checksum([]byte(line), castagnoli))
}

func putLine(path string, d digest) string {
	return sealed(fmt.Sprintf("+ %08x %d %s", d.crc, d.size, strconv.Quote(path)))
}

func countLine(n int) string { return sealed("= " + strconv.Itoa(n)) }

func cut(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// errTorn is the damage of a journal whose last line is incomplete.
var errTorn = errors.New("cut short")

func unsealed(line string) (string, bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 {
		return "", false
	}
	sum, err := strconv.ParseUint(line[at+1:], 16, 32)
	return line[:at], err == nil && len(line)-at == 9 &&
		uint32(sum) == crc32.Checksum([]byte(line[:at]), castagnoli)
}

// parse processes the lines up to the first that is incomplete or has a wrong check sum. If
// complete lines follow that one, the journal is damaged. A text without a valid first line is an
// error.
func (j *journal) parse(text string) error {
	for at := 0; at < len(text); {
		j.whole = at
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 || !j.take(text[at:at+end]) {
			if j.lines == 0 {
				return fmt.Errorf("%s: %w: it is no list of digests", j.path, ErrCorrupt)
			}
			for rest := text[at:]; rest != ""; {
				line, more, _ := strings.Cut(rest, "\n")
				if _, ok := unsealed(line); ok {
					j.damage = fmt.Errorf("%s: %w: its line %d does not fit its check sum", j.path,
						ErrCorrupt, j.lines+1)
				}
				rest = more
			}
			if j.damage == nil {
				j.damage = errTorn
			}
			return nil
		}
		at += end + 1
	}
	if j.lines == 0 {
		return fmt.Errorf("%s: %w: it is no list of digests", j.path, ErrCorrupt)
	}
	return nil
}

// take processes a line and reports whether it is valid.
func (j *journal) take(line string) bool {
	text, ok := unsealed(line)
	if !ok || j.lines == 0 != (text == journalHead) {
		return false
	}
	kind, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "+":
		f := strings.SplitN(rest, " ", 3)
		if len(f) != 3 {
			return false
		}
		crc, e1 := strconv.ParseUint(f[0], 16, 32)
		size, e2 := strconv.ParseInt(f[1], 10, 64)
		path, e3 := strconv.Unquote(f[2])
		if e1 != nil || e2 != nil || e3 != nil {
			return false
		}
		j.put(path, digest{uint32(crc), size})
		return true
	case "-":
		path, err := strconv.Unquote(rest)
		if err != nil {
			return false
		}
		j.removed[path] = j.lines
	case "=":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return false
		}
		j.settle(n)
		return true
	}
	j.lines++
	return true
}

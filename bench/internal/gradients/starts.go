package gradients

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The comments around what Starts writes.
const (
	beginStarts = "<!-- made of gradients/starts.tsv: go test ./bench -run Fresh -update -->\n"
	endStarts   = "<!-- end of starts -->\n"
)

// Starts returns the page with the table of the times to the first draw, from the file that
// bench/gradients -starts has written. Of its times those of processors are shown, since elapsed
// times are those of a machine that others use.
func Starts(page, text []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, []byte(beginStarts))
	_, after, closed := bytes.Cut(rest, []byte(endStarts))
	if !ok || !closed {
		return nil, fmt.Errorf("the page lacks the comments around the table of starts")
	}
	var b strings.Builder
	b.WriteString("\n| program | lines | `sgppl import` | VM | native, built | native, new |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 9 {
			return nil, fmt.Errorf("line %d of the starts has %d fields, not 9", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |", f[0], f[1])
		for _, k := range []int{2, 4, 6, 8} {
			ms, err := strconv.ParseFloat(f[k], 64)
			if err != nil || ms <= 0 {
				return nil, fmt.Errorf("line %d of the starts: %q is no time", i+1, f[k])
			}
			fmt.Fprintf(&b, " %s ms |", strconv.FormatFloat(rounded(ms), 'f', -1, 64))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return slices.Concat(before, []byte(beginStarts), []byte(b.String()), []byte(endStarts), after), nil
}

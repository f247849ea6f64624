package printable

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// A several is an error of several lines, which escapes the names in it.
type several string

func (e several) Error() string { return string(e) }
func (several) Printable()      {}

type name string

func TestSprintf(t *testing.T) {
	const bad = "a\nerror: forged\x1b[2J"
	const safe = `a\nerror: forged\u001b[2J`
	path := &fs.PathError{Op: "open", Path: bad, Err: errors.New("no such file")}
	for _, c := range []struct {
		arg  any
		want string
	}{
		{bad, safe},
		{name(bad), safe},
		{[]string{bad, "b"}, "[" + safe + " b]"},
		{path, "open " + safe + ": no such file"},
		{fmt.Errorf("%s: %w", bad, path), safe + ": open " + safe + ": no such file"},
		{several("one\n  two"), "one\n  two"},
		{fmt.Errorf("%s: %w; %s", bad, several("one\n  two"), bad), safe + ": one\n  two; " + safe},
		{errors.Join(errors.New(bad), errors.New("b")), safe + `\nb`},
		{Lines("one\ntwo"), "one\ntwo"},
		{7, "7"},
		{strings.Repeat("k", 100000), strings.Repeat("k", Most) + "… (99400 more bytes)"},
	} {
		if got := Sprintf("<%v>", c.arg); got != "<"+c.want+">" {
			t.Errorf("%T: %q, want %q", c.arg, got, c.want)
		}
	}
}

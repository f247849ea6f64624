package sources

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// TestConceal: no text has a password any more, and the program gets it with the address that
// the source has.
func TestConceal(t *testing.T) {
	for _, c := range []struct{ text, shown, address, word string }{
		{"postgres://anna:secret@h:5432/d?table=t", "postgres://anna@h:5432/d?table=t",
			"postgres://anna@h:5432/d", "secret"},
		{"y=postgres://anna:s%40c/:ret@h/d?sslmode=disable&query=select ':x@y' as y;:y",
			"y=postgres://anna@h/d?sslmode=disable&query=select ':x@y' as y;:y",
			"postgres://anna@h/d?sslmode=disable", "s@c/:ret"},
		{"mysql://a@h/d?password=p%20w&query=select 1", "mysql://a@h/d?query=select 1",
			"mysql://a@h/d", "p w"},
		{"--data=y=mariadb://a:p@h/d?tls=true&password=q&table=t",
			"--data=y=mariadb://a@h/d?tls=true&table=t",
			"mariadb://a@h/d?tls=true", "q"},
		{"postgres://h/d?query=select 'a:b@c'", "postgres://h/d?query=select 'a:b@c'",
			"postgres://h/d", ""},
		{"x.csv:a@b", "x.csv:a@b", "", ""},
		{"postgres://a:secret@h", "postgres://a@h", "postgres://a@h", "secret"},
	} {
		if got := Conceal([]string{c.text}); got[0] != c.shown {
			t.Errorf("%s is shown as %s", c.text, got[0])
		}
		if got := passwords.of(c.address)["password"]; got != c.word {
			t.Errorf("%s: the password of %s is %q", c.text, c.address, got)
		}
	}
}

// TestNotInstalled: where the program is not on the PATH, the message says how to install it.
func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := read(format.Source{Kind: "postgres", Address: "postgres://h/d"}, false, &bytes.Buffer{})
	if err == nil ||
		!strings.Contains(err.Error(), "PostgreSQL is read by the program sgppl-sources") ||
		!strings.Contains(err.Error(), "note: install it: go install github.com/sgppl/sgppl/sources/") {
		t.Error(err)
	}
}

// TestProgramFails: what the program says on standard error is the message, and a table that
// is cut off is no table.
func TestProgramFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a script of a shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for script, want := range map[string]string{
		"read line; echo asked: $line >&2; exit 3": `sgppl-sources failed: asked: {"version":1,` +
			`"hidden":{"password":"secret"},"kind":"mysql","address":"mysql://anna@h/d","table":"t"}`,
		"exit 1":                 "sgppl-sources failed: exit status 1",
		"printf SGTABLE1":        "the table is cut off",
		"printf SGTABLE1; false": "the table is cut off",
		"echo hello":             "the table does not begin with SGTABLE1",
	} {
		program := filepath.Join(dir, format.SourceProgram)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		_, errs := format.ReadFile(ConcealOne("mysql://anna:secret@h/d?table=t"))
		if len(errs) != 1 || !strings.Contains(errs[0].Message, want) ||
			errs[0].File != "mysql://anna@h/d?table=t" {
			t.Errorf("%s: %v", script, errs)
		}
	}
}

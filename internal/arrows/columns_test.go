package arrows

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sgppl/sgppl/internal/reference"
)

// mostColumns is how long lines of source may be; a tab counts as one column.
const mostColumns = 100

// TestColumns: lines of Go that are written by hand are short enough to stand next to each other
// on a screen. Texts in raw strings, tags of structs, and preformatted comments have the lines
// that they have.
func TestColumns(t *testing.T) {
	root := reference.Root(t)
	files := written(t, root)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		free := rawLines(text)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if utf8.RuneCount(line) > mostColumns && !free[i+1] &&
				!bytes.HasPrefix(bytes.TrimSpace(line), []byte("//\t")) {
				t.Errorf("%s:%d: %d columns, more than %d", name, i+1, utf8.RuneCount(line),
					mostColumns)
			}
		}
	}
}

// written lists the files of Go in the repository that no program writes.
func written(t *testing.T, root string) []string {
	git := func(in string, args ...string) []string {
		c := exec.Command("git", args...)
		c.Dir, c.Stdin = root, strings.NewReader(in)
		out, err := c.Output()
		if err != nil {
			t.Skipf("git does not list the files: %v", err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	all := git("", "ls-files", "*.go")
	var out []string
	for _, line := range git(strings.Join(all, "\n"), "check-attr", "--stdin", "linguist-generated") {
		name, rest, _ := strings.Cut(line, ": ")
		if !strings.HasSuffix(rest, ": set") && !strings.Contains(name, "testdata/") {
			out = append(out, name)
		}
	}
	return out
}

// rawLines are the lines that a raw string touches.
func rawLines(text []byte) map[int]bool {
	out := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		at, tok, literal := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.STRING && literal[0] == '`' {
			first := file.Line(at)
			for i := range strings.Count(literal, "\n") + 1 {
				out[first+i] = true
			}
		}
	}
}

package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestTools runs the scripts of the commands that need no run: check, fmt,
// compile, explain and doc. SGPPL_UPDATE=1 rewrites their golden files.
func TestTools(t *testing.T) { scripts(t, filepath.Join("testdata", "tools")) }

// TestBadInputs runs the table of bad inputs, each with its exit status and its
// message, whole where it is always the same.
func TestBadInputs(t *testing.T) { scripts(t, filepath.Join("testdata", "bad")) }

// compress: gzip FILE writes FILE.gz.
func compress(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	f, err := os.Create(ts.MkAbs(args[0] + ".gz"))
	ts.Check(err)
	w := gzip.NewWriter(f)
	_, err = w.Write([]byte(text))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// cut FILE N keeps the first N bytes of a file; of a negative N all but the last.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n < 0 {
		n += len(ts.ReadFile(args[0]))
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(n)))
}

// flip FILE N turns a bit of byte N of a file, of a negative N from its end.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[0]))
	if n < 0 {
		n += len(text)
	}
	text[n] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// TestBadInputsAreMany: the table has at least forty cases, and none without
// its message.
func TestBadInputsAreMany(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "bad", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		runs := len(regexp.MustCompile(`(?m)^exits [1-9]`).FindAll(text, -1))
		messages := len(regexp.MustCompile(`(?m)^(cmp )?stderr `).FindAll(text, -1))
		if runs != messages {
			t.Errorf("%s: %d failures, %d messages", file, runs, messages)
		}
		cases += runs
	}
	if cases < 40 {
		t.Errorf("%d cases", cases)
	}
}

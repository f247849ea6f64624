package main

import (
	"strings"
	"testing"
)

// TestForgedLines: a name that holds a line end writes no line of its own, and one
// that is very long does not fill the screen.
func TestForgedLines(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ normal(m, 1)\n")
	write(t, "key.json", `{"x": [1, 2], "a\nsgppl: error: forged": 1, "`+strings.Repeat("k", 100000)+`": 1}`)
	write(t, "head.csv", "x,\"a\nsgppl: error: forged\"\n1,2\n")
	for _, args := range [][]string{
		{"sample", "m.sg", "--data", "key.json", "--engine", "vm", "--warmup", "5", "--draws", "5", "--out", "a", "--progress", "none"},
		{"sample", "m.sg", "--data", "head.csv", "--engine", "vm", "--warmup", "5", "--draws", "5", "--out", "b", "--progress", "none"},
		{"summary", "no\nsgppl: error: forged"}, {"verify", "no\nsgppl: error: forged"}, {"sample", "--resume", "no\nsgppl: error: forged"},
	} {
		_, _, stderr := inProcess(t, "", args...)
		if strings.Contains(stderr, "\nsgppl: error: forged") {
			t.Errorf("%q writes a line of its own: %s", args, stderr)
		}
		if !strings.Contains(stderr, "forged") || len(stderr) > 5000 {
			t.Errorf("%q: %d bytes: %.2000s", args, len(stderr), stderr)
		}
	}
}

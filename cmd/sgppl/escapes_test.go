package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostileText moves a cursor, sets a title, turns text around and begins a line.
const hostileText = "\x1b[2J\x1b]0;t\a\x9b31m\u009b1m\u202e\r"

// commands fails where an output has characters that command a terminal.
func commands(t *testing.T, what string, outputs ...string) {
	t.Helper()
	for _, text := range outputs {
		for i, r := range text {
			if r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || r == 0x202e {
				t.Errorf("%s: %q at %d of %.300q", what, r, i, text[max(0, i-40):])
				break
			}
		}
	}
}

// TestEscapes: whatever a file, its name, its keys or a run directory hold, what
// is printed commands no terminal.
func TestEscapes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "m.sg", "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ normal(m, 1)\n")
	write(t, "esc.sg", "param "+hostileText+"x : real ~ nrmal(0, 1) // "+hostileText+"\n")
	write(t, "key.json", `{"x": [1, 2], "x`+
		`\u001b[2J\u009b\r\nsgppl: error: forged": [1], "y": "\u001b"}`)
	write(t, "head.csv", "x,"+hostileText+"\n1,2\n")
	write(t, "cell.csv", "x\n1\n"+hostileText+"\n")
	write(t, "ok.json", `{"x": [1, 2, 3]}`)
	odd := "a\x1b[2J\u202eb.csv"
	if err := os.WriteFile(odd, []byte("x\nno\n"), 0o666); err != nil {
		t.Skip(err)
	}
	base := []string{"sample", "m.sg", "--engine", "vm", "--full-batch", "--warmup", "5", "--draws",
		"5", "--seed", "1", "--out", "r", "--progress", "none"}
	for _, args := range [][]string{
		{"check", "esc.sg"}, {"check", "esc.sg", "--json"}, {"check", "no" + hostileText + ".sg"},
		append(base, "--data", "key.json", "--force"),
		append(base, "--data", "x=key.json:"+hostileText),
		append(base, "--data", "head.csv", "--force"),
		append(base, "--data", "x=head.csv:y"), append(base, "--data", "cell.csv"),
		append(base, "--data", odd), append(base, "--data", "x="+odd),
		append(base, "--data", "ok.json", "--set", hostileText+"=1"), {"summary", hostileText},
		{"explain", hostileText}, {"doc", hostileText}, {hostileText},
		{"export", "r", "--to", hostileText, "--out", "q"},
	} {
		_, stdout, stderr := inProcess(t, "", args...)
		commands(t, strings.Join(args, " "), stdout, stderr)
	}
	if status, _, stderr := inProcess(t, "",
		append(base, "--data", "ok.json", "--force")...); status != 0 {
		t.Fatal(stderr)
	}
	path := filepath.Join("r", "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, change := range [][2]string{{`"model": "m"`, `"model": "\u001b[2J\u009b"`},
		{`"status": "done"`, `"status": "\u001b[2J"`},
		{`"block": "m"`, `"block": "\u001b[2Jm\n\u202e"`},
		{`"sampler": "nuts"`, `"sampler": "\u001b[2J"`},
		{`"sgppl_version": "`, `"sgppl_version": "\u001b[2J`},
		{`"model_file": "m.sg"`, `"model_file": "\u001b]0;x\u0007"`}} {
		write(t, path, string(text))
		if err := edit("r", regexp.QuoteMeta(change[0]), change[1]); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err == nil && string(b) != string(text) {
			changed++
		}
		for _, args := range [][]string{{"summary", "r"}, {"summary", "r", "--json"},
			{"score", "r", "--data", "ok.json"}, {"sample", "--resume", "r"},
			{"export", "r", "--to", "csv", "--out", "q.csv", "--force"}} {
			_, stdout, stderr := inProcess(t, "", args...)
			commands(t, change[1]+" "+strings.Join(args, " "), stdout, stderr)
		}
	}
	if changed < 5 {
		t.Errorf("only %d changes of run.json found their place in\n%s", changed, text)
	}
	// What is the text of a file stays as it is.
	write(t, "c.sg", "param x : real ~ normal(0, 1) // \u202e\n")
	if _, stdout, _ := inProcess(t, "", "fmt", "c.sg"); !strings.Contains(stdout, "\u202e") {
		t.Errorf("fmt changes a comment: %q", stdout)
	}
}

package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// names are what a directory has.
func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, f.Name())
	}
	return strings.Join(out, " ")
}

// TestNothingStays: what was stored of the rows of a run that is refused is taken
// away, with the directories that were made for it.
func TestNothingStays(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "bad.csv"), string(text)+"1,2,x,0\n")
	gz := exec.Command("gzip", "-k", "bad.csv")
	gz.Dir = dir
	if out, err := gz.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := names(t, dir)
	for i, c := range []struct {
		args string
		exit int
	}{
		{"--data t.csv.gz --sampler nuts", 2},
		{"--data t.csv.gz --sampler msgnht --step 0.01 --batch 7 --draws 100000000000", 2},
		{"--data bad.csv.gz --sampler msgnht --step 0.01 --batch 7", 3},
		{"--data t.csv --cache --sampler msgnht --step 0.01 --batch 7 --init none.json", 5},
		{"--data t.csv.gz --sampler msgnht --step 0.01 --batch 7 --held-out bad.csv", 3},
	} {
		out := []string{"", " --out deep/er/run"}[i%2]
		status, said := inDir(t, dir, disk.OS,
			strings.Fields("sample table.sg --stream --engine vm --progress none "+c.args+out)...)
		if status != c.exit {
			t.Errorf("%s: status %d\n%s", c.args, status, said)
		}
		if now := names(t, dir); now != before {
			t.Fatalf("%s: there is %s, before %s", c.args, now, before)
		}
	}
}

// TestStoredAgain: a run over a compressed file goes on where it was moved and what
// it had stored is gone, but not with another file. A run that is refused harms
// nothing of the one in whose place it would have been.
func TestStoredAgain(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	args := func(out string) []string {
		return strings.Fields("sample table.sg --data t.csv.gz --stream --sampler msgnht --step " +
			"0.01 --batch 20 --chains 1 --warmup 10 --draws 100 --thin 10 --block-rows 15 " +
			"--window 4 " +
			"--checkpoint 0.5 --engine vm --progress none --out " + out)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	succeeds(t, dir, strings.Join(args("whole"), " "))
	dies(t, dir, killedAt("chain-0.ckpt", 2), strings.Join(args("begun"), " "))
	if status, said := inDir(t, dir, disk.OS,
		append(args("begun"), "--force", "--held-out", "none.csv")...); status == 0 {
		t.Fatalf("held-out rows that are not there: %s", said)
	}
	if err := os.CopyFS(at("moved"), os.DirFS(at("begun"))); err != nil {
		t.Fatal(err)
	}
	resume := func(name string) (int, string) {
		return inDir(t, dir, disk.OS, "sample", "--resume", name, "--engine", "vm", "--progress",
			"none")
	}
	good, err := os.ReadFile(at("t.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(at("t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var other bytes.Buffer
	w := gzip.NewWriter(&other)
	w.Write(bytes.Replace(text, []byte("0."), []byte("1."), 1))
	w.Close()
	write(t, at("t.csv.gz"), other.String()) // another file in its place
	for _, name := range []string{"begun", "moved"} {
		if status, out := resume(name); status == 0 || !strings.Contains(out, "D0158") {
			t.Errorf("%s goes on with another file: status %d\n%s", name, status, out)
		}
	}
	os.Remove(at("t.csv.gz"))
	write(t, at("t.csv.gz"), string(good))
	for name, note := range map[string]string{"begun": "", "moved": "stored again"} {
		status, out := resume(name)
		if status != 0 || !strings.Contains(out, note) {
			t.Fatalf("%s: status %d\n%s", name, status, out)
		}
		sameDraws(t, at(name), at("whole"))
		if now := names(t, at(name+".rows")); now != "0.cells" {
			t.Errorf("%s.rows has %s", name, now)
		}
	}
	// A run that takes the place of another takes away what that had stored.
	succeeds(t, dir, "sample table.sg --data t.csv --sampler msgnht --step 0.01 --batch 7 "+
		"--warmup 1 --draws 10 --engine vm --progress none --force --out moved")
	if _, err := os.Stat(at("moved.rows")); err == nil {
		t.Error("what was stored of the run that was replaced is still there")
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var fence = regexp.MustCompile("(?s)```(sg|sh)\n(.*?)```")

// The walk of docs/cluster.md runs as printed.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds sgppl")
	}
	text, err := os.ReadFile("../../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	for _, b := range []struct{ dir, out string }{{"../../..", "sgppl"}, {".", "sgppl-cluster"}} {
		target := "."
		if b.out == "sgppl" {
			target = "./cmd/sgppl"
		}
		c := exec.Command("go", "build", "-tags", "noclouds,nobeam", "-o", filepath.Join(bin, b.out),
			target)
		c.Dir = b.dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	// The engine that the walk builds shares what is compiled.
	compiled, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		if m[1] == "sg" {
			if err := os.WriteFile(filepath.Join(dir, "score.sg"), []byte(m[2]), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c := exec.CommandContext(t.Context(), "sh", "-e", "-c", m[2])
		c.Dir, c.WaitDelay = dir, time.Second
		c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "XDG_CACHE_HOME="+dir,
			"GOCACHE="+strings.TrimSpace(string(compiled)))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v: %s", m[2], err, out)
		}
		said += string(out)
	}
	for _, words := range []string{"score.sg by surrogate: 4 shards", "for an hour of a processor",
		"exactness   checked: draws of a surrogate", "pass/001-pilot  4 of 4 tasks; 6000 rows",
		"exactness   exact: 6000 rows enter by 9 sums, computed in one pass over 4 shards", "shards, ",
		"nothing was written", "rows   6000 in 4 shards",
		"4 objects", "\ny\n", "each of 40 posteriors",
		"pass/002-fleet  1 of 1 tasks; 6000 rows"} {
		if !strings.Contains(said, words) {
			t.Errorf("the walk does not say %q:\n%s", words, said)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
)

// TestAcceptancePage: the tables of bench/tall-acceptance.md are made from the runs next to it, and
// every run that should be right is right.
func TestAcceptancePage(t *testing.T) {
	bench := filepath.Join(reference.Root(t), "bench")
	done, err := readResults[result](filepath.Join(bench, "tall", "acceptance.jsonl"))
	if err != nil || len(done) == 0 {
		t.Fatal(len(done), err)
	}
	checks, err := readResults[checked](filepath.Join(bench, "tall", checkedFile))
	if err != nil || len(checks) == 0 {
		t.Fatal(len(checks), err)
	}
	want, err := os.ReadFile(filepath.Join(bench, "tall-acceptance.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, want, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writePage(page, done, checks); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(page); string(got) != string(want) {
		t.Error("the page differs from its runs: go run ./internal/tallbench -page " +
			"bench/tall-acceptance.md -to bench/tall/acceptance.jsonl")
	}
	for _, b := range cases() {
		for _, r := range of(b.name, done) {
			switch {
			case b.settings != nil || b.change != nil: // a control may be wrong
			case b.nutsWanted != (r.Sampler == "nuts") && !b.either:
				t.Errorf("%s, seed %d: %s", b.name, r.Seed, r.line())
			case r.Sampler == "minibatches" && !r.right():
				t.Errorf("%s, seed %d: %s", b.name, r.Seed, r.line())
			}
		}
	}
	for _, c := range checks {
		if !c.right() && c.Refused == "" {
			t.Errorf("surrogate of %s, seed %d: a mean is off by %.3f sd", c.Case, c.Seed, c.ErrMean)
		}
	}
}

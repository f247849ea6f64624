package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// results has the recordings.
const results = "record/results"

// TestFreshRecorded: the tables of pages are those of the recordings:
//
//	go test ./bench -run Fresh -update
func TestFreshRecorded(t *testing.T) {
	pages, err := recorded.Pages(".", results)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what %s gives: go test ./bench -run Fresh -update", name, results)
		}
	}
}

// TestRecordings: every recording was made by its command, and pages show it.
func TestRecordings(t *testing.T) {
	pages, err := recorded.Pages(".", results)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range recorded.Recordings {
		r, err := recorded.Read(filepath.Join(results, s.Name+recorded.Suffix))
		if err != nil {
			t.Errorf("%v: go run ./bench/record %s", err, s.Name)
			continue
		}
		if r.Command != s.Command {
			t.Errorf("%s was measured by %q, and its command is %q", s.Name, r.Command, s.Command)
		}
		shown := false
		for _, text := range pages {
			shown = shown || bytes.Contains(text, []byte("<!-- recorded "+s.Name+" "))
		}
		if !shown {
			t.Errorf("no page shows %s", s.Name)
		}
	}
	files, err := filepath.Glob(results + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		name = strings.TrimSuffix(filepath.Base(name), recorded.Suffix)
		if !slices.ContainsFunc(recorded.Recordings,
			func(s recorded.Source) bool { return s.Name == name }) {
			t.Errorf("%s is no recording", name)
		}
	}
}

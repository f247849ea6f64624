package bench

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// TestFreshRecorded: the tables of pages are those of the recordings:
//
//	go test ./bench -run Fresh -update
func TestFreshRecorded(t *testing.T) {
	pages, _, err := recorded.Pages(".", *update)
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
			t.Errorf("%s is not what %s gives: change the files there, not the page, then "+
				"go test ./bench -run Fresh -update", name, recorded.Results)
		}
	}
}

// TestRecordings: every recording was made by its command, every other stored file says that it was
// typed, and pages show all of them.
func TestRecordings(t *testing.T) {
	_, shown, err := recorded.Pages(".", false)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]string{}
	for _, s := range recorded.Recordings {
		commands[filepath.Join(recorded.Results, filepath.FromSlash(s.Name)+recorded.Suffix)] = s.Command
	}
	err = filepath.WalkDir(recorded.Results, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !slices.Contains(shown, path) {
			t.Errorf("no page shows %s", path)
		}
		r, err := recorded.Read(path)
		if err != nil {
			return err
		}
		switch command, is := commands[path]; {
		case !is && r.From == "":
			t.Errorf("%s is no recording: it belongs into recorded.Recordings", path)
		case is && r.Command != command:
			t.Errorf("%s was measured by %q, and its command is %q", path, r.Command, command)
		}
		delete(commands, path)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for path := range commands {
		t.Errorf("%s was not measured: go run ./bench/record", path)
	}
}

// explained are the tables without measurements, by their heads.
var explained = map[string][]string{
	"README.md": {"| page | what is measured |", "| side | what it is |"},
}

// made are the comments around tables that other generators make of stored files: commands
// bench/table, bench/papers, bench/gradients, bench/tall and internal/tallbench. Tests hold them to
// their results, as TestFreshRecorded does; the notes below them are made by recorded.Pages.
var made = map[string][]string{
	"a9a.md":             {"best", "grid", "langevin"},
	"doublewell.md":      {"steps"},
	"gradients.md":       {"made of"},
	"music.md":           {"music"},
	"networks.md":        {"steps", "sigmoids", "convolutions", "points"},
	"papers.md":          {"papers"},
	"sam.md":             {"sam", "wikipedia"},
	"spheres.md":         {"circle", "mixture", "mises"},
	"tall.md":            {"runs"},
	"tall-acceptance.md": {"summary", "refusals", "surrogates", "runs"},
}

// others are pages of made that have numbers of other pages.
var others = map[string]bool{"papers.md": true}

// TestTablesAreMade: every table of a page is made of stored files, or has no measurements.
func TestTablesAreMade(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if made[page] != nil && !others[page] && !bytes.Contains(text, []byte("<!-- stored ")) {
			t.Errorf("%s does not say when its results were stored", page)
		}
		for _, head := range typed(string(text), made[page]) {
			if !slices.Contains(explained[page], head) {
				t.Errorf("%s: nothing makes the table %s (ARCHITECTURE.md says how to add one)", page, head)
			}
		}
	}
}

var comment = regexp.MustCompile(`^<!-- (.*) -->$`)

// typed are the heads of the tables of a page that stand between no comments of generators.
func typed(page string, generators []string) (heads []string) {
	inside, before, code := false, "", false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if m := comment.FindStringSubmatch(line); m != nil {
			name, _, _ := strings.Cut(m[1], " ")
			inside = name == "recorded" || name == "ratios" || slices.Contains(generators, name) ||
				slices.ContainsFunc(generators, func(g string) bool {
					return strings.HasPrefix(m[1], g+" ")
				})
		}
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if strings.HasPrefix(line, "|") && !strings.HasPrefix(before, "|") && !inside && !code {
			heads = append(heads, line)
		}
		before = line
	}
	return heads
}

// TestTyped: a table between comments is not typed, one before or after them is.
func TestTyped(t *testing.T) {
	page := "| a |\n| --- |\n| 1 |\n\n<!-- recorded x -->\n\n| b |\n\n<!-- end of recorded -->\n" +
		"| c |\n<!-- made of x -->\n| d |\n<!-- end -->\n```\n| e |\n```\n<!-- other -->\n| f |\n"
	if got := fmt.Sprint(typed(page, []string{"made of"})); got != "[| a | | c | | f |]" {
		t.Error(got)
	}
}

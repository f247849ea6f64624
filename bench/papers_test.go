package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/papers"
)

// TestFreshPapers: tables of pages and figures are those of the results:
//
//	go test ./bench -run Fresh -update
func TestFreshPapers(t *testing.T) {
	if *update {
		if err := papers.Write("."); err != nil {
			t.Fatal(err)
		}
	}
	files, err := papers.Files(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the results give: go test ./bench -run Fresh -update", name)
		}
	}
	have, err := filepath.Glob("figures/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range have {
		if files[filepath.ToSlash(name)] == nil {
			t.Errorf("nothing makes %s", name)
		}
	}
}

// TestPapers: every figure and every row of a table of the papers has a command, and our number
// on a page that has both, or says why it was not made.
func TestPapers(t *testing.T) {
	number := regexp.MustCompile(`\d+(\.\d+)?`)
	for _, p := range papers.Papers {
		for _, r := range p.Rows {
			if r.Item == "" || r.What == "" {
				t.Errorf("%s: a row lacks its name: %+v", p.Name, r)
			}
			if r.Command == "" {
				if r.Why == "" || r.Ours != "" || r.Page != "" {
					t.Errorf("%s, %s, %s: without a command there is a reason, and no number", p.Name,
						r.Item, r.What)
				}
				continue
			}
			if r.Ours == "" {
				t.Errorf("%s, %s, %s: a command and no number", p.Name, r.Item, r.What)
			}
			name, anchor, _ := strings.Cut(r.Page, "#")
			text, err := os.ReadFile(name)
			if err != nil {
				t.Errorf("%s, %s: %v", p.Name, r.Item, err)
				continue
			}
			if !hasSection(string(text), anchor) {
				t.Errorf("%s, %s: %s has no section #%s", p.Name, r.Item, name, anchor)
			}
			if !strings.Contains(string(text), r.Command) {
				t.Errorf("%s, %s: %s has no command %q", p.Name, r.Item, name, r.Command)
			}
			for _, x := range number.FindAllString(r.Ours, -1) {
				if !strings.Contains(string(text), x) {
					t.Errorf("%s, %s, %s: %s has no number %s", p.Name, r.Item, r.What, name, x)
				}
			}
		}
	}
}

// hasSection reports whether a page has a heading with an anchor.
func hasSection(page, anchor string) bool {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(page) {
		title, is := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !is || !strings.HasPrefix(line, "#") {
			continue
		}
		slug := drop.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		if strings.ReplaceAll(slug, " ", "-") == anchor {
			return true
		}
	}
	return false
}

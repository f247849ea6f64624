package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestIndex: docs/README.md has a link to every page in docs.
func TestIndex(t *testing.T) {
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || path == "README.md" {
			return err
		}
		pages++
		if !strings.Contains(string(index), "]("+filepath.ToSlash(path)+")") {
			t.Errorf("docs/README.md has no link to %s", path)
		}
		return nil
	})
	if err != nil || pages < 30 {
		t.Fatal(pages, err)
	}
}

// TestLinks: every file that a page links to is there, in docs, in bench, in examples,
// in README.md and in ARCHITECTURE.md.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#: ]*[./][^)#: ]*)(#[^)]*)?\)`)
	links := 0
	for _, glob := range []string{"*.md", "*/*.md", "../*.md", "../bench/*.md",
		"../examples/*.md"} {
		pages, err := filepath.Glob(glob)
		if err != nil || len(pages) == 0 {
			t.Fatal(glob, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				links++
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", page, m[1])
				}
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links were found", links)
	}
}

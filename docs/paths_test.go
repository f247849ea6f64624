package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPaths: every file and folder that ARCHITECTURE.md and docs/internals name is there.
func TestPaths(t *testing.T) {
	pages, err := filepath.Glob("internals/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	quoted := regexp.MustCompile("`([^` ]+)`")
	folder := regexp.MustCompile(`^(cmd|codegen|docs|examples|internal|ir|lang|parquet|parser|runtime|stdlib)(/|$)`)
	named := 0
	for _, page := range append(pages, "../ARCHITECTURE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			if !folder.MatchString(m[1]) {
				continue
			}
			named++
			path := strings.TrimSuffix(m[1], "/…")
			if found, err := filepath.Glob("../" + path); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d paths were found in the pages", named)
	}
}

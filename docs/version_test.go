package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sgppl/sgppl"
)

// TestVersions: pages of benchmarks say the version that was measured, and the page of
// examples, whose commands tests run, the one at hand.
func TestVersions(t *testing.T) {
	pages, err := filepath.Glob("../bench/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	measured := regexp.MustCompile(`(?m)^Measured with sgppl \d+\.\d+\.\d+(-\w+)?\.$`)
	for _, page := range pages {
		if text, err := os.ReadFile(page); err != nil || !measured.Match(text) {
			t.Errorf("%s does not say the version that was measured: %v", page, err)
		}
	}
	at := regexp.MustCompile(`(?m)^For sgppl ` + regexp.QuoteMeta(sgppl.Version) + `\.$`)
	if text, err := os.ReadFile("../examples/README.md"); err != nil || !at.Match(text) {
		t.Errorf("examples/README.md does not say that it is for sgppl %s: %v", sgppl.Version, err)
	}
}

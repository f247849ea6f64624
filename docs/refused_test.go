package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/diag"
)

// language.md ends with every code that refuses what the checker accepts.
func TestRefusedCodes(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## What is refused\n")
	if !found {
		t.Fatal("language.md has no such section")
	}
	listed := regexp.MustCompile(`(?m)^\| (E07\d\d) `).FindAllStringSubmatch(section, -1)
	var have []string
	for _, m := range listed {
		have = append(have, m[1])
	}
	for _, code := range diag.Codes() {
		if c := string(code.Code); strings.HasPrefix(c, "E07") && c != "E0701" &&
			!slices.Contains(have, c) {
			// E0701: a fault of sgppl itself
			t.Errorf("%s is not in the table", c)
		}
	}
	for _, c := range have {
		if _, known := diag.Explain(diag.Code(c)); !known {
			t.Errorf("there is no code %s", c)
		}
	}
}

package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/flags"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

func init() { setting.Spell = flags.Name }

// TestHealthPage: the table of statistics of health.md is the one of the samplers.
// With -update it is written.
func TestHealthPage(t *testing.T) {
	text, err := os.ReadFile("health.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| statistic | runs that have it | what it is | verdict |\n" +
		"| --- | --- | --- | --- |\n")
	for _, s := range health.Statistics() {
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s |\n", s.Name, s.Of, s.Is, s.OK)
	}
	head, rest, found := strings.Cut(string(text), "| statistic |")
	_, tail, ended := strings.Cut(rest, "\n\n")
	if !found || !ended {
		t.Fatal("health.md has no table of statistics")
	}
	page := head + want.String() + "\n" + tail
	if page == string(text) {
		return
	}
	if !*update {
		t.Fatal("health.md differs from the table of statistics: run go test ./docs -update")
	}
	if err := os.WriteFile("health.md", []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
}

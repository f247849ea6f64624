package stan

import (
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// TestPage: every program of docs/stan.md is imported as the page shows.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/stan.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```stan\n")[1:]
	if len(parts) < 10 {
		t.Errorf("the page has %d programs", len(parts))
	}
	for _, p := range parts {
		program, rest, ok := strings.Cut(p, "```\n")
		_, rest, ok2 := strings.Cut(rest, "```sg\n")
		want, _, ok3 := strings.Cut(rest, "```\n")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("a program without its model:\n%s", program)
		}
		r, diags := Import(source.New("m.stan", program))
		if r == nil {
			t.Errorf("refused: %s\n%s", diags[0].Message, program)
			continue
		}
		if r.Text != want {
			t.Errorf("the page has\n%s\nand the import gives\n%s", want, r.Text)
		}
	}
}

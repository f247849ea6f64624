package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/glossary"
)

// glossary.md is the glossary of the command. With -update it is written.
func TestGlossaryPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Glossary\n\nThe words that sgppl prints. `sgppl doc WORD` shows an entry in " +
		"a terminal. " +
		"h is the step, D the friction, T the temperature, V the covariance of the noise of a " +
		"minibatch's gradient, " +
		"ξ the friction of a thermostat, v a velocity, U the negative log density, d the number " +
		"of coordinates.\n")
	cell := func(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
	for _, p := range glossary.Parts() {
		fmt.Fprintf(&b, "\n## %s: %s\n", strings.ToUpper(p.Name[:1])+p.Name[1:], p.Title)
		for _, w := range p.Words {
			fmt.Fprintf(&b, "\n### %s\n\n%s.", w.Name, cell(strings.ToUpper(w.Is[:1])+w.Is[1:]))
			if len(w.Aliases) > 0 {
				fmt.Fprintf(&b, " Also: %s.", strings.Join(w.Aliases, ", "))
			}
			b.WriteString("\n")
			for i, l := range w.Lines() {
				text := cell(l.Text)
				if page, ok := strings.CutPrefix(text, "docs/"); ok && l.Head == "more" {
					text = fmt.Sprintf("[%s](%s)", page, page)
				}
				if i == 0 {
					b.WriteString("\n| | |\n| --- | --- |\n")
				}
				fmt.Fprintf(&b, "| %s | %s |\n", l.Head, text)
			}
		}
	}
	old, _ := os.ReadFile("glossary.md")
	if string(old) == b.String() {
		return
	}
	if !*update {
		t.Fatal("glossary.md differs from the glossary: run go test ./docs -update")
	}
	if err := os.WriteFile("glossary.md", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

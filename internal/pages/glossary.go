package pages

import (
	"strings"

	"github.com/sgppl/sgppl/internal/glossary"
)

// Glossary has the words that the command shows, and the page about health.
func Glossary() []Table {
	var out []Table
	for _, p := range glossary.Parts() {
		t := Table{Name: p.Name, Title: p.Title}
		for _, w := range p.Words {
			t.Entries = append(t.Entries,
				Entry{Name: w.Name, Aliases: w.Aliases, Line: w.Is, Page: wordPage(&w)})
		}
		if p.Name == "statistics" {
			t.Title = "the rows of the health table at the end of a run; `sgppl doc health` says " +
				"how to read it"
		}
		out = append(out, t)
	}
	return append(out, Table{"pages", "that explain a table", []Entry{
		{Name: "health", Aliases: []string{"verdicts"},
			Line: "how to read the health table at the end of a run", Page: healthPage()},
	}})
}

// wordPage is the page of a word of the glossary.
func wordPage(w *glossary.Word) string {
	var b strings.Builder
	b.WriteString(wrap(sentence(w.Is), 92) + "\n")
	for i, l := range w.Lines() {
		if i == 0 {
			b.WriteString("\n")
		}
		text := strings.ReplaceAll(strings.TrimSuffix(wrap(l.Text, 82), "\n"), "\n", "\n          ")
		b.WriteString(l.Head + strings.Repeat(" ", max(1, 10-len(l.Head))) + text + "\n")
	}
	return b.String()
}

// healthPage says how to read the table of health, with a line for each statistic.
func healthPage() string {
	var b strings.Builder
	b.WriteString(glossary.Health + "\n")
	for _, p := range glossary.Parts() {
		if p.Name != "statistics" {
			continue
		}
		for _, w := range p.Words {
			b.WriteString("\n" + w.Name + "\n" + indent(wrap(sentence(w.Is), 88)))
			if w.Expected != "" {
				b.WriteString("    Expected: " + w.Expected + ".\n")
			}
		}
	}
	b.WriteString("\n`sgppl doc rhat` has the formula of a statistic, what moves it and what to " +
		"do. More: docs/health.md\n")
	return b.String()
}

package main

import (
	"strings"

	"github.com/sgppl/sgppl/internal/glossary"
)

// glossaryDocs are the words that are shown, and the page about health.
func glossaryDocs() []docTable {
	var out []docTable
	for _, p := range glossary.Parts() {
		t := docTable{name: p.Name, title: p.Title}
		for _, w := range p.Words {
			t.entries = append(t.entries,
				docEntry{name: w.Name, aliases: w.Aliases, line: w.Is, page: wordPage(&w)})
		}
		if p.Name == "statistics" {
			t.title = "the rows of the health table at the end of a run; `sgppl doc health` says " +
				"how to read it"
		}
		out = append(out, t)
	}
	return append(out, docTable{"pages", "that explain a table", []docEntry{
		{name: "health", aliases: []string{"verdicts"},
			line: "how to read the health table at the end of a run", page: healthPage()},
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

// Command grammars writes the grammars that editors read, all from the tables of the language's
// tokens: a TextMate grammar, a Lezer grammar and a tree-sitter grammar with its queries.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . ../../editors

// files is the table of what is written, by path below the directory that is given.
var files = map[string]func(words) string{
	"vscode/syntaxes/sgppl.tmLanguage.json":    textMate,
	"lezer/sgppl.grammar":                      lezer,
	"tree-sitter-sgppl/grammar.js":             treeSitter,
	"tree-sitter-sgppl/queries/highlights.scm": treeSitterHighlights,
	"vscode/language-configuration.json":       languageConfiguration,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: grammars DIRECTORY")
		os.Exit(2)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(os.Args[1], filepath.FromSlash(name)),
			[]byte(text(table())), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

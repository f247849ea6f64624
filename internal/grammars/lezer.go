package main

import (
	"fmt"
	"strings"
)

// lezer is the grammar of CodeMirror 6: tokens, and what nests in brackets.
func lezer(w words) string {
	var b strings.Builder
	b.WriteString(`// Written by go generate ./internal/grammars: change the tables there.
@top Model { item* }

item { Doc | Comment | Number | Operator | Keyword | Constant | Word | Name | Parens | Brackets | Block }

Parens { "(" item* ")" }
Brackets { "[" item* "]" }
Block { "{" item* "}" }

Name { name }
`)
	special := func(node string, list []string) {
		fmt.Fprintf(&b, "%s { %s }\n", node,
			strings.Join(each(list, `@specialize<name, "%s">`), " | "))
	}
	special("Keyword", w.reserved)
	special("Constant", w.constants)
	b.WriteString("\n// These begin statements. As names, which they may be elsewhere, they are " +
		"coloured too.\n")
	special("Word", w.starters)
	fmt.Fprintf(&b, `
@skip { space }

@tokens {
  space { $[ \t\r\n\u{feff}]+ }
  Doc { "///" ![\n]* }
  Comment { "//" ![\n]* }
  letter { @asciiLetter | $[_\u{aa}\u{b5}\u{ba}\u{c0}-\u{d6}\u{d8}-\u{f6}\u{f8}-\u{2bff}\u{2c00}-\u{fefe}\u{ff00}-\u{10ffff}] }
  name { letter (letter | @digit)* }
  Number { @digit+ ("." @digit+)? ($[eE] $[+\-]? @digit+)? }
  Operator { %s }
  @precedence { Doc, Comment, Operator }
  "(" ")" "[" "]" "{" "}"
}
`, strings.Join(each(w.operators, `"%s"`), " | "))
	return b.String()
}

func each(list []string, format string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf(format, s)
	}
	return out
}

package main

import (
	"fmt"
	"strings"
)

// treeSitter is the grammar of Neovim, Helix, Zed and Emacs 29. It is not tested with the tool of
// tree-sitter, whose package downloads a program.
func treeSitter(w words) string {
	return fmt.Sprintf(`// Written by go generate ./internal/grammars: change the tables there.
// Untested: no test runs tree-sitter over this file.
module.exports = grammar({
  name: 'sgppl',

  extras: ($) => [/[\s\uFEFF]/, $.comment, $.doc],

  word: ($) => $.identifier,

  rules: {
    model: ($) => repeat($._item),

    _item: ($) => choice($.number, $.operator, $.keyword, $.constant, $.word, $.identifier,
      $.parens, $.brackets, $.block),

    parens: ($) => seq('(', repeat($._item), ')'),
    brackets: ($) => seq('[', repeat($._item), ']'),
    block: ($) => seq('{', repeat($._item), '}'),

    keyword: (_) => choice(%s),
    constant: (_) => choice(%s),
    word: (_) => choice(%s),

    doc: (_) => token(prec(1, /\/\/\/[^\n]*/)),
    comment: (_) => token(/\/\/[^\n]*/),
    number: (_) => /%s/,
    operator: (_) => choice(%s),
    identifier: (_) => /[\p{L}_][\p{L}\p{N}\p{M}_]*/,
  },
});
`, quoted(w.reserved), quoted(w.constants), quoted(w.starters), w.number, quoted(w.operators))
}

// treeSitterHighlights gives the nodes of treeSitter their colours.
func treeSitterHighlights(w words) string {
	return fmt.Sprintf(
		`; Written by go generate ./internal/grammars: change the tables there. Untested.
(identifier) @variable
(doc) @comment.documentation
(comment) @comment
(number) @number
(constant) @constant.builtin
[(keyword) (word)] @keyword
(operator) @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
((identifier) @type.builtin
  (#any-of? @type.builtin %s))
`, strings.Join(each(w.types, `"%s"`), " "))
}

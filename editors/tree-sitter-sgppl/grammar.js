// Written by go generate ./internal/grammars: change the tables there.
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

    keyword: (_) => choice("and", "else", "factor", "for", "if", "in", "not", "or", "scan", "then"),
    constant: (_) => choice("false", "inf", "true"),
    word: (_) => choice("check", "const", "data", "dim", "dist", "fn", "generate", "layer", "let", "local", "param", "require", "track", "use"),

    doc: (_) => token(prec(1, /\/\/\/[^\n]*/)),
    comment: (_) => token(/\/\/[^\n]*/),
    number: (_) => /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    operator: (_) => choice("->", "==", "!=", "<=", ">=", ",", ":", "=", "~", "^", "*", "/", "%", "@", "+", "-", "<", ">", ".", "?"),
    identifier: (_) => /[\p{L}_][\p{L}\p{N}\p{M}_]*/,
  },
});

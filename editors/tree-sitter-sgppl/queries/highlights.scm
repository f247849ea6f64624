; Written by go generate ./internal/grammars: change the tables there. Untested.
(identifier) @variable
(doc) @comment.documentation
(comment) @comment
(number) @number
(constant) @constant.builtin
[(keyword) (word)] @keyword
(operator) @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
((identifier) @type.builtin
  (#any-of? @type.builtin "bag" "bool" "corr_chol" "count" "cov_chol" "grassmann" "hyperbolic" "index" "int" "interval" "nonnegative" "ordered" "positive" "positive_ordered" "real" "simplex" "sphere" "stiefel" "sum_to_zero" "unit"))

package diag

import "strings"

// syntaxCodes are the mistakes that the parser finds.
var syntaxCodes = []Explanation{
	{"E0101", "text that does not fit",
		"At this place another word or sign is needed; the message says which. The rest of the " +
			"statement was not read.",
		"dim K ~ 3\n"},
	{"E0102", "a character without a meaning",
		"This character is no part of the language. Unicode letters are fine in names, other " +
			"signs are not.",
		"let a = 3 $ 4\n"},
	{"E0103", "a bracket without its partner",
		"Every ( [ { is closed by its own ) ] }. The message points at the bracket that has no partner.",
		"let a = log(3\nlet b = 4\n"},
	{"E0104", "a malformed number",
		"Numbers are 3, 0.5 and 1e-6: a digit before and after the point, no separators, no " +
			"suffix. A product needs its `*`.",
		"let a = .5\n"},
	{"E0105", "a reserved word as a name",
		"for in if then else and or not true false inf scan factor are words everywhere and " +
			"cannot be names.",
		"param in : real\n"},
	{"E0106", "a spelling of another language",
		"The message says how the same thing is written here. Where the meaning is plain, the " +
			"text is read as if it were written so.",
		"param w : real;\n"},
	{"E0107", "a string",
		"Models have no text values. Files are named on the command line, and categories are " +
			"whole numbers of a type such as index[K].",
		"use \"nn\"\n"},
	{"E0108", "comparisons in a chain",
		"a < b < c would compare a truth value with a number. Join two comparisons with `and`.",
		"let a = 1 < 2 < 3\n"},
	{"E0109", "a value that is not used",
		"Only the last line of a fn or a scan is a value alone. Anywhere else a value is named " +
			"with `let`, observed with `~` or added with `factor`.",
		"data x : real\nx + 1\n"},
	{"E0110", "an assignment",
		"Nothing is assigned in a model. `let x = e` names a value, once; `x ~ d(…)` says how it " +
			"is distributed.",
		"x = 3\n"},
	{"E0111", "an `if` that is not whole",
		"`if c then a else b` is a value, so it has both branches, and as an operand it stands " +
			"in parentheses.",
		"data x : real\nlet a = if x > 0 then x\n"},
	{"E0112", "a declaration without a type",
		"What is given or unknown has a type after a colon, such as `real` or `positive`.",
		"dim N\ndata x[N]\n"},
	{"E0113", "a part that this declaration has not",
		"`data` is given and may have a default after `=`; `param` and `local` are unknown and " +
			"may have a prior after `~` and a strategy after `by`; `param` also where its chains " +
			"start, after `init`.",
		"data x : real ~ normal(0, 1)\n"},
	{"E0114", "a statement in the wrong place",
		"Declarations of the model stand at the top of the file. A plate holds `let`, `local`, " +
			"`~`, `factor` and plates; a fn holds `let`s and its value.",
		"local z : real\n"},
	{"E0115", "a block without a value",
		"The last line of a fn or a scan is an expression: what the fn returns, or what the scan " +
			"carries on.",
		"fn f(a : real) -> real { let b = a }\n"},
	{"E0116", "a line that a dist does not have",
		"A dist holds `logpdf(x) = …`, further properties such as `cdf(x) = …` and `sample = …`, " +
			"`let`, and `check logpdf(1.5, 2) == -1.2`.",
		"dist d(s : positive) on positive {\n  param a : real\n}\n"},
	{"E0117", "nesting too deep",
		"Brackets nest up to 200 deep, and signs, powers and `if` up to 500 in one statement. " +
			"Name the inner parts with `let`.",
		"let a = " + strings.Repeat("-(", 201) + "1" + strings.Repeat(")", 201) + "\n"},
	{"E0118", "a comprehension among other arguments",
		"`f(e for i in I)` reduces over i, so nothing else stands in the call. An array is " +
			"written in brackets: `f([e for i in I], b)`.",
		"let a = max(1, k for k in 3)\n"},
	{"E0119", "a value where a distribution is needed, or the other way round",
		"The components of `mixture` are distributions, and `truncated` and `censored` follow one.",
		"data x : real\nx ~ mixture(0.5, 1 + 2, normal(0, 1))\n"},
	{"E0120", "a value before `~`",
		"What has a distribution is a name or its entries. A term of any other form is added to " +
			"the log density with `factor`.",
		"data x : real\n2 * x ~ normal(0, 1)\n"},
	{"E0121", "a line that begins with an operator",
		"The end of a line ends a statement, unless a bracket is open or the line ends with an " +
			"operator. Move the operator up.",
		"data x : real\nlet a = x\n  + 1\n"},
}

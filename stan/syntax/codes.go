package syntax

import "github.com/sgppl/sgppl/lang/diag"

// The codes of what is wrong in a Stan program, or has no counterpart.
const (
	NotStan       diag.Code = "E0801"
	IncludeCode   diag.Code = "E0802"
	UnknownName   diag.Code = "E0803"
	UnknownCall   diag.Code = "E0804"
	WrongType     diag.Code = "E0805"
	NoType        diag.Code = "E0806"
	NoDist        diag.Code = "E0807"
	NoStatement   diag.Code = "E0808"
	LoopCarried   diag.Code = "E0809"
	NotFilled     diag.Code = "E0810"
	SizeUnknown   diag.Code = "E0811"
	BadRecursion  diag.Code = "E0812"
	NoIndex       diag.Code = "E0813"
	NoTruncation  diag.Code = "E0814"
	LeftOut       diag.Code = "W0851"
	Renamed       diag.Code = "W0852"
	CannotCompile diag.Code = "E0815"
)

// Codes explains each code, with a Stan program that makes it.
func Codes() []diag.Explanation { return codes }

// Explain finds the explanation of a code of Stan programs.
func Explain(c diag.Code) (diag.Explanation, bool) {
	for _, e := range codes {
		if e.Code == c {
			return e, true
		}
	}
	return diag.Explanation{}, false
}

var codes = []diag.Explanation{
	{Code: NotStan, Title: "text that is not a Stan program",
		Text:    "At this place the grammar of Stan needs another word or sign; the message says which.",
		Example: "data {\n  int N\n}\n"},
	{Code: IncludeCode, Title: "an included file in a Stan program",
		Text:    "A model is one file. Put the text of the included file in the place of the line.",
		Example: "#include priors.stan\nmodel { }\n"},
	{Code: UnknownName, Title: "a name that a Stan program does not declare",
		Text:    "A variable is declared before it is used, in this block or in one above.",
		Example: "parameters { real a; }\nmodel { a ~ normal(b, 1); }\n"},
	{Code: UnknownCall, Title: "a function of Stan without a counterpart",
		Text: "The function is neither the program's own nor one that the import knows. " +
			"`sgppl doc functions` lists those of the language.",
		Example: "parameters { real a; }\nmodel { target += hypergeometric_2F1(a, 1, 2, 0.5); }\n"},
	{Code: WrongType, Title: "operands whose types do not fit in a Stan program",
		Text:    "The operator or function does not take values of these types.",
		Example: "parameters { vector[2] a; vector[2] b; }\nmodel { target += a * b; }\n"},
	{Code: NoType, Title: "a type of Stan without a counterpart",
		Text:    "The language has no complex numbers, and unknowns are real.",
		Example: "parameters { complex z; }\nmodel { }\n"},
	{Code: NoDist, Title: "a distribution of Stan without a counterpart",
		Text: "`sgppl doc distributions` lists those of the language. A law of your own is written " +
			"as a function with the suffix _lpdf in the Stan program.",
		Example: "data { real y; }\nparameters { real a; }\nmodel { y ~ sphinx(a, 1); }\n"},
	{Code: NoStatement, Title: "a statement of Stan without a counterpart",
		Text: "The language has values and no steps of a machine: a loop whose end only its own turns " +
			"find has no counterpart. A while that counts its turns up to a limit has one, and with " +
			"--data every loop whose end the data decide.",
		Example: "parameters { real a; }\nmodel { real b = a; while (b < 1) b *= 2; target += b; }\n"},
	{Code: LoopCarried, Title: "a loop whose turns depend on each other in a way that is not known",
		Text: "Turns of a loop become entries of an array, terms of a sum, or steps of a scan. This " +
			"loop is none of these.",
		Example: "data { array[2] int k; }\nparameters { real a; }\nmodel {\n  real b = a;\n" +
			"  for (n in 1:k[1]) b = b * a;\n  target += b;\n}\n"},
	{Code: NotFilled, Title: "an array of a Stan program of which entries are not assigned",
		Text: "In Stan such entries are not numbers. Assign all of them, for example by a value in " +
			"the declaration.",
		Example: "data { int N; }\nparameters { real a; }\nmodel {\n  vector[N] b;\n" +
			"  for (n in 3:N) b[n] = a;\n  target += sum(b);\n}\n"},
	{Code: SizeUnknown, Title: "a size of a Stan program that is not made of sizes of the data",
		Text: "The sizes of arrays are whole numbers of the data, their sums and products. A size " +
			"that is computed from the entries of data needs the data, by --data, or is given as data " +
			"of its own.",
		Example: "data { int N; array[N] int g; }\nparameters { vector[max(g)] a; }\nmodel { a ~ " +
			"normal(0, 1); }\n"},
	{Code: BadRecursion, Title: "a function of a Stan program that calls itself",
		Text: "A function that calls itself has no counterpart, unless the data, given by --data, " +
			"decide how deep. A recursion over a sequence can be written as a loop.",
		Example: "functions { real f(real x) { return x < 1 ? x : f(x / 2); } }\nparameters { real a; " +
			"}\nmodel { target += f(a); }\n"},
	{Code: NoIndex, Title: "a subscript of a Stan program that has no counterpart",
		Text: "The ends of a slice may move, but together: its length is fixed by sizes.",
		Example: "data { int N; array[N] int k; matrix[N, N] x; }\nparameters { real a; }\nmodel { " +
			"for (n in 1:N) target += a * sum(x[1:2, 1:k[n]]); }\n"},
	{Code: NoTruncation, Title: "truncation of a law without a distribution function",
		Text: "A truncated density is divided by the probability of the interval.",
		Example: "functions { real chirp_lpdf(real y, real a) { return -square(y - a); } }\n" +
			"data { real y; }\nparameters { real a; }\nmodel { y ~ chirp(a) T[0, ]; }\n"},
	{Code: CannotCompile, Title: "a Stan program that the import fails on",
		Text:    "This is a mistake of sgppl and not of the program. Please report it.",
		Example: ""},
	{Code: LeftOut, Title: "a part of a Stan program that is left out",
		Text: "Numbers that the generated quantities draw at random, and what is printed, are no part " +
			"of the density. `sgppl predict` and `sgppl simulate` draw data.",
		Example: "parameters { real a; }\nmodel { a ~ normal(0, 1); print(a); }\n"},
	{Code: Renamed, Title: "a name of a Stan program that is changed",
		Text: "The name is a word of the language. The data are still given by the old one, as " +
			"--data NEW=FILE:OLD.",
		Example: "data { real factor; }\nparameters { real a; }\nmodel { a ~ normal(factor, 1); }\n"},
}

package diag

import "slices"

// An Explanation is what `sgppl explain CODE` prints. Codes are never
// renumbered and never used again for something else.
type Explanation struct {
	Code    Code
	Title   string // what is wrong, in a few words
	Text    string // why it is an error and what to do
	Example string // a program that makes it; a test compiles it
}

// table is append-only: E01 syntax, E02 names, E03 types, E04 shapes, E05
// levels and factorisation, E06 distributions, E07 not lowered yet, W09 lints.
var table = slices.Concat(syntaxCodes, checkCodes, lowerCodes, lintCodes)

// Explain finds the explanation of a code.
func Explain(c Code) (Explanation, bool) {
	for _, e := range table {
		if e.Code == c {
			return e, true
		}
	}
	return Explanation{}, false
}

// Codes lists every explanation by code.
func Codes() []Explanation {
	list := slices.Clone(table)
	slices.SortFunc(list, func(a, b Explanation) int {
		switch {
		case a.Code < b.Code:
			return -1
		case a.Code > b.Code:
			return 1
		}
		return 0
	})
	return list
}

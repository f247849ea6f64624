package diag

import "sort"

// An Explanation is what `sgppl explain CODE` prints. Codes are never
// renumbered and never used again for something else.
type Explanation struct {
	Code    Code
	Title   string // what is wrong, in a few words
	Text    string // why it is an error and what to do
	Example string // a program that makes it; a test compiles it
}

var explanations = map[Code]Explanation{}

// Register adds explanations to the table; the codes_ files call it.
func Register(list ...Explanation) {
	for _, e := range list {
		if _, twice := explanations[e.Code]; twice {
			panic("diag: " + string(e.Code) + " is registered twice")
		}
		explanations[e.Code] = e
	}
}

// Explain finds the explanation of a code.
func Explain(c Code) (Explanation, bool) {
	e, ok := explanations[c]
	return e, ok
}

// Codes lists every explanation by code.
func Codes() []Explanation {
	list := make([]Explanation, 0, len(explanations))
	for _, e := range explanations {
		list = append(list, e)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Code < list[j].Code })
	return list
}

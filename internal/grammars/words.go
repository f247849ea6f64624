package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
)

// A words is the description of the tokens that every grammar is written from.
type words struct {
	reserved  []string // keywords everywhere
	constants []string // those of them that are values
	starters  []string // keywords at the start of a statement
	types     []string // after a colon
	operators []string // longest first
	brackets  [][2]string
	number    string // a regular expression that JavaScript and Oniguruma read alike
}

// table takes the words from the parser and the types.
func table() words {
	w := words{constants: []string{"false", "inf", "true"},
		brackets: [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}},
		number:   `[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`}
	for _, r := range parser.Reserved() {
		if !slices.Contains(w.constants, r) {
			w.reserved = append(w.reserved, r)
		}
	}
	w.starters = parser.Words()
	for _, k := range types.Kinds {
		if k.Name != "" {
			w.types = append(w.types, k.Name)
		}
	}
	slices.Sort(w.types)
	for _, op := range parser.Operators() {
		if !strings.ContainsAny(op, "()[]{}") {
			w.operators = append(w.operators, op)
		}
	}
	return w
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = `"` + s + `"`
	}
	return strings.Join(out, ", ")
}

// oneOf is a regular expression for any of the words.
func oneOf(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = regexp.QuoteMeta(s)
	}
	return strings.Join(out, "|")
}

package source

import (
	"slices"
	"strings"
	"unicode"
)

// Mentions reports whether a name stands in a text as a whole word.
func Mentions(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

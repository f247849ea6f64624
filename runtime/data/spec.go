package data

import (
	"os"
	"strings"
	"unicode"
)

// split parts NAME=FILE. A path that exists is a file whatever it contains.
func split(text string) (name, file string, named bool) {
	k := strings.IndexByte(text, '=')
	if k < 0 || !identifier(text[:k]) || exists(text) {
		return "", text, false
	}
	return text[:k], text[k+1:], true
}

func identifier(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// fieldOf parts FILE:FIELD at the last colon that leaves a file. Without one
// the text is all path, or, in an error, all but a plain FIELD.
func fieldOf(text string) (path, field string) {
	if exists(text) {
		return text, ""
	}
	for k := len(text) - 1; k > 0; k-- {
		if text[k] == ':' && exists(text[:k]) {
			return text[:k], text[k+1:]
		}
	}
	if k := strings.LastIndexByte(text, ':'); k > 1 && !strings.ContainsAny(text[k:], `/\`) {
		return text[:k], text[k+1:]
	}
	return text, ""
}

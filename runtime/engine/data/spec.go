package data

import (
	"os"
	"strings"
	"unicode"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// split splits NAME=FILE. If text is an existing path, it is all file.
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

// selectorsOf splits the selectors off the end of FILE[:FIELD][:KEY=VALUE]….
func selectorsOf(text string) (rest string, list []string) {
	if exists(text) {
		return text, nil
	}
	at := func(s string) int {
		first := -1
		for _, key := range selectorKeys {
			if k := strings.Index(s, ":"+key+"="); k >= 0 && (first < 0 || k < first) {
				first = k
			}
		}
		return first
	}
	k := at(text)
	if k < 0 {
		return text, nil
	}
	rest, text = text[:k], text[k+1:]
	for k = at(text); k >= 0; k = at(text) {
		list, text = append(list, text[:k]), text[k+1:]
	}
	return rest, append(list, text)
}

// fieldOf splits FILE:FIELD at the last colon before which there is an existing file or a source.
// Without one, it splits at the last colon if no path separator follows it; otherwise all of text
// is the path.
func fieldOf(text string) (path, field string) {
	if exists(text) {
		return text, ""
	}
	if s, field, is := format.SourceOf(text); is {
		return s.Spec(), field
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

// AbsoluteSource returns FILE[:FIELD][:KEY=VALUE]…, a spec of a source without NAME=, with
// absolute paths. It returns other specs unchanged.
func AbsoluteSource(text string) string {
	rest, cut := selectorsOf(text)
	s, field, is := format.SourceOf(rest)
	if !is {
		return text
	}
	out := format.AbsolutePath(s.Spec())
	switch {
	case field != "" && s.Query != "":
		out += ";:" + field
	case field != "":
		out += ":" + field
	}
	return strings.Join(append([]string{out}, cut...), ":")
}

package codegen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// clean makes a line of a model safe for a comment: characters that do not print, or that change
// the order in which text is displayed, are escaped.
func clean(line string) string {
	var b strings.Builder
	for _, r := range strings.TrimRight(line, " \t\r") {
		switch {
		case r == '\t':
			b.WriteString("  ")
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	line = b.String()
	// gofmt would take it for a build constraint.
	if strings.HasPrefix(strings.TrimSpace(line), "+build") {
		line = strings.Replace(line, "+build", `\+build`, 1)
	}
	return line
}

// comment writes text as // lines, each behind the prefix.
func comment(indent, text string) string {
	var b strings.Builder
	for _, line := range lines(text) {
		b.WriteString(strings.TrimRight("//"+indent+clean(line), " \t"))
		b.WriteByte('\n')
	}
	return b.String()
}

func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.Trim(text, "\n"), "\n")
}

// sentence joins the lines of a doc comment into a text that ends in a full stop.
func sentence(doc string) string {
	doc = strings.TrimSpace(strings.Join(strings.Fields(doc), " "))
	if doc != "" && !strings.ContainsAny(doc[len(doc)-1:], ".!?:") {
		doc += "."
	}
	return doc
}

// wrapped writes text as // lines of at most about 78 characters.
func wrapped(text string) string {
	var b, line strings.Builder
	for _, word := range strings.Fields(text) {
		if line.Len() > 0 && line.Len()+1+len(word) > 76 {
			b.WriteString(comment(" ", line.String()))
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	if line.Len() > 0 {
		b.WriteString(comment(" ", line.String()))
	}
	return b.String()
}

// quote writes a string constant: raw where that is the same text for a
// reader, else with escapes.
func quote(s string) string {
	if !strings.Contains(s, "\n") || strings.ContainsRune(s, '`') {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if r == unicode.ReplacementChar || r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return "`" + s + "`"
}

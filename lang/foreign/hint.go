// Package foreign has the tables of what other languages write, such as Stan, JAGS, PyMC and
// NumPyro, with how each is written here. The parser reads the tables of signs, words and
// statements, the checker those of names. A test walks every row.
package foreign

import (
	"fmt"
	"strings"
)

// A Hint is how something of another language is written here.
type Hint struct {
	Name string // the name here; empty where the form is another
	Note string // empty: "here it is written " and the form
	// the whole call, $1 being the first argument, $* all of them, and $!2 a last one that is left
	// out; empty: name($*)
	Form string
}

// Fill puts the arguments into a form, in parentheses where an operator of the
// form would separate them. It is empty when they are too few or too many.
func Fill(form string, args []string) string {
	if strings.Contains(form, "$*") {
		if len(args) == 0 && strings.Contains(form, ", $*") {
			return ""
		}
		return strings.ReplaceAll(form, "$*", strings.Join(args, ", "))
	}
	for n := len(args); n > 0; n-- { // what a form leaves out counts as taken
		if out := fmt.Sprintf("$!%d", n); strings.Contains(form, out) {
			return Fill(strings.ReplaceAll(form, out, ""), args[:n-1])
		}
	}
	if len(args) > 0 && !strings.Contains(form, fmt.Sprintf("$%d", len(args))) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '$' {
			b.WriteByte(form[i])
			continue
		}
		n := int(form[i+1] - '1')
		if n >= len(args) {
			return ""
		}
		before := strings.TrimRight(form[:i], " ")
		after := strings.TrimLeft(form[i+2:], " ")
		alone := (before == "" || strings.HasSuffix(before, "(") ||
			strings.HasSuffix(before, ",") || strings.HasSuffix(before, "if") ||
			strings.HasSuffix(before, "then") || strings.HasSuffix(before, "else")) &&
			(after == "" || strings.HasPrefix(after, ")") || strings.HasPrefix(after, ",") ||
				strings.HasPrefix(after, "then") || strings.HasPrefix(after, "else"))
		if alone || !Loose(args[n]) {
			b.WriteString(args[n])
		} else {
			b.WriteString("(" + args[n] + ")")
		}
		i++
	}
	return b.String()
}

// Loose says that a text is more than one operand: a space or sign stands outside its brackets.
func Loose(text string) bool {
	depth := 0
	for _, r := range text {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case depth == 0 && strings.ContainsRune(" +-*/%^@<>=!", r):
			return true
		}
	}
	return false
}

// General is a form with letters for its arguments.
func General(form string) string {
	return strings.NewReplacer("$*", "…", "$!2", "", "$!4", "", "$1", "a", "$2", "b", "$3", "c",
		"$4", "d").Replace(form)
}

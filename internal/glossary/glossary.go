// Package glossary explains the words that sgppl prints: the columns of its tables, the
// statistics of health, the figures of `sgppl loo`, and the terms of its messages. The
// command prints it (`sgppl doc health`, `sgppl doc mcse`), and docs/glossary.md is made
// from it.
package glossary

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// A Word is one entry of the glossary.
type Word struct {
	Name    string
	Aliases []string
	Is      string // what it is, in a sentence without a full stop
	// The rest is for numbers that are shown, and may be empty.
	Formula  string // how it is computed
	Expected string // the value that it has when all is well
	Moves    string // what makes it larger or smaller
	Do       string // what to do where it is not as expected
	Verdict  string // when it is ok, unsure or off
	Runs     string // which runs have it
	Source   string // papers
	See      string // the page of docs with more
}

// A Part is the words of one kind.
type Part struct {
	Name, Title string
	Words       []Word
}

// Parts returns the glossary.
func Parts() []Part {
	return []Part{
		{"summary", "the columns of the tables of `sample` and `summary`", summary},
		{"statistics", "the rows of the health table at the end of a run", ofHealth()},
		{"loo", "the figures of `sgppl loo`", loo},
		{"after", "the figures of `sgppl cv`, `sensitivity` and `effects`, and of `formula`",
			after},
		{"report", "the pictures and tables of `sgppl report`", report},
		{"terms", "words that messages and pages use", terms},
	}
}

// ofHealth joins what the samplers say of their statistics with what is said here.
func ofHealth() []Word {
	var out []Word
	for _, s := range health.Statistics() {
		w := statistics[s.Name]
		w.Name, w.Is, w.Verdict, w.Runs = s.Name, s.Is, s.OK, s.Of
		if w.See == "" {
			w.See = "docs/health.md"
		}
		out = append(out, w)
	}
	return out
}

// Find returns the words that have a name, or an alias, in any of the parts.
func Find(name string) []Word {
	var out []Word
	for _, p := range Parts() {
		for _, w := range p.Words {
			if w.has(name) {
				out = append(out, w)
			}
		}
	}
	return out
}

func (w *Word) has(name string) bool {
	if strings.EqualFold(w.Name, name) {
		return true
	}
	for _, a := range w.Aliases {
		if strings.EqualFold(a, name) {
			return true
		}
	}
	return false
}

// A Line is a line of the page of a word: what it is about, and the text.
type Line struct{ Head, Text string }

// Lines returns what is known of a word besides what it is, in the order of a page.
func (w *Word) Lines() []Line {
	var out []Line
	for _, l := range []Line{
		{"for", w.Runs}, {"formula", w.Formula}, {"expected", w.Expected}, {"verdict", w.Verdict},
		{"moved by", w.Moves}, {"to do", w.Do}, {"source", w.Source}, {"more", w.See},
	} {
		if l.Text != "" {
			out = append(out, l)
		}
	}
	return out
}

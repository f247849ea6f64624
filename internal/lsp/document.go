package lsp

import (
	"net/url"
	"path"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/lint"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// mostText bounds the texts that are checked at every change: a longer one is not a model.
const mostText = 1 << 20

// A document is an open file: its text, and what the checker says of it.
type document struct {
	uri     string
	version int
	text    string
	told    bool // the client has the diagnostics of this text
	whole   bool // opened or saved since it was last compiled

	now  *analysis // of this text; nil until it is asked for
	good *analysis // of the last text without syntax errors; nil before
}

// An analysis is what is known of one text.
type analysis struct {
	file   *source.File
	lines  *lineTable
	model  *check.Model
	tokens []parser.Token
	index  *index
	syntax bool // the text has syntax errors
}

// change replaces a part of the text, or all of it where there is no range.
func (d *document) change(span *textRange, text string, units encoding) {
	d.now, d.told = nil, false
	if span == nil {
		d.text = text
		return
	}
	t := newLineTable(d.text, units)
	start, end := t.offset(span.Start), t.offset(span.End)
	d.text = d.text[:start] + text + d.text[max(start, end):]
}

// analysis checks the text where that is not done yet.
func (d *document) analysis(units encoding, pedantic bool) *analysis {
	if d.now == nil {
		d.now = analyse(fileName(d.uri), d.text, units, pedantic)
		if !d.now.syntax {
			d.good = d.now
		}
	}
	return d.now
}

func analyse(name, text string, units encoding, pedantic bool) *analysis {
	a := &analysis{file: source.New(name, text), lines: newLineTable(text, units)}
	if len(text) > mostText {
		a.file = source.New(name, "")
		a.syntax = true
	}
	tree, model := driver.Check(a.file, driver.Options{})
	a.model = model
	if len(text) > mostText {
		model.Diags = append(model.Diags, &diag.Diagnostic{
			Code: "E0102", File: a.file,
			Message: "the text is too long to be a model, and is not checked"})
	}
	for _, d := range model.Diags {
		a.syntax = a.syntax || d.Severity == diag.Error && strings.HasPrefix(string(d.Code), "E01")
	}
	if pedantic && !model.Diags.Errors() {
		model.Diags = append(model.Diags, lint.Model(model)...)
		model.Diags.Sort()
	}
	a.tokens = parser.Tokens(a.file)
	a.index = newIndex(tree, model)
	return a
}

// fileName is the file of a URI, for messages.
func fileName(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Path != "" {
		return path.Base(u.Path)
	}
	return "model.sg"
}

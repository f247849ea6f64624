package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// diagnostics are those of the checker, as the protocol has them. Notes with a place of this file
// are related places; the others follow the message.
func (a *analysis) diagnostics(uri string) []diagnostic {
	out := []diagnostic{}
	for _, d := range a.model.Diags {
		out = append(out, a.diagnostic(uri, d))
	}
	return out
}

// mostCompiled bounds the texts that are compiled when they are opened or saved, in bytes.
const mostCompiled = 32 << 10

// uncompiled says what of a right model this version cannot compile, as warnings. To compile takes
// longer than to check, so it is done where a file is opened or saved.
func (a *analysis) uncompiled(uri string) []diagnostic {
	if a.model.Diags.Errors() || len(a.file.Text) > mostCompiled {
		return nil
	}
	var out []diagnostic
	_, diags := driver.Checked(a.file, a.model, driver.Options{})
	for _, d := range diags {
		if d.Severity == diag.Error {
			told := a.diagnostic(uri, d)
			told.Severity = 2
			out = append(out, told)
		}
	}
	return out
}

func (a *analysis) diagnostic(uri string, d *diag.Diagnostic) diagnostic {
	severity := 1
	if d.Severity == diag.Warning {
		severity = 2
	}
	out := diagnostic{Severity: severity, Code: string(d.Code), Source: "sgppl", Message: d.Message}
	if d.File == a.file {
		out.Range = a.lines.span(d.Span)
	}
	for _, n := range d.Notes {
		if n.File == a.file {
			out.Related = append(out.Related, related{location{uri, a.lines.span(n.Span)}, n.Text})
		} else {
			out.Message += "\n" + n.Text
		}
	}
	return out
}

// actions are the suggestions of the diagnostics that touch a part of the text.
func (a *analysis) actions(uri string, part textRange) []codeAction {
	out := []codeAction{}
	from, to := a.lines.offset(part.Start), a.lines.offset(part.End)
	for _, d := range a.model.Diags {
		if d.File != a.file || len(d.Edits) == 0 || d.Span.End < from || to < d.Span.Start {
			continue
		}
		edits := make([]textEdit, len(d.Edits))
		for i, e := range d.Edits {
			edits[i] = textEdit{a.lines.span(e.Span), e.Text}
		}
		out = append(out, codeAction{
			Title: a.title(d.Edits), Kind: "quickfix",
			Diagnostics: []diagnostic{a.diagnostic(uri, d)},
			Edit:        workspaceEdit{map[string][]textEdit{uri: edits}},
		})
	}
	return out
}

// title says what edits do.
func (a *analysis) title(edits []diag.Edit) string {
	if len(edits) > 1 {
		return fmt.Sprintf("change %d places as suggested", len(edits))
	}
	old, text := a.textOf(edits[0].Span), strings.TrimSpace(edits[0].Text)
	switch {
	case old == "":
		return fmt.Sprintf("insert `%s`", text)
	case text == "":
		return fmt.Sprintf("remove `%s`", old)
	}
	return fmt.Sprintf("replace `%s` by `%s`", old, text)
}

func (a *analysis) textOf(s source.Span) string {
	n := len(a.file.Text)
	start := max(0, min(s.Start, n))
	return a.file.Text[start:max(start, min(s.End, n))]
}

// inline says that a text fits into a title or a hint.
func inline(text string) bool { return len(text) < 200 && !slices.Contains([]byte(text), '\n') }

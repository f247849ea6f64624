package lsp

import (
	"strings"
	"testing"
)

// BenchmarkKeystroke is a change of one character in the largest model of the repository, its
// diagnostics, and the requests that an editor makes after it.
func BenchmarkKeystroke(b *testing.B) {
	text := ""
	for path, t := range models(b) {
		if strings.Contains(path, "examples") && len(t) > len(text) {
			text = t
		}
	}
	b.Logf("%d bytes", len(text))
	c := open(b, text)
	c.diagnostics()
	end := newLineTable(text, utf16Units).position(len(text))
	for i := 0; b.Loop(); i++ {
		typed := "x"
		from := end
		if i%2 == 1 {
			typed, from = "", position{end.Line, end.Character}
			end.Character++
		}
		c.notify("textDocument/didChange",
			map[string]any{"textDocument": map[string]any{"uri": testURI, "version": i},
				"contentChanges": []any{map[string]any{"range": textRange{from, end},
					"text": typed}}})
		if i%2 == 1 {
			end.Character--
		}
		c.diagnostics()
		at := map[string]any{"textDocument": map[string]any{"uri": testURI}, "position": end,
			"range": textRange{position{}, position{1000, 0}}}
		for _, method := range []string{"textDocument/completion",
			"textDocument/semanticTokens/full", "textDocument/inlayHint",
			"textDocument/documentSymbol", "textDocument/codeAction"} {
			c.request(method, at)
		}
	}
}

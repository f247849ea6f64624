package lsp

import (
	"encoding/json"

	"github.com/sgppl/sgppl"
)

// A feature answers a request about a document.
type feature func(s *server, d *document, a *analysis, p placeParams) (any, error)

// features is the table of requests about documents.
var features = map[string]feature{
	"textDocument/hover": func(_ *server, _ *document, a *analysis, p placeParams) (any, error) {
		return a.hover(p.Position), nil
	},
	"textDocument/definition": func(_ *server, d *document, a *analysis, p placeParams) (any, error) {
		return a.definition(d.uri, p.Position), nil
	},
	"textDocument/references": func(_ *server, d *document, a *analysis, p placeParams) (any, error) {
		return a.references(d.uri, p.Position, p.Context.Declaration), nil
	},
	"textDocument/prepareRename": func(_ *server, _ *document, a *analysis, p placeParams) (any,
		error) {
		return a.prepareRename(p.Position), nil
	},
	"textDocument/rename": func(_ *server, d *document, a *analysis, p placeParams) (any, error) {
		return a.rename(d.uri, p.Position, p.NewName)
	},
	"textDocument/completion": func(_ *server, d *document, a *analysis, p placeParams) (any, error) {
		return a.complete(p.Position, d.good), nil
	},
	"textDocument/signatureHelp": func(_ *server, _ *document, a *analysis, p placeParams) (any,
		error) {
		return a.signature(p.Position), nil
	},
	"textDocument/formatting": func(_ *server, _ *document, a *analysis, _ placeParams) (any, error) {
		return a.format()
	},
	"textDocument/codeAction": func(_ *server, d *document, a *analysis, p placeParams) (any, error) {
		return a.actions(d.uri, p.Range), nil
	},
	"textDocument/inlayHint": func(_ *server, _ *document, a *analysis, p placeParams) (any, error) {
		return a.inlays(p.Range), nil
	},
	"textDocument/semanticTokens/full": func(_ *server, _ *document, a *analysis, _ placeParams) (any,
		error) {
		return a.semantic(nil), nil
	},
	"textDocument/semanticTokens/range": func(_ *server, _ *document, a *analysis, p placeParams) (any,
		error) {
		return a.semantic(&p.Range), nil
	},
	"textDocument/documentSymbol": func(_ *server, _ *document, a *analysis, _ placeParams) (any,
		error) {
		return a.outline(), nil
	},
}

// initialize agrees with the client on how columns are counted, and says what the server can do.
func (s *server) initialize(raw json.RawMessage) (any, error) {
	p, err := decode[initializeParams](raw)
	if err != nil {
		return nil, err
	}
	s.ready, s.units, s.pedantic = true, utf16Units, p.Options.Pedantic
	for _, offered := range p.Capabilities.General.Encodings {
		if encoding(offered) == utf8Bytes {
			s.units = utf8Bytes
		}
	}
	type object = map[string]any
	return object{
		"serverInfo": object{"name": "sgppl", "version": sgppl.Version},
		"capabilities": object{
			"positionEncoding":           s.units,
			"textDocumentSync":           object{"openClose": true, "change": 2, "save": true},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"renameProvider":             object{"prepareProvider": true},
			"completionProvider":         object{"triggerCharacters": []string{"~", ".", ":"}},
			"signatureHelpProvider":      object{"triggerCharacters": []string{"(", ","}},
			"documentFormattingProvider": true,
			"codeActionProvider":         object{"codeActionKinds": []string{"quickfix"}},
			"inlayHintProvider":          true,
			"documentSymbolProvider":     true,
			"semanticTokensProvider": object{"full": true, "range": true,
				"legend": object{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers}},
		},
	}, nil
}

package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestAnnounced: what the server answers is what it tells clients that it can do, request by
// request.
func TestAnnounced(t *testing.T) {
	c := open(t, logistic)
	type answer struct {
		Capabilities map[string]json.RawMessage `json:"capabilities"`
	}
	r := result[answer](c, c.request("initialize", map[string]any{}))
	names := map[string]string{"prepareRename": "renameProvider",
		"formatting": "documentFormattingProvider"}
	used := map[string]bool{}
	for method := range features {
		name, _, _ := strings.Cut(strings.TrimPrefix(method, "textDocument/"), "/")
		provider := name + "Provider"
		if other, ok := names[name]; ok {
			provider = other
		}
		used[provider] = true
		if _, ok := r.Capabilities[provider]; !ok {
			t.Errorf("%s is answered, and %s is not announced", method, provider)
		}
	}
	for name := range r.Capabilities {
		if strings.HasSuffix(name, "Provider") && !used[name] {
			t.Errorf("%s is announced, and no request answers it", name)
		}
	}
}

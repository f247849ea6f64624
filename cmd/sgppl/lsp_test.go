package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
)

// TestLSP: the command serves an editor on its streams, bytes as they are, and its exit status says
// how the conversation ended.
func TestLSP(t *testing.T) {
	frame := func(body string) string {
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	open := frame(`{"id":1,"method":"initialize","params":{}}`) +
		frame(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///m.sg","version":1,"text":"let a = β\n"}}}`)
	code, out, said := inProcess(t,
		open+frame(`{"id":2,"method":"shutdown"}`)+frame(`{"method":"exit"}`), "lsp", "--stdio")
	if code != session.ExitDone || said != "" ||
		!strings.Contains(out, `"positionEncoding":"utf-16"`) {
		t.Errorf("status %d, %q, %q", code, out, said)
	}
	if code, _, _ := inProcess(t, open, "lsp"); code != session.ExitModel {
		t.Errorf("an editor that is gone without a shutdown: status %d", code)
	}
	if code, _, said := inProcess(t, "nonsense\n", "lsp"); code != session.ExitFiles ||
		!strings.Contains(said, "not a header") {
		t.Errorf("no messages: status %d, %q", code, said)
	}
}

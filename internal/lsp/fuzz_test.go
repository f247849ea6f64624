package lsp

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/source"
)

// FuzzEdits makes edits of a text and requests about it, as a script of bytes says. No request may
// fail by a mistake of the server, every edit gives the text that it describes, and every place
// in an answer about the whole text can be read.
func FuzzEdits(f *testing.F) {
	f.Add(logistic, []byte{0, 0, 9, 3, 1, 2, 80, 0, 7, 9, 200, 2}, false)
	f.Add("dim N\r\ndata β[N] : 𝛼\rfor n in N { let é = (β[n",
		[]byte{3, 1, 20, 0, 4, 0, 25, 1, 11, 2, 30, 0, 9, 0, 3, 0}, true)
	f.Add("layer l(n) { param W[n] : real }\nlayer a = l(3)\nlet b = a.",
		[]byte{2, 0, 60, 9, 5, 0, 40, 0}, false)
	random := rand.New(rand.NewPCG(17, 5))
	for i := range 60 {
		script := make([]byte, 4*12)
		for k := range script {
			script[k] = byte(random.Uint32())
		}
		f.Add(logistic[:random.IntN(len(logistic))], script, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, script []byte, bytewise bool) {
		if len(text) > 4000 || len(script) > 64 || !utf8.ValidString(text) {
			return
		}
		c := open(t, text)
		if bytewise {
			c.s.units = utf8Bytes
		}
		pieces := []string{"", "(", ")", "[n]", "}", "{", " ~ normal(0, 1)", "\n", "𝛼", "\r", ", ",
			"let ", "for n in N { ", "."}
		for len(script) >= 4 {
			op, at := int(script[0]), int(script[1])<<8|int(script[2])
			d := c.s.docs[testURI]
			lines := newLineTable(d.text, c.s.units)
			start := boundary(d.text, at%(len(d.text)+1))
			if op%2 == 0 {
				end := boundary(d.text, min(len(d.text), start+int(script[3])%16))
				want := d.text[:start] + pieces[op/2%len(pieces)] + d.text[end:]
				c.notify("textDocument/didChange",
					map[string]any{"textDocument": map[string]any{"uri": testURI, "version": 2},
						"contentChanges": []any{map[string]any{"text": pieces[op/2%len(pieces)],
							"range": lines.span(source.Span{Start: start, End: end})}}})
				if d.text != want {
					t.Fatalf("an edit gave %q, not %q", d.text, want)
				}
			} else {
				ask(t, c, lines.position(start), op/2, script[3])
			}
			script = script[4:]
		}
		for _, d := range c.diagnostics() {
			if d.Range.End.Line < d.Range.Start.Line {
				t.Errorf("%+v", d)
			}
		}
	})
}

// boundary moves a place back to the start of a character, and of a line's end.
func boundary(text string, at int) int {
	for at > 0 && at < len(text) &&
		(!utf8.RuneStart(text[at]) || text[at] == '\n' && text[at-1] == '\r') {
		at--
	}
	return at
}

func ask(t *testing.T, c *client, at position, which int, more byte) {
	var methods []string
	for m := range features {
		methods = append(methods, m)
	}
	slices.Sort(methods)
	method := methods[which%len(methods)]
	m := c.request(method, map[string]any{"textDocument": map[string]any{"uri": testURI},
		"position": at,
		"range":    textRange{at, position{at.Line + int(more), 0}},
		"newName":  string(rune('a' + more%26)),
		"context":  map[string]any{"includeDeclaration": true}})
	if m.Error != nil && m.Error.Code == internalError {
		t.Errorf("%s: %s", method, m.Error.Message)
	}
}

// FuzzServe: no stream of bytes, and no body of a message, makes the server panic.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"id":1,"method":"textDocument/hover","params":{"position":{"line":-1}}}`))
	f.Add([]byte(`{"method":"textDocument/didChange","params":{"contentChanges":[{"range":{"end":{"line":-9}}}]}}`))
	f.Add([]byte(`{"id":{},"method":"exit"}`))
	f.Add([]byte("Content-Length: 3\r\n\r\n[]\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		_ = Serve(bytes.NewReader(in), io.Discard) // whatever the error is
		frame := func(body []byte) string {
			return "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + string(body)
		}
		hello := []byte(`{"id":1,"method":"initialize"}`)
		var out bytes.Buffer
		err := Serve(strings.NewReader(frame(hello)+frame(in)+
			frame([]byte(`{"id":2,"method":"shutdown"}`))), &out)
		if err != nil && !errors.Is(err, ErrNoShutdown) ||
			!strings.Contains(out.String(), "positionEncoding") {
			t.Errorf("%v: %s", err, out.String())
		}
		if strings.Contains(out.String(), "a mistake of sgppl") {
			t.Error(out.String())
		}
	})
}

package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A client talks to a server in the process of the test, message by message.
type client struct {
	t   testing.TB
	s   *server
	out *bytes.Buffer
	id  int
}

const testURI = "file:///m.sg"

// open starts a server with one open document.
func open(t testing.TB, text string) *client {
	c := &client{t: t, out: &bytes.Buffer{}}
	c.s = newServer(c.out)
	c.request("initialize", map[string]any{})
	c.notify("textDocument/didOpen",
		map[string]any{"textDocument": map[string]any{"uri": testURI, "version": 1, "text": text}})
	return c
}

func (c *client) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.s.receive(body); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) notify(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

// request returns the answer, which is the last message that the server wrote.
func (c *client) request(method string, params any) *message {
	c.id++
	c.out.Reset()
	c.send(map[string]any{"id": c.id, "method": method, "params": params})
	return c.last()
}

func (c *client) last() *message {
	var m *message
	r := bufio.NewReader(bytes.NewReader(c.out.Bytes()))
	for {
		body, err := readBody(r)
		if err != nil {
			break
		}
		m = &message{}
		if err := json.Unmarshal(body, m); err != nil {
			c.t.Fatal(err)
		}
	}
	if m == nil {
		c.t.Fatal("no answer")
	}
	return m
}

// diagnostics has the server publish, and returns what it says.
func (c *client) diagnostics() []diagnostic {
	c.out.Reset()
	for _, d := range c.s.docs {
		d.told = false
	}
	if err := c.s.publish(); err != nil {
		c.t.Fatal(err)
	}
	var p publishParams
	if err := json.Unmarshal(c.last().Params, &p); err != nil {
		c.t.Fatal(err)
	}
	return p.Diagnostics
}

// at is the parameters of a request at a mark of the text, `shift` bytes behind its start.
func (c *client) at(mark string, shift int) map[string]any {
	d := c.s.docs[testURI]
	i := strings.Index(d.text, mark)
	if i < 0 {
		c.t.Fatalf("%q is not in the text", mark)
	}
	return map[string]any{"textDocument": map[string]any{"uri": testURI},
		"position": newLineTable(d.text, c.s.units).position(i + shift)}
}

func result[T any](c *client, m *message) T {
	c.t.Helper()
	if m.Error != nil {
		c.t.Fatal(m.Error.Message)
	}
	var v T
	if err := json.Unmarshal(m.Result, &v); err != nil {
		c.t.Fatalf("%s: %v", m.Result, err)
	}
	return v
}

// apply makes the edits of a text, the last first.
func apply(text string, edits []textEdit, units encoding) string {
	t := newLineTable(text, units)
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		text = text[:t.offset(e.Range.Start)] + e.NewText + text[t.offset(e.Range.End):]
	}
	return text
}

// models reads every .sg file of the repository.
func models(t testing.TB) map[string]string {
	out := map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".sg") {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[path] = string(text)
		}
		return err
	})
	if err != nil || len(out) < 100 {
		t.Fatalf("%d files: %v", len(out), err)
	}
	return out
}

package playground

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestBundles: the bundles are made of the page's sources as they are.
func TestBundles(t *testing.T) {
	sum, err := Sources(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile("dist/sources.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(made)) != sum {
		t.Error("the page's sources have changed: go generate ./playground, which needs npm")
	}
}

// TestFiles: the page's files refer to files that there are, and every example has a title.
func TestFiles(t *testing.T) {
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "style.css", "app.js", "worker.js"} {
		if len(all[name]) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	var list []example
	if err := json.Unmarshal(all["examples/list.json"], &list); err != nil || len(list) < 20 {
		t.Fatal(len(list), err)
	}
	for _, x := range list {
		if x.Title == "" || len(all["examples/"+x.Name+".sg"]) == 0 {
			t.Errorf("%s: title %q", x.Name, x.Title)
		}
	}
}

// TestCarried: a binary that carries its engine serves it to browsers that take brotli, and
// unpacked to others.
func TestCarried(t *testing.T) {
	e := &Engine{Wasm: []byte(strings.Repeat("\x00asm", 1000)), Exec: []byte("exec")}
	packed, err := e.Pack()
	if err != nil || len(packed) > 100 {
		t.Fatal(len(packed), err)
	}
	got, err := carried(mapFS{carriedWasm: packed, carriedExec: e.Exec})
	if err != nil || string(got.Wasm) != string(e.Wasm) || string(got.Exec) != "exec" {
		t.Fatalf("%d bytes, %v", len(got.Wasm), err)
	}
	pages, err := got.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ accept, encoding, want string }{{"gzip, br", "br", string(packed)},
		{"", "", string(e.Wasm)}} {
		w := get(pages, "/engine.wasm", c.accept)
		if w.Body.String() != c.want || w.Header().Get("Content-Encoding") != c.encoding ||
			w.Header().Get("Content-Type") != "application/wasm" {
			t.Errorf("%q: %d bytes, %v", c.accept, w.Body.Len(), w.Header())
		}
	}
	if w := get(pages, "/", ""); w.Code != 200 ||
		!strings.Contains(w.Body.String(), "<title>sgppl playground") {
		t.Error(w.Code)
	}
	for _, path := range []string{"/nothing", "/../../etc/passwd", "/dist/app.js"} {
		if w := get(pages, path, ""); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

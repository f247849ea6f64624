package playground

import (
	"bytes"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// all returns every file of the page, with the engine.
func (e *Engine) all() (map[string][]byte, error) {
	all, err := Files()
	if err != nil {
		return nil, err
	}
	all["engine.wasm"], all["wasm_exec.js"] = e.Wasm, e.Exec
	return all, nil
}

// Write writes the page to a directory, for any web server. It has no subdirectories but
// examples.
func (e *Engine) Write(dir string) error {
	all, err := e.all()
	if err != nil {
		return err
	}
	for name, text := range all {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Handler serves the page. The WebAssembly goes out packed where the binary carries it so,
// to browsers that take brotli.
func (e *Engine) Handler() (http.Handler, error) {
	all, err := e.all()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		text, is := all[name]
		if !is {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if name == "engine.wasm" && e.packed != nil &&
			strings.Contains(r.Header.Get("Accept-Encoding"), "br") {
			w.Header().Set("Content-Encoding", "br")
			text = e.packed
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	}), nil
}

// contentType is the type of a file. Not all systems know that of WebAssembly.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".wasm":
		return "application/wasm"
	case ".sg":
		return "text/plain; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

package playground

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing/fstest"
)

// mapFS is files by their paths.
type mapFS map[string][]byte

func (m mapFS) Open(name string) (fs.File, error) {
	all := fstest.MapFS{}
	for path, text := range m {
		all[path] = &fstest.MapFile{Data: text}
	}
	return all.Open(name)
}

func get(h http.Handler, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://127.0.0.1/", nil)
	r.URL.Path = path
	r.Header.Set("Accept-Encoding", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

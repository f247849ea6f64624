package playground

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"path"
	"regexp"

	"github.com/sgppl/sgppl"
)

// packageFiles are the files of the npm package, each of a place in the module.
var packageFiles = map[string]string{
	"package.json": "clients/js/package.json", "README.md": "clients/js/README.md",
	"index.js": "clients/js/index.js", "index.d.ts": "clients/js/index.d.ts",
	"engine.js": "clients/js/engine.js", "draws.js": "clients/js/draws.js",
	"worker.js": "clients/js/worker.js", "memfs.js": "playground/page/memfs.js",
	"LICENSE": "LICENSE",
}

var version = regexp.MustCompile(`"version": "[^"]*"`)

// Package returns the files of the npm package whose engine this is, by their paths. module
// is the file system of the module.
func (e *Engine) Package(module fs.FS) (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, from := range packageFiles {
		text, err := fs.ReadFile(module, path.Clean(from))
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	out["package.json"] = version.ReplaceAll(out["package.json"],
		fmt.Appendf(nil, `"version": %q`, sgppl.Version))
	// Go's program defines a class in the global object, which its users may want to choose.
	out["wasm_exec.js"] = fmt.Appendf(nil,
		"export default function (globalThis) {\n%s\nreturn globalThis.Go;\n}\n", e.Exec)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(e.Wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	out["engine.wasm.gz"] = packed.Bytes()
	return out, nil
}

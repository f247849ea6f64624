// Package playground is a page in which models are written, checked and sampled: an editor,
// and the compiler, the virtual machine and the samplers as WebAssembly in a worker. It is
// static: any web server can hold its files, and no data leaves the page.
//
// The page is in page/, the worker's program in engine/. The bundles in dist/ are made of
// page/ by go generate, which needs npm, and are committed. The engine is built by the Go
// toolchain where it is needed (see Engine).
package playground

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sgppl/sgppl/examples"
)

//go:generate go run ./bundle

//go:embed page/index.html page/style.css all:dist
var files embed.FS

// Sources returns a digest of what the bundles in dist are made of, in the module's file
// system. dist/sources.sha256 holds it, so that a test sees bundles that are out of date.
func Sources(module fs.FS) (string, error) {
	names, err := fs.Glob(module, "playground/page/*.js*")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range append(names, "editors/lezer/sgppl.grammar") {
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// An example is a model that the page offers.
type example struct {
	Name  string `json:"name"`
	Title string `json:"title"` // the first line of its doc comment
}

// Files returns the files of the page by their paths, except for the engine's.
func Files() (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, from := range map[string]string{
		"index.html": "page/index.html", "style.css": "page/style.css",
		"app.js": "dist/app.js", "worker.js": "dist/worker.js",
	} {
		text, err := files.ReadFile(from)
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	models, err := fs.Glob(examples.Files, "models/*")
	if err != nil {
		return nil, err
	}
	list := []example{}
	for _, name := range models {
		text, err := examples.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out["examples/"+path.Base(name)] = text
		if model, is := strings.CutSuffix(path.Base(name), ".sg"); is {
			list = append(list, example{model, title(string(text))})
		}
	}
	if out["examples/list.json"], err = json.Marshal(list); err != nil {
		return nil, err
	}
	return out, nil
}

// title is the first line of a model's doc comment; "" without one.
func title(text string) string {
	for line := range strings.Lines(text) {
		if doc, is := strings.CutPrefix(line, "///"); is {
			return strings.TrimSpace(doc)
		}
	}
	return ""
}

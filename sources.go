//go:build !js

package sgppl

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed runtime/*/*/*.go runtime/*/*/*.s runtime/*/*/*/*.go runtime/*/*/*/*.s
var files embed.FS

// Runtime calls f for every source file of the runtime, tests apart, with its
// path below the root of the module, in lexical order.
func Runtime(f func(path string, text []byte) error) error {
	return fs.WalkDir(files, "runtime", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return f(path, text)
	})
}

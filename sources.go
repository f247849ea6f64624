//go:build !js

package sgppl

import (
	"embed"
	"io/fs"
)

// Patterns cannot leave out tests: these match the names that do not end in test.go.
//
//go:embed runtime/*/*/*[^t].go runtime/*/*/*[^s]t.go runtime/*/*/*[^e]st.go runtime/*/*/*[^t]est.go
//go:embed runtime/*/*/*/*[^t].go runtime/*/*/*/*[^s]t.go runtime/*/*/*/*[^e]st.go
//go:embed runtime/*/*/*.s runtime/*/*/*/*.s
var files embed.FS

// Runtime calls f for every source file of the runtime, except for tests, with its
// path below the root of the module, in lexical order.
func Runtime(f func(path string, text []byte) error) error {
	return fs.WalkDir(files, "runtime", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return f(path, text)
	})
}

//go:build !js

package sgppl

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
)

// Patterns cannot leave out tests: these match the names that do not end in test.go.
//
//go:embed runtime/*/*/*[^t].go runtime/*/*/*[^s]t.go runtime/*/*/*[^e]st.go runtime/*/*/*[^t]est.go
//go:embed runtime/*/*/*/*[^t].go runtime/*/*/*/*[^s]t.go runtime/*/*/*/*[^e]st.go
var files embed.FS

// Runtime calls f for every source file of the runtime, except for tests and for the
// assembly of other processors, with its path below the root of the module, in lexical
// order.
func Runtime(f func(path string, text []byte) error) error {
	all := map[string][]byte{}
	for _, from := range []embed.FS{files, assembly} {
		err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			all[path], err = from.ReadFile(path)
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if err := f(path, all[path]); err != nil {
			return err
		}
	}
	return nil
}

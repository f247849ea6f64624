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
// order. The file is valid during the call only.
func Runtime(f func(path string, file fs.File) error) error {
	from := map[string]embed.FS{}
	for _, in := range []embed.FS{files, assembly} {
		err := fs.WalkDir(in, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				from[path] = in
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(from)) {
		file, err := from[path].Open(path)
		if err != nil {
			return err
		}
		if err := f(path, file); err != nil {
			return err
		}
	}
	return nil
}

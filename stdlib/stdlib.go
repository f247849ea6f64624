// Package stdlib embeds the standard library, which is written in the language
// itself: one file a distribution (its log density, generator, support,
// source and test points), functions.sg with functions that every model sees,
// and modules such as nn.sg, which a model asks for with `use nn`.
package stdlib

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.sg
var files embed.FS

// Source returns the text of NAME.sg; ok is false if there is none.
func Source(name string) (text string, ok bool) {
	b, err := files.ReadFile(name + ".sg")
	return string(b), err == nil
}

// Names returns the base names of all files, in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("stdlib: the embedded files cannot be listed: " + err.Error())
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".sg")
	}
	return names
}

// FS is the library as a file system of NAME.sg files.
func FS() fs.FS { return files }

package session

import (
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/stan"
)

// ModelName is what a run of the model of a file is called.
func ModelName(path string) string {
	name := filepath.Base(path)
	if stan.Is(name) {
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return strings.TrimSuffix(name, ".sg")
}

// NoteGenerated says how the `generate` lines of a model are computed, where it has some.
func (b *Binding) NoteGenerated(e *Session, dir string) {
	if names := b.Compiled.Check.Generated(); len(names) > 0 {
		e.Note("`sgppl generate %s` computes %s for each draw", dir, spelling.List(names))
	}
}

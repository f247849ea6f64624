package native

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl"
)

// Known reports whether Build was asked for an engine of a model with this text before. Where it
// was not, no engine of the model is in the cache, whatever its data and settings, and none need
// be looked for by all that it would be made of. The answer may be wrong both ways, as files of
// the cache may be removed: Build finds what there is.
func (b *Builder) Known(text string) bool {
	_, err := os.Lstat(b.mark(text))
	return err == nil
}

// know has Known say so of a text from now on, if that can be written.
func (b *Builder) know(text string) {
	if text == "" || b.Known(text) {
		return
	}
	path := b.mark(text)
	if os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		os.WriteFile(path, nil, 0o644)
	}
}

// mark is the file by which Known answers.
func (b *Builder) mark(text string) string {
	sum := sha256.Sum256([]byte(sgppl.Version + "\n" + text))
	return filepath.Join(b.Cache, "models", hex.EncodeToString(sum[:12]))
}

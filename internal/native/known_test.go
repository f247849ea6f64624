package native

import (
	"os"
	"testing"
)

// TestKnown: a text is known once it was built, in every process that has the cache, and no other.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	b := &Builder{Cache: dir}
	if b.Known("a") {
		t.Error("known before")
	}
	b.know("a")
	b.know("a")
	b.know("") // of a package without a model
	again := &Builder{Cache: dir}
	if !again.Known("a") || again.Known("b") || again.Known("") {
		t.Error("after it was built")
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	(&Builder{Cache: dir + "/none"}).know("c") // which cannot be written
}

package codegen_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestZDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	for _, c := range append(own(t), load(t, "../../shared/models/*.sg")...) {
		for name, text := range c.generate(t) {
			os.MkdirAll(filepath.Join(dir, c.name), 0o755)
			os.WriteFile(filepath.Join(dir, c.name, name), text, 0o644)
		}
	}
}

//go:build slow

package main

import (
	"path/filepath"
	"testing"
)

// TestMixedEngines: several samplers give the same bits in both engines.
func TestMixedEngines(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SGPPL_CACHE", filepath.Join(dir, "cache"))
	for _, engine := range []string{"vm", "native"} {
		if out, err := program(t, dir, mixedRun(t, dir, engine, engine)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	sameRuns(t, filepath.Join(dir, "native"), filepath.Join(dir, "vm"))
}

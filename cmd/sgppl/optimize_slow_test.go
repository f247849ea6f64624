//go:build slow

package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestNativeOptimize: the native engine finds the points of the VM, to the bit,
// with held-out rows that it was given too.
func TestNativeOptimize(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SGPPL_CACHE", filepath.Join(dir, "cache"))
	for _, engine := range []string{"vm", "native"} {
		args := santaRun(t, dir, engine)
		args[slices.Index(args, "--engine")+1] = engine
		args[slices.Index(args, "--steps")+1] = "4000"
		if out, err := program(t, dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	samePoints(t, filepath.Join(dir, "native"), filepath.Join(dir, "vm"))
}

//go:build slow

package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// The running predictive and the moments of the native engine are the VM's, to
// the bit.
func TestNativeHeldOut(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SGPPL_CACHE", filepath.Join(dir, "cache"))
	for _, engine := range []string{"vm", "native"} {
		args := heldOutRun(t, dir, engine)
		args[slices.Index(args, "--engine")+1] = engine
		if out, err := program(t, dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	sameHeldOut(t, filepath.Join(dir, "native"), filepath.Join(dir, "vm"))
}

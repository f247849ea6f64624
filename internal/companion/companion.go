// Package companion finds programs that are installed with sgppl and are not part of it.
package companion

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the path of a program by its name without .exe: in the directory of this
// program, else on the PATH.
func Find(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		near := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(near); err == nil && info.Mode().IsRegular() {
			return near, nil
		}
	}
	return exec.LookPath(name)
}

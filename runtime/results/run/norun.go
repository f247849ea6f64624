package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
)

// ErrNoRun is wrapped by errors about a directory that is not a run directory.
var ErrNoRun = errors.New("not a run directory")

// noRun returns the error for a path without run.json. The message says what the path is, and
// suggests a run that may be meant. If the directory has other files that only runs have, the error
// says that the run is damaged.
func noRun(dir string) error {
	info, err := os.Stat(dir)
	found := "it has no " + recordName
	switch {
	case errors.Is(err, os.ErrNotExist):
		found = "it has no " + recordName + ", since it does not exist"
	case err == nil && !info.IsDir():
		found = "it is a file"
	case err == nil:
		if left := leftOfRun(dir); left != "" {
			return fail(exitFiles,
				"%s is a damaged run: its %s is gone, and %s is there; restore it from a copy, "+
					"or start a new run", dir, recordName, left)
		}
	}
	e := fail(exitFiles, "%s is not a run directory: %s; %s", dir, found, meant(dir)).(*Error)
	e.cause = ErrNoRun
	return e
}

// leftOfRun returns the name of a file in dir that only runs have, or "" if there is none.
func leftOfRun(dir string) string {
	for _, pattern := range []string{drawsName, "chain-*.ckpt"} {
		if found, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern)); err == nil &&
			len(found) > 0 {
			return filepath.Base(found[0])
		}
	}
	return ""
}

// escapeGlob returns a glob pattern that matches only path.
func escapeGlob(path string) string {
	if os.PathSeparator == '\\' { // no escapes there
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// meant suggests a run for a path that is not one: the run that contains the path, the runs within
// it, or else the command that makes a run.
func meant(path string) string {
	for dir := filepath.Dir(filepath.Clean(path)); ; dir = filepath.Dir(dir) {
		if isRun(dir) {
			return "it is in the run " + dir
		}
		if dir == filepath.Dir(dir) || dir == "." {
			break
		}
	}
	var runs []string
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if dir := filepath.Join(path, e.Name()); e.IsDir() && isRun(dir) {
			runs = append(runs, dir)
		}
	}
	switch n := len(runs); {
	case n > 3:
		return "runs in it are " + strings.Join(runs[:3], ", ") + ", …"
	case n > 1:
		return "runs in it are " + strings.Join(runs, ", ")
	case n == 1:
		return "the run in it is " + runs[0]
	}
	return setting.Text("`sgppl sample MODEL {out} DIR` makes one")
}

package run

import (
	"io/fs"
	"path/filepath"

	files "github.com/sgppl/sgppl/runtime/base/disk"
)

// noLinks returns an error if something in a run directory is a symbolic link, or neither a file
// nor a directory: a run would then write elsewhere. The directory itself may be a link.
func noLinks(on files.FS, dir string) error {
	entries, err := on.ReadDir(dir)
	if err != nil {
		return disk(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if err := noLinks(on, path); err != nil {
				return err
			}
		case e.Type()&fs.ModeSymlink != 0:
			return fail(exitFiles,
				"%s is a symbolic link, and a run writes through none: put the file in its "+
					"place, or start a new run", path)
		case !e.Type().IsRegular():
			return fail(exitFiles,
				"%s is not a file, and a run writes nothing else: remove it, or start a new run", path)
		}
	}
	return nil
}

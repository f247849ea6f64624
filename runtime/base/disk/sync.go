package disk

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// together is how many files of the operating system are made durable at once. The system then
// writes them in few turns of the disk; a turn for each file is what a small run would take most
// of its time for.
const together = 32

// few is the number of files up to which each is synced by itself: that waits for nothing else.
const few = 8

// Sync makes the bytes of files and the names in directories durable. The order is that of the
// paths, files first, but on the file system of the operating system, where all are written at
// once. It returns the error of the first path that has one.
func Sync(f FS, files, dirs []string) error {
	if f == OS && len(files)+len(dirs) > few {
		// all paths must be on the file system of the first; those of a run are
		if path := append(dirs[:len(dirs):len(dirs)], files...)[0]; system.SyncAll(path) {
			return nil
		}
	}
	return each(f, len(files)+len(dirs), func(i int) error {
		if i < len(files) {
			return SyncFile(f, files[i])
		}
		dir := dirs[i-len(files)]
		return WriteError(dir, f.SyncDir(dir))
	})
}

func each(f FS, n int, do func(i int) error) error {
	if f != OS || n < 2 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	var all sync.WaitGroup
	for first := range min(together, n) {
		all.Go(func() {
			for i := first; i < n; i += together {
				errs[i] = do(i)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

package disk

import "sync"

// together is how many files of the operating system are made durable at once. The system then
// writes them in few turns of the disk; a turn for each file is what a small run would take most
// of its time for.
const together = 16

// SyncFiles makes the bytes of files durable. The order is that of paths, but on the file system
// of the operating system, where several are written at once. It returns the error of the first
// path that has one.
func SyncFiles(f FS, paths []string) error {
	return each(f, paths, func(path string) error { return SyncFile(f, path) })
}

// SyncDirs makes the names in directories durable, as SyncFiles does the bytes of files.
func SyncDirs(f FS, paths []string) error {
	return each(f, paths, func(path string) error { return WriteError(path, f.SyncDir(path)) })
}

func each(f FS, paths []string, do func(path string) error) error {
	if f != OS || len(paths) < 2 {
		for _, path := range paths {
			if err := do(path); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, len(paths))
	var all sync.WaitGroup
	for first := range min(together, len(paths)) {
		all.Go(func() {
			for i := first; i < len(paths); i += together {
				errs[i] = do(paths[i])
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

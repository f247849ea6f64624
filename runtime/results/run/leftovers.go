package run

import (
	"path/filepath"
	"strings"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// Tidy removes the unfinished files that killed processes left in a run directory. It does nothing
// while another process has the lock of the run. It ignores files that cannot be removed, since
// they do no harm.
func Tidy(on files.FS, dir string) {
	unlock, err := system.TryLock(dir)
	if err != nil {
		return
	}
	defer unlock()
	if noLinks(on, dir) == nil {
		tidy(on, dir)
	}
}

// tidy is Tidy for a caller that holds the lock. The directory must contain no symbolic links.
func tidy(on files.FS, dir string) {
	entries, err := on.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == pulseName || e.Name() == stopName: // left by a process that ended
			on.Remove(path)
		case !e.IsDir():
			removeUnfinished(on, path, ofRunDir)
		case e.Name() == logLikName: // it is computed again, or the store has its groups already
			files.RemoveAll(on, path)
		case storeNames[e.Name()]:
			tidyStore(on, path)
		}
	}
}

// storeNames has the directory names of the stores that a run directory can have.
var storeNames = map[string]bool{drawsName: true, warmupName: true, pointsName: true,
	iteratesName: true, checksName: true}

// tidyStore removes unfinished files from a store or from a directory within it.
func tidyStore(on files.FS, dir string) {
	entries, err := on.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			tidyStore(on, path)
		} else {
			removeUnfinished(on, path, ofStore)
		}
	}
}

// removeUnfinished removes a temporary file whose final name ours accepts, if the process that made
// it has ended. A temporary name without a process number belongs to the holder of the lock and is
// always removed.
func removeUnfinished(on files.FS, path string, ours func(name string) bool) {
	of, process, is := files.Unfinished(filepath.Base(path))
	if is && ours(of) && (process == 0 || files.Ended(process)) {
		on.Remove(path)
	}
}

// ofRunDir reports whether name is the name of a file of a run outside its stores.
func ofRunDir(name string) bool {
	switch name {
	case recordName, modelName, heldOutName, labelsName, indexName, setupName, pulseName:
		return true
	}
	return isCheckpoint(name)
}

// isCheckpoint reports whether a file of that name is the checkpoint of a chain.
func isCheckpoint(name string) bool {
	of, begins := strings.CutPrefix(name, "chain-")
	of, ends := strings.CutSuffix(of, ".ckpt")
	_, number := files.Number(of)
	return begins && ends && number
}

// ofStore reports whether name can be a file of a store: metadata, a journal, or a chunk, whose
// name consists of numbers separated by dots.
func ofStore(name string) bool {
	switch name {
	case ".zarray", ".zattrs", ".zgroup", ".zmetadata", ".digests":
		return true
	}
	if of, is := strings.CutPrefix(name, ".chain-"); is {
		name = of
	}
	for part := range strings.SplitSeq(name, ".") {
		if _, number := files.Number(part); !number {
			return false
		}
	}
	return true
}

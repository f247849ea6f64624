package run

import (
	"path/filepath"
	"strings"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// Tidy removes from a run directory what processes that were killed left unfinished in
// it. Where another process writes the run it does nothing; what cannot be removed
// stays, as it does no harm.
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

// tidy is Tidy for who has the lock. Nothing in the directory is a symbolic link.
func tidy(on files.FS, dir string) {
	entries, err := on.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == pulseName || e.Name() == stopName: // of a process that is gone
			on.Remove(path)
		case !e.IsDir():
			removeUnfinished(on, path, ofRunDir)
		case e.Name() == logLikName: // it is made anew, or its groups are part of the store
			files.RemoveAll(on, path)
		case storeNames[e.Name()]:
			tidyStore(on, path)
		}
	}
}

// storeNames are the stores of draws that a run directory keeps.
var storeNames = map[string]bool{drawsName: true, warmupName: true, pointsName: true,
	iteratesName: true, checksName: true}

// tidyStore is tidy for a store, or a directory in one.
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

// removeUnfinished removes a temporary file of a process that has ended, which was to
// become one that ours accepts. A name without the process is of a file that the
// holder of the lock alone makes.
func removeUnfinished(on files.FS, path string, ours func(name string) bool) {
	of, process, is := files.Unfinished(filepath.Base(path))
	if is && ours(of) && (process == 0 || files.Ended(process)) {
		on.Remove(path)
	}
}

// ofRunDir reports whether name is that of a file of a run outside its stores.
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

// ofStore reports whether a store has a file of that name: metadata, a journal or a chunk, whose
// name is numbers with dots between them.
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

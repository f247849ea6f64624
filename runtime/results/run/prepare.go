package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/setting"
)

// Prepare makes a run directory with the text of the model and the record, for Continue to run. It
// sets the record's ID. If the directory exists, Prepare returns an error that wraps fs.ErrExist,
// unless force is true: then it removes the files of the run in it, and no others.
func Prepare(dir string, r *Record, text string, force bool, now time.Time) error {
	return PrepareOn(files.OS, dir, r, text, force, now)
}

// PrepareOn is Prepare on the file system on.
func PrepareOn(on files.FS, dir string, r *Record, text string, force bool, now time.Time) error {
	unlock, named, err := claim(on, dir, force)
	if err != nil {
		return err
	}
	// The process that samples takes the lock again. Whoever prepares the
	// directory in between gives it another ID, which Continue sees.
	defer unlock()
	r.ID = fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	r.Status, r.ModelHash, r.Started = Running, Hash(text), now.Format(time.RFC3339)
	o := r.Outline()
	r.Digests = Digests
	r.Seed, r.Chains = o.Seed, make([]Chain, o.Chains)
	// The mark is durable before the first file has its name.
	if err := files.Place(on, nil, named,
		files.Whole(filepath.Join(dir, modelName), []byte(text))); err != nil {
		return disk(err)
	}
	if err := r.writeLabels(on, dir); err != nil {
		return err
	}
	if r.Index != nil {
		if err := files.WriteFile(on, IndexPath(dir), r.Index); err != nil {
			return disk(err)
		}
	}
	if r.Before != nil {
		if err := r.Before(); err != nil {
			return err
		}
	}
	// The record is written last: only then is the directory a run directory.
	if err := r.writeAfter(on, dir, []string{dir}); err != nil {
		return err
	}
	unmark(on, dir) // if it cannot be removed, it does no harm
	logLine(on, dir, now, "sgppl %s: model %s, %s", r.Version, r.Model, o)
	return nil
}

// claim makes the directory, or removes the files of a run from it, and locks it. It leaves the
// file preparing in it. The names of both are durable once the directories named are synced.
func claim(on files.FS, dir string, force bool) (unlock func(), named []string, err error) {
	parent := filepath.Dir(filepath.Clean(dir))
	var above []string // directories that get a new name
	for up := parent; ; up = filepath.Dir(up) {
		above = append(above, up)
		if _, err := on.Lstat(up); err == nil || up == filepath.Dir(up) {
			break
		}
	}
	if err := files.MkdirAll(on, parent, 0o777); err != nil {
		return nil, nil, fail(exitFiles, "cannot make the run directory: %v", err)
	}
	if err = on.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, nil, fail(exitFiles, "cannot make the run directory: %v", err)
	}
	made := err == nil
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, nil, fail(exitFiles, "%s is in the way: it is not a directory", dir)
	}
	if !made && !force {
		return nil, nil, taken(dir)
	}
	if unlock, err = Lock(dir); err != nil {
		return nil, nil, err
	}
	if made && !force && isRun(dir) { // somebody's who was faster, with force
		err = taken(dir)
	} else {
		err = empty(on, dir)
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return unlock, append(above, dir), nil
}

func isRun(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, recordName))
	return err == nil
}

// taken returns the error for a directory that exists. Its message names the flags that help. It
// wraps fs.ErrExist.
func taken(dir string) error {
	dir = printable.Line(dir)
	text := dir + setting.Text(" exists and holds no run; {out} names another directory, {force} "+
		"puts the run into this one")
	if isRun(dir) {
		text = setting.Sprintf("%s exists; {force} replaces the run in it, {out} names another "+
			"directory, {resume} %s goes on with it", dir, dir)
	}
	return &Error{exitUsage, text, fs.ErrExist}
}

// preparing is the name of a file in a directory that sgppl is preparing: files of an old run are
// being removed from it, or the first files of a new run written. If the process is killed
// meanwhile, the file marks the remaining files as those of a run, so that --force may replace
// them.
const preparing = ".sgppl-preparing"

// ofRun reports whether a directory holds a run, which may be damaged, or the remains of one. Only
// from such a directory are files removed that have the names of a run's files.
func ofRun(on files.FS, dir string) bool {
	for _, name := range []string{preparing, filepath.Join(drawsName, ".chain-0"),
		filepath.Join(pointsName, ".chain-0")} {
		if _, err := on.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	path := filepath.Join(dir, recordName)
	if info, err := on.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	b, err := files.ReadFile(on, path) // it may be damaged
	return err == nil && (len(b) == 0 || bytes.Contains(b, []byte(`"sgppl_version"`)))
}

// empty marks the directory and removes the files of a run from it, its record
// first. The mark is durable before one is removed. Files of others that have such
// names are refused.
func empty(on files.FS, dir string) error {
	known := map[string]bool{}
	for _, name := range []string{recordName, modelName, drawsName, warmupName, pointsName,
		iteratesName, checksName, logName, logLikName, heldOutName, labelsName, indexName,
		setupName, pulseName, stopName} {
		known[name], known[name+discarded] = true, true
	}
	entries, err := on.ReadDir(dir)
	if err != nil {
		return disk(err)
	}
	var names []string
	for _, e := range entries {
		if known[e.Name()] || isCheckpoint(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) > 0 && !ofRun(on, dir) {
		return fail(exitUsage,
			setting.Text("%s holds %s and no run of sgppl: nothing in it is replaced; {out} "+
				"names another directory"), dir, names[0])
	}
	err = mark(on, dir)
	if err == nil && len(names) > 0 {
		err = on.SyncDir(dir)
	}
	if err != nil {
		return disk(fmt.Errorf("cannot prepare the run directory: %w", err))
	}
	slices.SortStableFunc(names,
		func(a, b string) int { return cmp.Compare(rankOfName(a), rankOfName(b)) })
	for _, name := range names {
		if err := discard(on, filepath.Join(dir, name)); err != nil {
			return disk(fmt.Errorf("cannot clear the run directory: %w", err))
		}
	}
	return nil
}

// rankOfName has the record come first.
func rankOfName(name string) int {
	if name == recordName {
		return 0
	}
	return 1
}

// mark makes the file called preparing.
func mark(on files.FS, dir string) error {
	f, err := on.OpenFile(filepath.Join(dir, preparing), os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// unmark removes the file named preparing, if it exists.
func unmark(on files.FS, dir string) error {
	if err := on.Remove(filepath.Join(dir, preparing)); err != nil &&
		!errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// discarded is the suffix of the names of files and directories that are being removed.
const discarded = ".sgppl-old"

// discard renames a file or a directory and then removes it. A process that is killed meanwhile
// therefore leaves no incomplete store under the original name.
func discard(on files.FS, path string) error {
	old := path + discarded
	if err := files.RemoveAll(on, old); err != nil {
		return err
	}
	if err := on.Rename(path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.RemoveAll(on, old)
}

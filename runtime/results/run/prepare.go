package run

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/setting"
)

// Prepare makes a run directory with its model text and record, ready for
// Continue with the record's new ID. An existing directory is refused, unless
// force: then what a run had left in it is removed, and nothing else. The error
// of the refusal wraps fs.ErrExist.
func Prepare(dir string, r *Record, text string, force bool, now time.Time) error {
	return PrepareOn(files.OS, dir, r, text, force, now)
}

// PrepareOn is Prepare on another file system than the operating system's.
func PrepareOn(on files.FS, dir string, r *Record, text string, force bool, now time.Time) error {
	unlock, err := claim(on, dir, force)
	if err != nil {
		return err
	}
	// The process that samples takes the lock again. Whoever prepares the
	// directory in between gives it another ID, which Continue sees.
	defer unlock()
	r.ID = rand.Text()
	r.Status, r.ModelHash, r.Started = Running, Hash(text), now.Format(time.RFC3339)
	o := r.Outline()
	r.Digests = Digests
	r.Seed, r.Chains = o.Seed, make([]Chain, o.Chains)
	if err := files.WriteFile(on, filepath.Join(dir, modelName), []byte(text)); err != nil {
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
	// With the record the directory is a run's; it is written last.
	if err := r.write(on, dir); err != nil {
		return err
	}
	unmark(on, dir) // if it cannot be removed, it does no harm
	logLine(on, dir, now, "sgppl %s: model %s, %s", r.Version, r.Model, o)
	return nil
}

// claim makes the directory, or empties it, and locks it. It leaves the mark that
// the directory is being prepared.
func claim(on files.FS, dir string, force bool) (unlock func(), err error) {
	parent := filepath.Dir(filepath.Clean(dir))
	var above []string // directories that get a new name
	for up := parent; ; up = filepath.Dir(up) {
		above = append(above, up)
		if _, err := on.Lstat(up); err == nil || up == filepath.Dir(up) {
			break
		}
	}
	if err := files.MkdirAll(on, parent, 0o777); err != nil {
		return nil, fail(exitFiles, "cannot make the run directory: %v", err)
	}
	err = on.Mkdir(dir, 0o777)
	for _, up := range above {
		if e := on.SyncDir(up); err == nil && e != nil {
			return nil, fail(exitFiles, "cannot make the run directory: %v", e)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fail(exitFiles, "cannot make the run directory: %v", err)
	}
	made := err == nil
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, fail(exitFiles, "%s is in the way: it is not a directory", dir)
	}
	if !made && !force {
		return nil, taken(dir)
	}
	if unlock, err = Lock(dir); err != nil {
		return nil, err
	}
	if made && !force && isRun(dir) { // somebody's who was faster, with force
		err = taken(dir)
	} else {
		err = empty(on, dir)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

func isRun(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, recordName))
	return err == nil
}

// taken refuses a directory that exists, with what can be done about it. The
// error wraps fs.ErrExist.
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

// preparing is the name of a file that marks a directory which sgppl is preparing:
// it is emptied, or a run's first files are written. What a crash leaves in such a
// directory belongs to a run, and --force may replace it.
const preparing = ".sgppl-preparing"

// ofRun reports whether a directory holds a run, damaged or not, or what a crash left of one: only
// then files with the names of a run's are removed from it.
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
// first. Files of others that have such names are refused.
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
	if err := mark(on, dir); err != nil {
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

// mark makes the file called preparing, durably.
func mark(on files.FS, dir string) error {
	f, err := on.OpenFile(filepath.Join(dir, preparing), os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return on.SyncDir(dir)
}

// unmark removes the file called preparing, if it is there.
func unmark(on files.FS, dir string) error {
	if err := on.Remove(filepath.Join(dir, preparing)); err != nil &&
		!errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// discarded is what the names of files end in that are being removed.
const discarded = ".sgppl-old"

// discard removes a file, or a directory as if in one step: a process that is
// killed meanwhile leaves no store with holes under its name.
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

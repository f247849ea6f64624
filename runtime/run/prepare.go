package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sgppl/sgppl/runtime/trace"
)

// Prepare makes a run directory with its model text and record, ready for
// Continue. An existing directory is refused, unless force: then what a run
// had left in it is removed, and nothing else.
func Prepare(dir string, r *Record, text string, force bool, now time.Time) error {
	if err := claim(dir, force); err != nil {
		return err
	}
	r.Status, r.ModelHash, r.Started = Running, Hash(text), now.Format(time.RFC3339)
	r.Seed = r.Settings.Seed
	r.Chains = make([]Chain, r.Settings.Chains)
	if err := trace.WriteFileAtomic(filepath.Join(dir, modelName), []byte(text)); err != nil {
		return disk(err)
	}
	// With the record the directory is a run's; it is written last.
	if err := r.write(dir); err != nil {
		return err
	}
	logLine(dir, now, "sgppl %s: model %s, %s, %d chains of %d warm-up steps and %d draws", r.Version, r.Model, r.Settings.Sampler,
		r.Settings.Chains, r.Settings.Warmup, r.Settings.Draws)
	return nil
}

func claim(dir string, force bool) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o777); err != nil {
		return fail(exitFiles, "cannot make the run directory: %v", err)
	}
	err := os.Mkdir(dir, 0o777)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return fail(exitFiles, "cannot make the run directory: %v", err)
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return fail(exitFiles, "%s is in the way: it is not a directory", dir)
	}
	if !force {
		return fail(exitUsage, "%s exists; --force replaces the run in it, --out names another directory, --resume %s goes on with it", dir, dir)
	}
	unlock, err := lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	return empty(dir)
}

// empty removes the files of a run, its record first: what is left of them
// after a crash is no run.
func empty(dir string) error {
	names := []string{recordName, modelName, drawsName, warmupName, logName}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return disk(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "chain-") && strings.HasSuffix(e.Name(), ".ckpt") {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		if err := discard(filepath.Join(dir, name)); err != nil {
			return disk(fmt.Errorf("cannot clear the run directory: %w", err))
		}
	}
	return nil
}

// discard removes a file, or a directory as if in one step: a process that is
// killed meanwhile leaves no store with holes under its name.
func discard(path string) error {
	old := path + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(old)
}

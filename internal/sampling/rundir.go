package sampling

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// prepare makes the directory of a run, and returns its path. Without --out that is the
// next one that no other process takes.
func (c *Sample) prepare(
	e *session.Session, b *session.Binding, dir string, r *run.Record,
) (string, error) {
	model := b.Src.Text
	r.Before = func() error { return b.SettleRows(e, dir) }
	err := run.PrepareOn(disk.Or(e.Disk), dir, r, model, c.Force && c.Out != "", e.Now())
	for c.Out == "" && errors.Is(err, fs.ErrExist) { // somebody took the number meanwhile
		if dir, err = freshDir(filepath.Join("runs", b.Compiled.Spec.Name)); err != nil {
			return "", err
		}
		if err := b.Index(r, dir); err != nil {
			return "", err
		}
		err = run.PrepareOn(disk.Or(e.Disk), dir, r, model, false, e.Now())
	}
	if err != nil {
		b.UnsettleRows(e, dir)
		return "", session.OwnStatus(err)
	}
	return dir, nil
}

// prepared ends a command that was to make the directory alone. A run that has yet to find
// how it is sampled finds that.
func (s *sampling) prepared(eng *session.Engine, dir string, r *run.Record) error {
	if s.planned {
		a := s.asking(s.e, r)
		err := s.work(s.e, eng, a, nil, run.Work{Dir: dir, ID: r.ID, Version: sgppl.Version,
			Threads: s.Threads, Disk: s.e.Disk, Dry: true})
		if err != nil {
			return s.b.Ended(dir, r, err)
		}
	}
	s.e.Note("the run in %s is prepared; %s begins its chains", dir, session.ResumeCommand(dir, r))
	return nil
}

// freshDir is the first of base-1, base-2, … that does not exist.
func freshDir(base string) (string, error) {
	for n := 1; ; n++ {
		dir := base + "-" + strconv.Itoa(n)
		_, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return dir, nil
		}
		if err != nil {
			return "", session.Failf(session.ExitFiles,
				"cannot look for a name of the run directory: %v; --out names one", err)
		}
	}
}

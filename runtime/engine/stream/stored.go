package stream

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Stores reports whether anything is stored next to the run.
func (p *Plan) Stores() bool {
	for i := range p.Files {
		if p.Files[i].Stored != "" {
			return true
		}
	}
	return false
}

// In returns the plan for a run whose stored rows are in a directory.
func (p *Plan) In(dir string) *Plan {
	q := *p
	q.Files = make([]File, len(p.Files))
	for i, f := range p.Files {
		if f.Stored != "" {
			f.Stored = absolute(filepath.Join(dir, filepath.Base(f.Stored)))
		}
		q.Files[i] = f
	}
	return &q
}

// Unstore takes away what is stored, and the directories that have nothing else.
func (p *Plan) Unstore() {
	for i := range p.Files {
		if stored := p.Files[i].Stored; stored != "" {
			p.disk().Remove(stored)
			removeEmpty(p.disk(), filepath.Dir(stored))
		}
	}
}

// Lost reports whether something that was stored is not there, or not whole.
func (p *Plan) Lost() bool {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Stored == "" {
			continue
		}
		if info, err := p.disk().Lstat(f.Stored); err != nil || !info.Mode().IsRegular() ||
			info.Size() != f.Size {
			return true
		}
	}
	return false
}

// Restore stores in a directory, once more, what a plan has stored elsewhere; it is
// made in the directory scratch. The files must be those of which the plan is.
func (p *Plan) Restore(s *data.Schema, b *data.RowBinder, scratch, dir string) []*problem.Error {
	o := Options{Block: p.Layout.Block, Window: p.Layout.Window, Spool: scratch, Disk: p.on}
	for i := range p.Files {
		f := &p.Files[i]
		_, packed := format.Unpacked(f.Path)
		o.Cache = o.Cache || f.Picked && !packed
	}
	p.leaveOut(b)
	q, errs := lay(s, b, p.Dim, &o)
	if errs != nil {
		return errs
	}
	for i := range p.Files {
		f, g := &p.Files[i], &q.Files[i]
		if f.Print.SHA256 == g.Print.SHA256 && f.Size == g.Size &&
			reflect.DeepEqual(f.Blocks, g.Blocks) {
			continue
		}
		q.Unstore()
		e := f.fail(0, "D0158", "changed since the run began, and what was stored of it is gone")
		e.Notes = []string{setting.Text("put the file back as it was; {resume} then goes on")}
		return []*problem.Error{e}
	}
	if err := q.move(dir); err != nil {
		q.Unstore()
		return []*problem.Error{unmoved(err)}
	}
	return nil
}

// Settle moves what is stored to another directory, in the place of what may be
// stored there of other runs.
func (s *Source) Settle(dir string) error {
	if !s.Plan.Stores() {
		return nil
	}
	for i := range s.Plan.Files {
		if s.Plan.Files[i].Stored != "" {
			s.files[i].Close() // some systems move no file that is open
		}
	}
	if err := s.Plan.move(dir); err != nil {
		return unmoved(err)
	}
	for i := range s.Plan.Files {
		f := &s.Plan.Files[i]
		if f.Stored == "" {
			continue
		}
		in, err := s.Plan.openFile(f)
		if err != nil {
			return unmoved(err)
		}
		s.files[i] = in
	}
	return nil
}

// move moves what is stored to a directory, in the place of what has the same names
// there. When it returns, the rows outlive the power, as the run does that reads them.
func (p *Plan) move(dir string) error {
	on, moved := p.disk(), p.In(dir)
	if err := disk.MkdirAll(on, dir, 0o777); err != nil {
		return err
	}
	for i := range p.Files {
		from, to := p.Files[i].Stored, moved.Files[i].Stored
		if from == to {
			continue
		}
		if err := disk.SyncFile(on, from); err != nil {
			return err
		}
		if err := on.Rename(from, to); err != nil {
			return err
		}
		p.Files[i].Stored = to
		removeEmpty(on, filepath.Dir(from)) // behind the last of them
	}
	if err := on.SyncDir(dir); err != nil {
		return err
	}
	return on.SyncDir(filepath.Dir(dir)) // which has the name of the directory
}

func unmoved(err error) *problem.Error {
	return &problem.Error{Code: "D0161",
		Message: fmt.Sprintf("what is stored of the rows cannot be moved beside the run: %v", err)}
}

// Clear takes away what is stored in a directory of rows, and the directory where
// it has nothing else.
func Clear(on disk.FS, dir string) error {
	list, err := on.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range list {
		name, ending, _ := strings.Cut(f.Name(), ".")
		if _, number := strconv.Atoi(name); number == nil &&
			(ending == "text" || ending == "cells" || ending == "table") {
			err = errors.Join(err, on.Remove(filepath.Join(dir, f.Name())))
		}
	}
	removeEmpty(on, dir)
	return err
}

// removeEmpty removes a directory that is one and has nothing in it.
func removeEmpty(on disk.FS, dir string) {
	if info, err := on.Lstat(dir); err == nil && info.IsDir() {
		on.Remove(dir)
	}
}

package stream

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/disk"
)

// Stores says whether anything is stored beside the run.
func (p *Plan) Stores() bool {
	for i := range p.Files {
		if p.Files[i].Stored != "" {
			return true
		}
	}
	return false
}

// In is the plan of a run beside which what is stored is in a directory.
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
			os.Remove(stored)
			removeEmpty(filepath.Dir(stored))
		}
	}
}

// Lost says whether something that was stored is not there, or not whole.
func (p *Plan) Lost() bool {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Stored == "" {
			continue
		}
		if info, err := os.Stat(f.Stored); err != nil || info.Size() != f.Size {
			return true
		}
	}
	return false
}

// Restore stores in a directory, once more, what a plan has stored elsewhere. The
// files must be those of which the plan is.
func (p *Plan) Restore(s *data.Schema, b *data.RowBinder, dir string) []*data.Error {
	o := Options{Block: p.Layout.Block, Window: p.Layout.Window, Spool: dir}
	for i := range p.Files {
		f := &p.Files[i]
		_, packed := data.Compressed(f.Path)
		o.Cache = o.Cache || f.Picked && !packed
	}
	q, errs := lay(s, b, p.Dim, o)
	if errs != nil {
		return errs
	}
	for i := range p.Files {
		f, g := &p.Files[i], &q.Files[i]
		if f.Print.SHA256 == g.Print.SHA256 && f.Size == g.Size && reflect.DeepEqual(f.Blocks, g.Blocks) {
			continue
		}
		q.Unstore()
		e := f.fail(0, "D0158", "changed since the run began, and what was stored of it is gone")
		e.Notes = []string{"put the file back as it was; --resume then goes on"}
		return []*data.Error{e}
	}
	return nil
}

// Settle moves what is stored to another directory, in the place of what may be
// stored there of other runs.
func (s *Source) Settle(dir string) error {
	if !s.Plan.Stores() {
		return nil
	}
	moved := s.Plan.In(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return s.unsettled(err)
	}
	for i := range s.Plan.Files {
		from, to := s.Plan.Files[i].Stored, moved.Files[i].Stored
		if from == to {
			continue
		}
		s.files[i].Close()
		// The rows outlive the power, as the run does that reads them.
		err := disk.SyncFile(disk.OS, from)
		if err == nil {
			err = os.Rename(from, to)
		}
		if err == nil {
			s.files[i], err = disk.OpenRegular(to)
		}
		if err != nil {
			return s.unsettled(err)
		}
		s.Plan.Files[i].Stored = to
		removeEmpty(filepath.Dir(from)) // behind the last of them
	}
	if err := disk.OS.SyncDir(dir); err != nil {
		return s.unsettled(err)
	}
	return nil
}

func (s *Source) unsettled(err error) error {
	return &data.Error{Code: "D0161", Message: fmt.Sprintf("what is stored of the rows cannot be moved beside the run: %v", err)}
}

// Clear takes away what is stored in a directory of rows, and the directory where
// it has nothing else.
func Clear(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range list {
		name, ending, _ := strings.Cut(f.Name(), ".")
		if _, number := strconv.Atoi(name); number == nil && (ending == "text" || ending == "cells") {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	removeEmpty(dir)
	return err
}

// removeEmpty removes a directory that is one and has nothing in it.
func removeEmpty(dir string) {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		os.Remove(dir)
	}
}

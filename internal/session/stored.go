package session

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/stream"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// spoolDir is where rows are stored which cannot be read from their files as
// they are needed: next to the run.
func spoolDir(dir string) string { return filepath.Clean(dir) + ".rows" }

// Scratch returns the directory of the stored rows until the run exists. It is next to their final
// directory, and only this process uses it.
func (r *RowsOptions) Scratch() string { return fmt.Sprintf("%s.%d", spoolDir(r.Dir), os.Getpid()) }

// Tidy removes the remains of killed processes: unfinished files in a run directory, and temporary
// directories of rows next to it.
func (e *Session) Tidy(dir string) {
	on := disk.Or(e.Disk)
	run.Tidy(on, dir)
	beside, base := filepath.Split(spoolDir(dir))
	if beside == "" {
		beside = "."
	}
	entries, err := on.ReadDir(beside)
	if err != nil {
		return
	}
	for _, f := range entries {
		of, is := strings.CutPrefix(f.Name(), base+".")
		process, number := disk.Number(of)
		if is && number && f.IsDir() && disk.Ended(process) {
			stream.Clear(on, filepath.Join(beside, f.Name())) // what cannot be removed does no harm
		}
	}
}

// Storing removes the stored rows, and the directories made for them, if they do not become part of
// a run. The removal happens at an interrupt, or when the caller calls end.
func (b *Binding) Storing(e *Session) (end func()) {
	if b.Rows == nil {
		return func() {}
	}
	on := disk.Or(e.Disk)
	var made []string
	for up := filepath.Dir(b.Rows.Scratch()); ; up = filepath.Dir(up) {
		if _, err := os.Lstat(up); err == nil || up == filepath.Dir(up) {
			break
		}
		made = append(made, up)
	}
	clear := func() {
		if stream.Clear(on, b.Rows.Scratch()); b.Rows.settled {
			return
		}
		for _, dir := range made {
			on.Remove(dir) // those that are empty
		}
	}
	stop := e.Interrupts(func() {
		clear()
		fmt.Fprintln(e.Stderr, "sgppl: error: interrupted: nothing is written")
		e.Quit(ExitInterrupted)
	})
	return func() {
		stop()
		clear()
	}
}

// SettleRows moves the stored rows to their final directory next to the run's, and replaces the
// rows of an earlier run. It is called before the directory becomes a run, so that a run never has
// rows of another.
func (b *Binding) SettleRows(e *Session, dir string) error {
	if err := stream.Clear(disk.Or(e.Disk), spoolDir(dir)); err != nil {
		return Failf(ExitFiles,
			"what is stored beside the run that was there cannot be removed: %v", err)
	}
	if b.Rows == nil {
		return nil
	}
	if err := b.Rows.Source.Settle(spoolDir(dir)); err != nil {
		return OwnStatus(err)
	}
	b.Rows.settled = true
	return nil
}

// UnsettleRows removes the stored rows of a directory that did not become a run.
func (b *Binding) UnsettleRows(e *Session, dir string) {
	if b.Rows != nil && b.Rows.settled {
		stream.Clear(disk.Or(e.Disk), spoolDir(dir))
		b.Rows.settled = false
	}
}

// restoreRows finds what is stored next to a run that goes on, wherever it was
// moved with the run, and stores it once more where it is gone.
func (b *Binding) restoreRows(e *Session, files *data.RowBinder) error {
	was := b.Rows.Plan
	if !was.Stores() {
		return nil
	}
	dir := spoolDir(b.Rows.Dir)
	b.Rows.Plan = was.In(dir)
	if b.Rows.Plan.Lost() {
		end := b.Storing(e)
		defer end()
		e.Note("what was stored of the rows is not in %s; it is stored again", dir)
		if errs := was.Restore(&b.Compiled.Spec.Schema, files, b.Rows.Scratch(), dir); errs != nil {
			return e.DataErrors(errs)
		}
	}
	if reflect.DeepEqual(b.Rows.Plan, was) {
		return nil
	}
	index, err := b.Rows.Plan.Marshal()
	if err == nil {
		err = disk.WriteFile(disk.Or(e.Disk), run.IndexPath(b.Rows.Dir), index)
	}
	if err != nil {
		return Failf(ExitFiles, "the index of the rows cannot be written: %v", err)
	}
	return nil
}

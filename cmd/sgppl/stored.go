package main

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
// they are needed: beside the run.
func spoolDir(dir string) string { return filepath.Clean(dir) + ".rows" }

// scratch is where they are until the run is one: beside the place that they
// will have, and of this process alone.
func (r *rowsOptions) scratch() string { return fmt.Sprintf("%s.%d", spoolDir(r.dir), os.Getpid()) }

// tidy removes what processes that were killed left of a run: unfinished files in its
// directory, and rows that they stored beside it for themselves.
func (e *env) tidy(dir string) {
	on := disk.Or(e.disk)
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

// storing watches over what is stored of the rows until the run is one: the
// function that it returns, and an interrupt, take away what has not been settled
// by then, with the directories that were made for it.
func (b *binding) storing(e *env) (end func()) {
	if b.rows == nil {
		return func() {}
	}
	on := disk.Or(e.disk)
	var made []string
	for up := filepath.Dir(b.rows.scratch()); ; up = filepath.Dir(up) {
		if _, err := os.Lstat(up); err == nil || up == filepath.Dir(up) {
			break
		}
		made = append(made, up)
	}
	clear := func() {
		if stream.Clear(on, b.rows.scratch()); b.rows.settled {
			return
		}
		for _, dir := range made {
			on.Remove(dir) // those that are empty
		}
	}
	stop := e.interrupts(func() {
		clear()
		fmt.Fprintln(e.stderr, "sgppl: error: interrupted: nothing is written")
		e.quit(exitInterrupted)
	})
	return func() {
		stop()
		clear()
	}
}

// settleRows puts what is stored of the rows beside the directory of a run, in the
// place of what a run there had before. The directory becomes a run behind that, so
// that no run has rows of another beside it, whenever the process dies.
func (b *binding) settleRows(e *env, dir string) error {
	if err := stream.Clear(disk.Or(e.disk), spoolDir(dir)); err != nil {
		return fail(exitFiles, "what is stored beside the run that was there cannot be removed: %v", err)
	}
	if b.rows == nil {
		return nil
	}
	if err := b.rows.source.Settle(spoolDir(dir)); err != nil {
		return ownStatus(err)
	}
	b.rows.settled = true
	return nil
}

// unsettleRows takes away what was settled beside a directory that became no run.
func (b *binding) unsettleRows(e *env, dir string) {
	if b.rows != nil && b.rows.settled {
		stream.Clear(disk.Or(e.disk), spoolDir(dir))
		b.rows.settled = false
	}
}

// restoreRows finds what is stored beside a run that goes on, wherever it was
// moved with the run, and stores it once more where it is gone.
func (b *binding) restoreRows(e *env, files *data.RowBinder) error {
	was := b.rows.plan
	if !was.Stores() {
		return nil
	}
	dir := spoolDir(b.rows.dir)
	b.rows.plan = was.In(dir)
	if b.rows.plan.Lost() {
		end := b.storing(e)
		defer end()
		e.note("what was stored of the rows is not in %s; it is stored again", dir)
		if errs := was.Restore(&b.compiled.Spec.Schema, files, b.rows.scratch(), dir); errs != nil {
			return e.dataErrors(errs)
		}
	}
	if reflect.DeepEqual(b.rows.plan, was) {
		return nil
	}
	index, err := b.rows.plan.Marshal()
	if err == nil {
		err = disk.WriteFile(disk.Or(e.disk), run.IndexPath(b.rows.dir), index)
	}
	if err != nil {
		return fail(exitFiles, "the index of the rows cannot be written: %v", err)
	}
	return nil
}

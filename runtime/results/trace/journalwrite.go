package trace

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// begin loads the journal before the first write of this process. From then on the entries in
// memory are current.
func (j *journal) begin() error {
	if j.writing {
		return nil
	}
	if err := j.load(); err != nil {
		return err
	}
	if j.absent && !j.plain {
		return j.gone()
	}
	j.writing = true
	return nil
}

func (j *journal) gone() error {
	return fmt.Errorf("%s: %w: it is gone, and nothing else says which draws are whole", j.path,
		ErrCorrupt)
}

// create makes the file of a new store.
func (j *journal) create() error {
	j.reset()
	text := sealed(journalHead) + countLine(0)
	if err := disk.Replace(j.fs, j.path, []byte(text), false); err != nil {
		return err
	}
	j.writing, j.fresh = true, true
	return j.parse(text)
}

// rewrite replaces the file by one with the same entries in as few lines as possible.
func (j *journal) rewrite() error {
	if j.plain {
		j.absent = false
		return disk.Replace(j.fs, j.path, []byte(strconv.Itoa(j.draws)+"\n"), false)
	}
	return rewrite([]*journal{j})
}

// rewrite replaces the files of journals of stores with digests.
func rewrite(all []*journal) error {
	return rewriteAfter(all, all[0].fs, nil, nil, nil)
}

// rewriteAfter makes files and the names in dirs durable, and then replaces the files of journals
// and of checkpoints.
func rewriteAfter(
	all []*journal, on disk.FS, files, dirs []string, points []Checkpoint,
) error {
	texts, outputs := make([]string, len(all)), make([]disk.Output, len(all))
	for i, j := range all {
		texts[i] = j.compact()
		outputs[i] = disk.Output{Path: j.path, Write: func(w *bufio.Writer) error {
			_, err := w.WriteString(texts[i])
			return disk.WriteError(j.path, err)
		}}
	}
	for i := range points {
		outputs = append(outputs, points[i].file())
	}
	if err := disk.StreamsAfter(on, files, dirs, outputs...); err != nil {
		return err
	}
	for i, j := range all {
		j.reset()
		if err := j.parse(texts[i]); err != nil {
			return err
		}
	}
	return nil
}

// compact returns the entries in as few lines as possible.
func (j *journal) compact() string {
	paths := slices.Sorted(maps.Keys(j.versions))
	var done strings.Builder
	rest := map[int]string{} // changes that are not done yet, by line
	done.WriteString(sealed(journalHead))
	for _, path := range paths {
		list := j.versions[path]
		for i, v := range list {
			switch {
			case v.line > j.done:
				rest[v.line] = putLine(path, v.digest)
			case i+1 == len(list) || list[i+1].line > j.done:
				done.WriteString(putLine(path, v.digest))
			}
		}
	}
	done.WriteString(countLine(j.draws))
	for path, line := range j.removed {
		rest[line] = sealed("- " + strconv.Quote(path))
	}
	for _, line := range slices.Sorted(maps.Keys(rest)) {
		done.WriteString(rest[line])
	}
	return done.String()
}

// append adds whole lines to the file.
func (j *journal) append(text string, sync bool) error {
	if j.damage != nil || j.durable {
		b, err := disk.ReadFile(j.fs, j.path)
		if err != nil {
			return err
		}
		if j.damage != nil { // complete lines are kept
			b = b[:min(j.whole, len(b))]
		}
		if j.durable {
			b, text = append(b, text...), ""
		}
		if err := disk.WriteFile(j.fs, j.path, b); err != nil {
			return err
		}
		if j.damage = nil; text == "" {
			return nil
		}
	}
	f, err := j.fs.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return disk.WriteError(j.path, err)
	}
	_, err = io.WriteString(f, text)
	if err == nil && sync {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return disk.WriteError(j.path, err)
}

// A piece is a file to write, with its content.
type piece struct {
	path string // below the store, with slashes
	data []byte
	sync bool // a loss of power must not lose the old content
	lazy bool // the content can be computed again, so it is synced only at the end
}

// write writes files of the store s and sets the number of draws of the chain. It writes their
// digests to the journal first, then the files, then a line "=".
func (j *journal) write(s *Store, draws int, pieces ...piece) error {
	return j.change(func() error {
		var text strings.Builder
		sync := false
		digests := make([]digest, len(pieces))
		for i, p := range pieces {
			digests[i] = digestOf(p.data)
			text.WriteString(putLine(p.path, digests[i]))
			sync = sync || p.sync
		}
		if err := j.announce(text.String(), sync); err != nil {
			return err
		}
		for i, p := range pieces {
			j.put(p.path, digests[i])
		}
		for _, p := range pieces {
			if err := disk.Replace(s.fs, s.path(p.path), p.data, p.sync); err != nil {
				return err
			}
			j.touched(s.path(p.path), p.sync, p.lazy)
			if !j.durable {
				continue
			}
			dir := filepath.Dir(s.path(p.path))
			if err := s.fs.SyncDir(dir); err != nil { // before the line "="
				return disk.WriteError(dir, err)
			}
		}
		return j.commit(draws)
	})
}

// change runs a sequence of writes. After an error it writes nothing more, since the next line "="
// would confirm the failed write.
func (j *journal) change(f func() error) error { return changeAll([]*journal{j}, f) }

// changeAll is change of several journals, which are locked in their order.
func changeAll(all []*journal, f func() error) error {
	for _, j := range all {
		j.lock.Lock()
		defer j.lock.Unlock()
	}
	for _, j := range all {
		if j.err == nil {
			j.err = j.begin()
		}
		if j.err != nil {
			return j.err
		}
	}
	err := f()
	if err != nil {
		for _, j := range all {
			j.err = err
		}
	}
	return err
}

// failed reports whether a change has failed, after which there are no others.
func (j *journal) failed() bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	return j.err != nil
}

func (j *journal) announce(text string, sync bool) error {
	if j.plain || text == "" {
		return nil
	}
	return j.append(text, sync)
}

func (j *journal) commit(draws int) error {
	if j.plain {
		if draws == j.draws {
			return nil
		}
		j.draws = draws
		return j.rewrite()
	}
	if draws == j.draws && j.done == j.lines-1 {
		return nil
	}
	if err := j.append(countLine(draws), false); err != nil {
		return err
	}
	j.settle(draws)
	return nil
}

// touched records for the next sync that a file was written.
func (j *journal) touched(path string, synced, lazy bool) {
	switch {
	case lazy:
		j.lazy = append(j.lazy, path)
		return
	case !synced:
		j.dirty = append(j.dirty, path)
	}
	j.among(filepath.Dir(path))
}

// among adds a directory to those whose names the next sync makes durable.
func (j *journal) among(dir string) {
	if j.dirs == nil {
		j.dirs = map[string]bool{}
	}
	j.dirs[dir] = true
}

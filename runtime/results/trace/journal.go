package trace

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A digest identifies the content of a file: its CRC-32C and its length.
type digest struct {
	crc  uint32
	size int64
}

func digestOf(b []byte) digest { return digest{crc32.Checksum(b, castagnoli), int64(len(b))} }

// A journal lists the digests of files of a store, in a file to which lines are appended. Each
// chain has one, .chain-K, and the files that all chains share have one, .digests. Every line ends
// in a blank and the CRC-32C of the line before the blank, in hexadecimal. The lines are
//
//	digests 1             the first line
//	+ CRC SIZE "PATH"     the file is about to get this content
//	- "PATH"              the file or directory is about to be removed
//	= N                   all changes above are done, and the chain has N draws
//
// A file is valid if its content is the last one listed before the last line "=", or one listed
// after it. A process that is killed between two writes therefore leaves no file that seems
// damaged. Bytes after the last complete line are the beginning of a line that such a process was
// writing.
//
// In a store without digests, from an older version, the file .chain-K contains only a number of
// draws.
type journal struct {
	fs   disk.FS
	path string

	lock   sync.Mutex
	plain  bool // of a store without digests
	loaded bool
	// this process writes the file, so its content in memory is current and is not read again
	writing bool
	fresh   bool // made by this process, and no Appender has written yet
	readJournal
	err     error // error of a write, which all later writes return
	durable bool  // append replaces the whole file, so that a crash never leaves a partial line
	entries

	// files written since the last sync; lazy ones are synced only at the end
	dirty, lazy []string
	dirs        map[string]bool // directories in which files were made or renamed since then
}

// readJournal describes the part of the file that was read.
type readJournal struct {
	info   fs.FileInfo // of the file
	absent bool        // the file does not exist
	damage error       // an error about the lines after the part that was read
	whole  int         // length in bytes of the part that was read
}

// entries are the contents of the lines of a journal.
type entries struct {
	draws    int
	versions map[string][]version
	removed  map[string]int // by path: number of the line "-" that announces its removal
	done     int            // number of the last line "="
	lines    int
	counts   []count // every line "=", for Appenders that rewind
}

// A version is a content of a file, with the number of the line that lists it.
type version struct {
	digest
	line int
}

type count struct{ line, draws int }

const journalHead = "digests 1"

// largestJournal is the largest size in bytes of a journal that is read.
const largestJournal = 1 << 30

// load reads the file, unless this process writes it or it has not changed since the last load.
func (j *journal) load() error {
	if j.writing {
		return nil
	}
	f, err := disk.Open(j.fs, j.path)
	if errors.Is(err, fs.ErrNotExist) {
		j.reset()
		j.absent = true
		return nil
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	f.Close()
	if err != nil {
		return err
	}
	if j.loaded && j.info != nil && os.SameFile(info, j.info) && info.Size() == j.info.Size() &&
		info.ModTime().Equal(j.info.ModTime()) {
		return nil
	}
	if info.Size() > largestJournal {
		return fmt.Errorf("%s: %w: %d bytes are too many for a list of digests", j.path, ErrCorrupt,
			info.Size())
	}
	b, err := disk.ReadFile(j.fs, j.path)
	if err != nil {
		return err
	}
	j.reset()
	j.loaded, j.info = true, info
	if j.plain {
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil || n < 0 {
			j.loaded = false
			return fmt.Errorf("%s: %w: %q is not a number of draws", j.path, ErrCorrupt,
				cut(string(b)))
		}
		j.draws = n
		return nil
	}
	if err := j.parse(string(b)); err != nil {
		j.loaded = false
		return err
	}
	return nil
}

func (j *journal) reset() {
	j.loaded, j.absent, j.info, j.damage = true, false, nil, nil
	j.draws, j.done, j.lines = 0, 0, 0
	j.versions, j.removed, j.counts = map[string][]version{}, map[string]int{}, nil
}

func (j *journal) put(path string, d digest) {
	list := j.versions[path]
	for j.writing && len(list) > 1 && list[1].line < j.done { // who goes back has read the file
		list = list[1:]
	}
	j.versions[path] = append(list, version{d, j.lines})
	j.lines++
}

// settle processes a line "=".
func (j *journal) settle(draws int) {
	if len(j.removed) > 0 {
		for path := range j.versions {
			if j.going(path) {
				delete(j.versions, path)
			}
		}
		clear(j.removed)
	}
	j.draws, j.done = draws, j.lines
	if j.writing {
		j.counts = j.counts[:0]
	}
	j.counts = append(j.counts, count{j.lines, draws})
	j.lines++
}

// going reports whether a file is about to be removed.
func (j *journal) going(path string) bool {
	list := j.versions[path]
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1].line
	for p := path; ; {
		if line, ok := j.removed[p]; ok && line > last {
			return true
		}
		at := strings.LastIndexByte(p, '/')
		if at < 0 {
			return false
		}
		p = p[:at]
	}
}

// now returns the last content that is listed for a file; false if none is.
func (j *journal) now(path string) (digest, bool) {
	list := j.versions[path]
	if len(list) == 0 {
		return digest{}, false
	}
	return list[len(list)-1].digest, true
}

// fits reports whether d is a valid content of a file: the last one before the last line "=", or
// one after it.
func (j *journal) fits(path string, d digest) bool { return j.fitsSince(path, d, j.done) }

// fitsSince is fits as if the given line "=" were the last.
func (j *journal) fitsSince(path string, d digest, line int) bool {
	list := j.versions[path]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].digest == d {
			return true
		}
		if list[i].line < line {
			return false
		}
	}
	return false
}

// must reports whether a file must exist.
func (j *journal) must(path string) bool {
	list := j.versions[path]
	return len(list) > 0 && list[0].line < j.done && !j.going(path)
}

// adopt is write for a file whose content is already in the temporary file f.
func (j *journal) adopt(on disk.FS, f disk.File, path, key string, d digest) error {
	finished := false
	err := j.change(func() error {
		if err := j.announce(putLine(key, d), false); err != nil {
			return err
		}
		j.put(key, d)
		finished = true
		if err := disk.Finish(on, f, path, false); err != nil {
			return err
		}
		j.touched(path, false, true)
		return j.commit(j.draws)
	})
	if !finished {
		disk.Discard(on, f)
	}
	return err
}

// fitsCount is fits as of the line "=" by which the chain first had n draws.
func (j *journal) fitsCount(path string, d digest, n int) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.plain {
		return true
	}
	for _, c := range j.counts {
		if c.draws >= n {
			return j.fitsSince(path, d, c.line)
		}
	}
	return false
}

// rewind sets the number of draws to n, lists the files in kept with their given contents alone,
// and removes the files in late from the list.
func (j *journal) rewind(n int, kept map[string]digest, late map[string]bool) error {
	return j.change(func() error {
		j.fresh = false
		if j.plain {
			if j.draws == n && !j.absent {
				return nil
			}
			j.draws = n
			return j.rewrite()
		}
		changed := j.damage != nil || j.draws != n || j.done != j.lines-1
		for path, d := range kept {
			list := j.versions[path]
			changed = changed || len(list) == 0 || list[len(list)-1].digest != d
			j.versions[path] = []version{{d, 0}}
		}
		for path := range late {
			changed = changed || j.versions[path] != nil
			delete(j.versions, path)
		}
		if j.draws = n; !changed {
			return nil
		}
		return j.rewrite()
	})
}

package trace

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// A journal lists the digests of files of a store, in a file to which lines are
// appended. There is one for each chain, .chain-K, and one for the files that
// all chains share, .digests. Its lines are, each followed by a blank and the
// CRC-32C of the line so far in hexadecimal,
//
//	digests 1             the first line
//	+ CRC SIZE "PATH"     the file is about to have this content
//	- "PATH"              the file, or the directory, is about to be removed
//	= N                   all that the lines above say is done, and the chain has N draws
//
// A file is right if it has the last content that stands above a line "=", or
// one that stands below the last such line: so a process that is killed between
// two writes leaves no file that seems damaged. Bytes behind the last whole
// line are what such a process was writing.
//
// Of a store without digests, which older versions wrote, the file .chain-K is
// a number of draws alone.
type journal struct {
	fs   disk.FS
	path string

	lock    sync.Mutex
	plain   bool // of a store without digests
	loaded  bool
	writing bool        // this process writes the file: memory is right, and it need not be read again
	fresh   bool        // made by this process, and no Appender has written
	info    fs.FileInfo // of the file as it was read
	absent  bool        // there is no file
	damage  error       // behind the part that was read
	whole   int         // bytes of that part
	err     error       // of a write, which all later ones return
	durable bool        // the file may be torn at no time, as all it says of a complete run counts

	draws    int
	versions map[string][]version
	removed  map[string]int // where "-" stands of paths that are about to go
	done     int            // number of the last line "="
	lines    int
	counts   []count // every line "=", for Appenders that go back

	dirty, lazy []string        // files written since the last sync; lazy ones are synced at the end alone
	dirs        map[string]bool // directories with new names since then
}

// A version is a content of a file, and the number of the line that says so.
type version struct {
	digest
	line int
}

type count struct{ line, draws int }

const journalHead = "digests 1"

// largestJournal bounds what is read of a file that claims to be a journal.
const largestJournal = 1 << 30

func sealed(line string) string {
	return fmt.Sprintf("%s %08x\n", line, crc32.Checksum([]byte(line), castagnoli))
}

func putLine(path string, d digest) string {
	return sealed(fmt.Sprintf("+ %08x %d %s", d.crc, d.size, strconv.Quote(path)))
}

func countLine(n int) string { return sealed("= " + strconv.Itoa(n)) }

// load reads the file, unless it was read and has not changed since.
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
	if j.loaded && j.info != nil && os.SameFile(info, j.info) && info.Size() == j.info.Size() && info.ModTime().Equal(j.info.ModTime()) {
		return nil
	}
	if info.Size() > largestJournal {
		return fmt.Errorf("%s: %w: %d bytes are too many for a list of digests", j.path, ErrCorrupt, info.Size())
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
			return fmt.Errorf("%s: %w: %q is not a number of draws", j.path, ErrCorrupt, cut(string(b)))
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

func cut(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

func (j *journal) reset() {
	j.loaded, j.absent, j.info, j.damage = true, false, nil, nil
	j.draws, j.done, j.lines = 0, 0, 0
	j.versions, j.removed, j.counts = map[string][]version{}, map[string]int{}, nil
}

// parse takes in the lines up to one that is not whole. Lines behind that are
// damage, and so is a file without a head.
func (j *journal) parse(text string) error {
	for at := 0; at < len(text); {
		j.whole = at
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 || !j.take(text[at:at+end]) {
			if j.lines == 0 {
				return fmt.Errorf("%s: %w: it is no list of digests", j.path, ErrCorrupt)
			}
			for rest := text[at:]; rest != ""; {
				line, more, _ := strings.Cut(rest, "\n")
				if _, ok := unsealed(line); ok {
					j.damage = fmt.Errorf("%s: %w: its line %d does not fit its check sum", j.path, ErrCorrupt, j.lines+1)
				}
				rest = more
			}
			if j.damage == nil {
				j.damage = errTorn
			}
			return nil
		}
		at += end + 1
	}
	if j.lines == 0 {
		return fmt.Errorf("%s: %w: it is no list of digests", j.path, ErrCorrupt)
	}
	return nil
}

// errTorn is the damage of a journal whose last line was being written.
var errTorn = errors.New("cut short")

func unsealed(line string) (string, bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 {
		return "", false
	}
	sum, err := strconv.ParseUint(line[at+1:], 16, 32)
	return line[:at], err == nil && len(line)-at == 9 && uint32(sum) == crc32.Checksum([]byte(line[:at]), castagnoli)
}

// take takes in a line, and says whether it is one.
func (j *journal) take(line string) bool {
	text, ok := unsealed(line)
	if !ok || j.lines == 0 != (text == journalHead) {
		return false
	}
	kind, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "+":
		f := strings.SplitN(rest, " ", 3)
		if len(f) != 3 {
			return false
		}
		crc, e1 := strconv.ParseUint(f[0], 16, 32)
		size, e2 := strconv.ParseInt(f[1], 10, 64)
		path, e3 := strconv.Unquote(f[2])
		if e1 != nil || e2 != nil || e3 != nil {
			return false
		}
		j.put(path, digest{uint32(crc), size})
		return true
	case "-":
		path, err := strconv.Unquote(rest)
		if err != nil {
			return false
		}
		j.removed[path] = j.lines
	case "=":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return false
		}
		j.settle(n)
		return true
	}
	j.lines++
	return true
}

func (j *journal) put(path string, d digest) {
	list := j.versions[path]
	for j.writing && len(list) > 1 && list[1].line < j.done { // who goes back has read the file
		list = list[1:]
	}
	j.versions[path] = append(list, version{d, j.lines})
	j.lines++
}

// settle takes in a line "=".
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

// going says whether a file is about to be removed.
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

// now is the content that a file has once all writes are done; false of one that
// is not listed.
func (j *journal) now(path string) (digest, bool) {
	list := j.versions[path]
	if len(list) == 0 {
		return digest{}, false
	}
	return list[len(list)-1].digest, true
}

// fits says whether a file may have a content: the last one that is done, or a
// later one.
func (j *journal) fits(path string, d digest) bool { return j.fitsSince(path, d, j.done) }

// fitsSince is fits as of the line "=" with a number.
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

// must says whether a file has to be there.
func (j *journal) must(path string) bool {
	list := j.versions[path]
	return len(list) > 0 && list[0].line < j.done && !j.going(path)
}

// begin makes memory what counts, as this process is going to write.
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
	return fmt.Errorf("%s: %w: it is gone, and nothing else says which draws are whole", j.path, ErrCorrupt)
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

// rewrite replaces the file by one that says the same in as few lines as can be.
func (j *journal) rewrite() error {
	if j.plain {
		j.absent = false
		return disk.Replace(j.fs, j.path, []byte(strconv.Itoa(j.draws)+"\n"), false)
	}
	paths := slices.Sorted(maps.Keys(j.versions))
	var done strings.Builder
	rest := map[int]string{} // what is not done yet, in its order
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
	text := done.String()
	if err := disk.WriteFile(j.fs, j.path, []byte(text)); err != nil {
		return err
	}
	j.reset()
	return j.parse(text)
}

// append adds whole lines to the file.
func (j *journal) append(text string, sync bool) error {
	if j.damage != nil || j.durable {
		b, err := disk.ReadFile(j.fs, j.path)
		if err != nil {
			return err
		}
		if j.damage != nil { // what is whole stays, with its history
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

// A piece is the content of a file that is to be written.
type piece struct {
	path string // below the store, with slashes
	data []byte
	sync bool // what was there is not to be lost when the power is
	lazy bool // it can be made again: it is synced at the end alone
}

// write puts files into the store s and makes draws what the chain has: first
// the digests, then the files, then that it is done.
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
			if err := s.fs.SyncDir(dir); err != nil { // before a line says that it is done
				return disk.WriteError(dir, err)
			}
		}
		return j.commit(draws)
	})
}

// change runs a sequence of writes. After one that failed nothing is written
// any more: a line "=" would say that it was done.
func (j *journal) change(f func() error) error {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.err == nil {
		if j.err = j.begin(); j.err == nil {
			j.err = f()
		}
	}
	return j.err
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

// touched remembers a file that was written for the next sync.
func (j *journal) touched(path string, synced, lazy bool) {
	switch {
	case lazy:
		j.lazy = append(j.lazy, path)
		return
	case !synced:
		j.dirty = append(j.dirty, path)
	}
	if j.dirs == nil {
		j.dirs = map[string]bool{}
	}
	j.dirs[filepath.Dir(path)] = true
}

// sync makes durable what was written since the last time, and with all also
// what can be made again.
func (j *journal) sync(s *Store, all bool) error {
	return j.change(func() error {
		if all {
			for _, path := range j.lazy {
				j.touched(path, false, false)
			}
			j.lazy = nil
		}
		slices.Sort(j.dirty)
		for _, path := range slices.Compact(j.dirty) {
			if err := disk.SyncFile(s.fs, path); err != nil {
				return err
			}
		}
		for _, dir := range slices.Sorted(maps.Keys(j.dirs)) {
			if err := s.fs.SyncDir(dir); err != nil {
				return disk.WriteError(dir, err)
			}
		}
		j.dirty = j.dirty[:0]
		clear(j.dirs)
		if j.absent && j.plain { // no draw was counted yet
			return nil
		}
		// All files are durable: their history is not needed any more.
		if !j.plain && (all || j.lines > 4*len(j.versions)+1024) {
			return j.rewrite()
		}
		return disk.SyncFile(s.fs, j.path)
	})
}

// adopt is write of a file that was written beside its place already.
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

// fitsCount is fits as of when the chain had n draws for the first time.
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

// rewind makes n what the chain has: the files of kept have the contents that
// are given, and those of late are listed no more.
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

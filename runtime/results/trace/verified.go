package trace

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// Checked reports whether the store has digests of its files. Those of older versions, and copies
// that other programs made, have none.
func (s *Store) Checked() bool { return !s.plain }

// digestsName is the journal of the files that all chains share.
const digestsName = ".digests"

// chain is the journal of a chain.
func (s *Store) chain(c int) *journal {
	s.lock.Lock()
	defer s.lock.Unlock()
	j := s.journals[c]
	if j == nil {
		j = &journal{fs: s.fs, path: s.writtenPath(c), plain: s.plain}
		s.journals[c] = j
	}
	return j
}

// read loads the journal, and refuses one that is damaged.
func (j *journal) read() error {
	j.lock.Lock()
	defer j.lock.Unlock()
	if err := j.load(); err != nil {
		return err
	}
	if j.absent && !j.plain {
		return j.gone()
	}
	if j.damage != nil && j.damage != errTorn {
		return j.damage
	}
	return nil
}

// attempts is how often a file is read whose digest does not fit: another
// process may have replaced it between the reading of both.
const attempts = 3

// open opens the file of a key and checks its content, which has want bytes; −1
// if any number will do. A file that is not there, and need not be, gives
// fs.ErrNotExist. The caller closes the file.
func (s *Store) open(j *journal, key string, want int) (disk.File, error) {
	path := s.path(key)
	for try := 1; ; try++ {
		f, err := s.openOnce(j, key, path, want)
		if err == nil || try == attempts || !errors.Is(err, ErrCorrupt) || s.plain {
			return f, err
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *Store) openOnce(j *journal, key, path string, want int) (disk.File, error) {
	if err := j.read(); err != nil {
		return nil, err
	}
	f, err := disk.Open(s.fs, path)
	if errors.Is(err, fs.ErrNotExist) {
		j.lock.Lock()
		defer j.lock.Unlock()
		if !j.plain && j.must(key) {
			return nil, fmt.Errorf("%s: %w: the file is gone", path, ErrCorrupt)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if err := s.check(j, f, key, path, want); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// buffers are what check reads files into: there are many small ones.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// check holds an open file against its digest, unless that was done before.
func (s *Store) check(j *journal, f disk.File, key, path string, want int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if want >= 0 && info.Size() != int64(want) {
		return fmt.Errorf("%s: %w: %d bytes instead of %d", path, ErrCorrupt, info.Size(), want)
	}
	if j.plain {
		return nil
	}
	s.lock.Lock()
	was := s.verified[key]
	s.lock.Unlock()
	if was != nil && os.SameFile(was, info) && was.ModTime().Equal(info.ModTime()) &&
		was.Size() == info.Size() {
		return nil
	}
	sum := crc32.New(castagnoli)
	b := buffers.Get().(*[32 << 10]byte)
	size, err := io.CopyBuffer(sum, io.NewSectionReader(f, 0, 1<<62), b[:])
	buffers.Put(b)
	if err != nil {
		return err
	}
	d := digest{sum.Sum32(), size}
	j.lock.Lock()
	fits := j.fits(key, d)
	wrote, listed := j.now(key)
	j.lock.Unlock()
	switch {
	case !listed:
		return fmt.Errorf("%s: %w: sgppl has no digest of it", path, ErrCorrupt)
	case !fits:
		return fmt.Errorf("%s: %w: it was changed or damaged since it was written (CRC-32C %08x "+
			"of %d bytes instead of %08x of %d)", path, ErrCorrupt, d.crc, d.size, wrote.crc,
			wrote.size)
	}
	s.lock.Lock()
	s.verified[key] = info
	s.lock.Unlock()
	return nil
}

// readFile is the content of the file of a key; see open.
func (s *Store) readFile(j *journal, key string, want int) ([]byte, error) {
	f, err := s.open(j, key, want)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, info.Size())
	_, err = f.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

package trace

import (
	"bufio"
	"fmt"
	"hash/crc32"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A ChainWriter writes the values of one chain of a PerChain variable in parts. Old values are
// replaced at Close.
type ChainWriter struct {
	s     *Store
	chain int
	key   string
	sum   uint32
	path  string
	v     Variable
	fs    disk.FS
	f     disk.File
	w     *bufio.Writer
	room  []byte
	left  int // number of values not written yet
	err   error
}

// PerChain returns a writer of the values of one chain of a PerChain variable. Several chains may
// be written concurrently.
func (s *Store) PerChain(group, name string, chain int) (*ChainWriter, error) {
	v, ok := s.Lookup(group, name)
	if !ok || !v.PerChain || chain < 0 || chain >= s.chains {
		return nil, fmt.Errorf("%s has no %s/%s by chain", s.dir, group, name)
	}
	key := s.chainKey(v, chain)
	w := &ChainWriter{s: s, chain: chain, key: key, fs: s.fs, path: s.path(key), v: v,
		left: v.Len()}
	if w.left == 0 {
		return w, nil
	}
	var err error
	if w.f, err = disk.Begin(s.fs, w.path); err != nil {
		return nil, err
	}
	w.w = bufio.NewWriterSize(w.f, 1<<16)
	return w, nil
}

// Write writes the next values, row-major.
func (w *ChainWriter) Write(values []float64) error {
	if w.err != nil || len(values) == 0 {
		return w.err
	}
	if w.left -= len(values); w.left < 0 {
		w.err = fmt.Errorf("%s: more than the %d values of %s", w.path, w.v.Len(), w.v.Name)
		return w.err
	}
	n := len(values) * w.v.DType.size()
	if cap(w.room) < n {
		w.room = make([]byte, n)
	}
	w.v.DType.encode(w.room[:n], values)
	w.sum = crc32.Update(w.sum, castagnoli, w.room[:n])
	_, err := w.w.Write(w.room[:n])
	w.err = disk.WriteError(w.path, err)
	return w.err
}

// Close replaces the old values by the written ones. If there was an error, or values are missing,
// it returns an error and keeps the old values.
func (w *ChainWriter) Close() error {
	if w.f == nil {
		return w.err
	}
	if w.err == nil && w.left > 0 {
		w.err = fmt.Errorf("%s: %d values of %s are missing", w.path, w.left, w.v.Name)
	}
	if w.err == nil {
		w.err = disk.WriteError(w.path, w.w.Flush())
	}
	f := w.f
	w.f = nil
	if w.err != nil {
		disk.Discard(w.fs, f)
		return w.err
	}
	w.err = w.s.chain(w.chain).adopt(w.fs, f, w.path, w.key,
		digest{w.sum, int64(w.v.Len() * w.v.DType.size())})
	return w.err
}

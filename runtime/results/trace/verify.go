package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A Report is the result of Verify.
type Report struct {
	Files    int      // that were held against their digests
	Bytes    int64    // in these
	Problems []error  // each names a file
	Unlisted []string // files that the store knows nothing of
}

// Verify reads every file of the store and holds it against its digest. Of a
// store without digests it reads the arrays, whose sizes are checked.
func (s *Store) Verify() Report {
	var r Report
	s.lock.Lock()
	clear(s.verified)
	s.lock.Unlock()
	if s.plain {
		s.readAll(&r)
		return r
	}
	listed := map[string]bool{}
	s.verifyJournal(s.shared, listed, &r)
	for c := range s.chains {
		j := s.chain(c)
		if s.verifyJournal(j, listed, &r) {
			s.verifyCount(c, j, &r)
		}
	}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || disk.IsTemp(d.Name()) {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err == nil && !listed[filepath.ToSlash(rel)] {
			r.Unlisted = append(r.Unlisted, path)
		}
		return err
	})
	if err != nil {
		r.Problems = append(r.Problems, err)
	}
	return r
}

// verifyJournal checks the files that a journal lists, and says whether the
// journal itself can be read.
func (s *Store) verifyJournal(j *journal, listed map[string]bool, r *Report) bool {
	listed[filepath.Base(j.path)] = true
	if err := j.read(); err != nil {
		r.Problems = append(r.Problems, err)
		return false
	}
	r.Files++
	j.lock.Lock()
	keys := slices.Sorted(maps.Keys(j.versions))
	j.lock.Unlock()
	for _, key := range keys {
		listed[key] = true
		f, err := s.open(j, key, -1)
		if errors.Is(err, fs.ErrNotExist) { // it was about to be written, or removed
			continue
		}
		if err != nil {
			r.Problems = append(r.Problems, err)
			continue
		}
		if info, err := f.Stat(); err == nil {
			r.Bytes += info.Size()
		}
		f.Close()
		r.Files++
	}
	return true
}

// verifyCount checks that there is a chunk for every draw that a chain has.
func (s *Store) verifyCount(chain int, j *journal, r *Report) {
	n, err := s.Written(chain)
	if err != nil {
		return
	}
	j.lock.Lock()
	defer j.lock.Unlock()
	for _, v := range s.vars {
		m, ok := s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta)
		if v.Static || v.Len() == 0 || !ok {
			continue
		}
		for k := 0; k*m.Chunks[1] < n; k++ {
			if key := s.chunkKey(v, chain, k); j.versions[key] == nil {
				r.Problems = append(r.Problems,
					fmt.Errorf("%s: %w: draws that count as written are not there", s.path(key),
						ErrCorrupt))
				break
			}
		}
	}
}

// readAll reads what is there of the arrays.
func (s *Store) readAll(r *Report) {
	for _, v := range s.vars {
		m := s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta)
		if v.Static {
			continue
		}
		for c := range s.chains {
			n, err := s.Written(c)
			if err != nil {
				r.Problems = append(r.Problems, err)
				return
			}
			for k := 0; k*m.Chunks[1] < n && v.Len() > 0; k++ {
				key := s.chunkKey(v, c, k)
				f, err := s.open(s.chain(c), key, m.Chunks[1]*v.Len()*v.DType.size())
				if err != nil {
					r.Problems = append(r.Problems, fmt.Errorf("%s: %w", s.path(key), err))
					continue
				}
				f.Close()
				r.Files++
			}
		}
	}
}

package trace

import (
	"path/filepath"
	"slices"
)

// ChainFiles lists the files of the store that belong to one chain alone, as paths below the
// directory of the store with slashes: its journal, and the chunks that the journal lists.
func (s *Store) ChainFiles(chain int) ([]string, error) {
	j := s.chain(chain)
	if err := j.read(); err != nil {
		return nil, err
	}
	j.lock.Lock()
	defer j.lock.Unlock()
	out := []string{filepath.Base(j.path)}
	for name := range j.versions {
		if _, err := s.fs.Lstat(s.path(name)); err == nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

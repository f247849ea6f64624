package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// WriteStore makes a store at dir atomically. build makes it, by Create, in a temporary directory,
// which is then renamed to dir. A store at dir is replaced; anything else there is an error. After
// an error the old store is unchanged and the temporary directory is removed.
func WriteStore(dir string, build func(temp string) error) (err error) {
	if _, e := os.Lstat(dir); e == nil {
		if _, e := Open(dir); e != nil {
			return fmt.Errorf("%s exists and is no store of draws; it is left alone", dir)
		}
	}
	temp := fmt.Sprintf("%s%s%d", strings.TrimRight(dir, string(filepath.Separator)), disk.TempMark,
		os.Getpid())
	if err := os.RemoveAll(temp); err != nil {
		return fmt.Errorf("cannot make %s: %w", dir, disk.Cause(err))
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	if err := build(temp); err != nil {
		return rename(err, temp, dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("cannot replace %s: %w", dir, disk.Cause(err))
	}
	return disk.WriteError(dir, system.Rename(temp, dir))
}

// rename replaces the path of the temporary directory in the text of an error by dir.
func rename(err error, temp, dir string) error {
	if !strings.Contains(err.Error(), temp) {
		return err
	}
	return &renamed{strings.ReplaceAll(err.Error(), temp, dir), err}
}

type renamed struct {
	text string
	err  error
}

func (e *renamed) Error() string { return e.text }
func (e *renamed) Unwrap() error { return e.err }

// Adopt moves groups from another store into s and replaces groups of the same names. It is for
// groups that are computed after the run, such as log_likelihood. Both stores must have the same
// numbers of chains and draws. The groups are durable before readers see them, and readers see all
// of them or none. A loss of power meanwhile leaves the other groups of s intact. The other store
// must not be used afterwards.
func (s *Store) Adopt(from *Store, groups ...string) error {
	if from.chains != s.chains || from.draws != s.draws {
		return fmt.Errorf("%s has %d chains of %d draws, and %s of %d chains of %d draws cannot "+
			"become part of it",
			s.dir, s.chains, s.draws, strings.Join(groups, ", "), from.chains, from.draws)
	}
	if err := from.Sync(); err != nil {
		return err
	}
	s.shared.durable = true
	for c := range s.chains {
		s.chain(c).durable = true
	}
	for _, group := range groups {
		if err := s.Remove(group); err != nil {
			return err
		}
		if err := s.fs.Rename(from.path(group), s.path(group)); err != nil {
			return disk.WriteError(s.path(group), err)
		}
		if err := s.fs.SyncDir(s.dir); err != nil { // before the journals list the group
			return disk.WriteError(s.dir, err)
		}
		if err := s.shared.inherit(from.shared, group); err != nil {
			return err
		}
		for c := range s.chains {
			if err := s.chain(c).inherit(from.chain(c), group); err != nil {
				return err
			}
		}
		for key, m := range from.meta {
			if strings.HasPrefix(key, group+"/") {
				s.meta[key] = m
			}
		}
		for _, v := range from.vars {
			if v.Group == group {
				s.vars = append(s.vars, v)
			}
		}
	}
	return s.writeMeta(".zgroup")
}

// inherit copies the digests of the files of a group from another journal, after the group was
// moved.
func (j *journal) inherit(from *journal, group string) error {
	if j.plain || from.plain {
		return nil
	}
	var text strings.Builder
	for _, path := range slices.Sorted(maps.Keys(from.versions)) {
		if strings.HasPrefix(path, group+"/") {
			d, _ := from.now(path)
			text.WriteString(putLine(path, d))
		}
	}
	if text.Len() == 0 {
		return nil
	}
	return j.change(func() error {
		if err := j.append(text.String(), false); err != nil {
			return err
		}
		for line := range strings.Lines(text.String()) {
			j.take(strings.TrimSuffix(line, "\n"))
		}
		if err := j.commit(j.draws); err != nil {
			return err
		}
		return disk.SyncFile(j.fs, j.path)
	})
}

// Remove removes a group from the store. It does nothing if the group does not exist.
func (s *Store) Remove(group string) error {
	before := len(s.meta)
	maps.DeleteFunc(s.meta, func(key string, _ any) bool {
		return strings.HasPrefix(key, group+"/")
	})
	s.vars = slices.DeleteFunc(s.vars, func(v Variable) bool { return v.Group == group })
	if len(s.meta) != before {
		if err := s.writeMeta(".zgroup"); err != nil {
			return err
		}
	}
	for c := range s.chains {
		if err := s.chain(c).forget(group); err != nil {
			return err
		}
	}
	if err := s.shared.forget(group); err != nil {
		return err
	}
	if err := disk.RemoveAll(s.fs, s.path(group)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove %s: %w", s.path(group), disk.Cause(err))
	}
	return nil
}

// forget removes the files of a group from the journal.
func (j *journal) forget(group string) error {
	return j.change(func() error {
		listed := false
		for path := range j.versions {
			listed = listed || strings.HasPrefix(path, group+"/")
		}
		if !listed || j.plain {
			return nil
		}
		if err := j.append(sealed("- "+strconv.Quote(group)), false); err != nil {
			return err
		}
		j.removed[group] = j.lines
		j.lines++
		return j.commit(j.draws)
	})
}

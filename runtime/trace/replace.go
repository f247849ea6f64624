package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/disk"
)

// WriteStore makes a store at dir in one step: build makes it, with Create, in
// the directory that it is given, which is then renamed. What is at dir is
// replaced when it is a store, and refused otherwise. An error leaves what was
// there and nothing else.
func WriteStore(dir string, build func(temp string) error) (err error) {
	if _, e := os.Lstat(dir); e == nil {
		if _, e := Open(dir); e != nil {
			return fmt.Errorf("%s exists and is no store of draws; it is left alone", dir)
		}
	}
	temp := fmt.Sprintf("%s%s%d", strings.TrimRight(dir, string(filepath.Separator)), disk.TempMark, os.Getpid())
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
	return disk.WriteError(dir, os.Rename(temp, dir))
}

// rename speaks of the directory that is meant, not of the temporary one.
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

// Adopt moves a group of another store into s, in the place of one of that
// name: for groups that are computed after the run, such as log_likelihood.
// Both must have the same chains and draws. Readers see the group whole or not
// at all. What is left of the other store is good for nothing.
func (s *Store) Adopt(from *Store, group string) error {
	if from.chains != s.chains || from.draws != s.draws {
		return fmt.Errorf("%s has %d chains of %d draws, and %s of %d chains of %d draws cannot become part of it",
			s.dir, s.chains, s.draws, group, from.chains, from.draws)
	}
	if err := s.Remove(group); err != nil {
		return err
	}
	if err := s.fs.Rename(from.path(group), s.path(group)); err != nil {
		return disk.WriteError(s.path(group), err)
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
	return s.writeMeta(".zgroup")
}

// Remove takes a group out of the store; none of that name is no error.
func (s *Store) Remove(group string) error {
	before := len(s.meta)
	maps.DeleteFunc(s.meta, func(key string, _ any) bool { return strings.HasPrefix(key, group+"/") })
	s.vars = slices.DeleteFunc(s.vars, func(v Variable) bool { return v.Group == group })
	if len(s.meta) != before {
		if err := s.writeMeta(".zgroup"); err != nil {
			return err
		}
	}
	if err := disk.RemoveAll(s.fs, s.path(group)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove %s: %w", s.path(group), disk.Cause(err))
	}
	return nil
}

package trace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// full is a store of two chains, static values and values by chain, complete.
func full(t *testing.T) *Store {
	t.Helper()
	s := create(t, 2, 20, 6)
	for c := range 2 {
		a := appender(t, s, c, 0)
		put(t, s, a, c, 20)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Add([]Variable{{Group: "data", Name: "y", Shape: []int{3}, Static: true},
		{Group: "moments", Name: "m", Shape: []int{2}, Static: true, PerChain: true}}); err != nil {
		t.Fatal(err)
	}
	err := s.WriteStatic("data", "y", []float64{1, 2, 3})
	for c := range 2 {
		err = errors.Join(err, s.WritePerChain("moments", "m", c, []float64{4, 5}))
	}
	if err = errors.Join(err, s.Sync()); err != nil {
		t.Fatal(err)
	}
	return s
}

// readEverything is what a command does that reads draws: the error of the first
// array that cannot be read.
func readEverything(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	for _, v := range s.Variables() {
		if _, err := s.Read(v.Group, v.Name); err != nil {
			return err
		}
		if n := v.Len(); n > 8 { // by parts too
			if _, err := s.ReadElements(v.Group, v.Name, n-1, n); err != nil {
				return err
			}
		}
		for _, axis := range v.Dims {
			if _, err := s.Labels(v.Group, axis); err != nil {
				return err
			}
		}
	}
	return nil
}

// A bit that is turned in any file, a file that is cut, made longer, zeroed,
// removed or swapped for another is an error with the file's name of whatever
// reads it, and of Verify.
func TestDamagedFiles(t *testing.T) {
	s := full(t)
	if err := readEverything(s.Dir()); err != nil {
		t.Fatal(err)
	}
	v, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if r := v.Verify(); len(r.Problems)+len(r.Unlisted) > 0 || r.Files < 30 || r.Bytes == 0 {
		t.Fatalf("a whole store: %+v", r)
	}
	files, damages := 0, 0
	filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files++
		rel, _ := filepath.Rel(s.Dir(), path)
		flip := append([]byte(nil), good...)
		flip[len(flip)/2] ^= 4
		for what, bad := range map[string][]byte{"a bit turned": flip, "cut": good[:len(good)-1],
			"longer": append(append([]byte(nil), good...), 0), "zeroed": make([]byte, len(good)),
			"gone": nil} {
			// A last line of a journal that is not whole is what a kill leaves; then
			// fewer draws count, which the run's record tells.
			if journal := strings.HasPrefix(rel, ".chain-") ||
				rel == ".digests"; journal && (what == "cut" || what == "longer") {
				continue
			}
			if rel == ".digests" && what == "gone" { // a copy by another program
				continue
			}
			if bytes.Equal(bad, good) ||
				files%5 > 0 && what != "a bit turned" && !strings.HasPrefix(rel, ".") {
				continue
			}
			damages++
			if os.Remove(path); bad != nil {
				if err := os.WriteFile(path, bad, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			// The file that each array has of its own metadata is read by others alone.
			base := filepath.Base(rel)
			read := base == ".zmetadata" || !strings.HasPrefix(base, ".z") && base != "0" ||
				strings.HasPrefix(base, ".chain") || rel == "data/y/0"
			if err := readEverything(s.Dir()); read &&
				(!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), rel)) {
				t.Errorf("%s %s: reading says %v", rel, what, err)
			}
			v, err := Open(s.Dir())
			if err == nil {
				found := false
				for _, p := range v.Verify().Problems {
					found = found || strings.Contains(p.Error(), rel)
				}
				if !found {
					t.Errorf("%s %s: Verify says %v", rel, what, v.Verify().Problems)
				}
			} else if !strings.Contains(err.Error(), rel) {
				t.Errorf("%s %s: Open says %v", rel, what, err)
			}
		}
		return os.WriteFile(path, good, 0o644)
	})
	t.Logf("%d files, %d damages", files, damages)
	if files < 30 {
		t.Errorf("%d files", files)
	}
	if err := readEverything(s.Dir()); err != nil {
		t.Errorf("put back: %v", err)
	}
}

// Whatever moment a process is killed at, every file fits a digest: the writer is
// stopped before each of its calls in turn, by the file system.
func TestKilledBetweenDigestAndFile(t *testing.T) {
	points := 0
	for n := 1; ; n += stride {
		stop := &stopping{FS: disk.OS, left: n}
		dir := filepath.Join(t.TempDir(), "s")
		err := writeSome(stop, dir)
		if err == nil {
			break
		}
		points++
		s, err := Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not a store yet
		}
		if err != nil {
			t.Fatalf("stopped before call %d: %v", n, err)
		}
		if err := readEverything(dir); err != nil {
			t.Fatalf("stopped before call %d: %v", n, err)
		}
		if r := s.Verify(); len(r.Problems) > 0 {
			t.Fatalf("stopped before call %d: %v", n, r.Problems)
		}
	}
	t.Logf("%d moments", points)
	if points*stride < 300 {
		t.Errorf("%d moments", points)
	}
}

func writeSome(on disk.FS, dir string) error {
	s, err := CreateOn(on, dir,
		[]Variable{{Group: "p", Name: "x"}, {Group: "p", Name: "k", Shape: []int{2}, DType: Int64},
			{Group: "m", Name: "mean", Static: true, PerChain: true}}, 1, 7, 3, nil)
	if err != nil {
		return err
	}
	a, err := s.Appender(0, 0)
	if err != nil {
		return err
	}
	for d := range 5 {
		err = errors.Join(a.Append([][]float64{{float64(d)}, {1, 2}}),
			s.WritePerChain("m", "mean", 0, []float64{float64(d)}))
		if d == 1 {
			err = errors.Join(err, a.Sync())
		}
		if err != nil {
			return err
		}
	}
	if err := errors.Join(a.Close(), s.Close()); err != nil {
		return err
	}
	if s, err = OpenOn(on, dir); err != nil {
		return err
	}
	if err := s.Resize(7); err != nil {
		return err
	}
	if a, err = s.Appender(0, 2); err != nil {
		return err
	}
	for a.Len() < 7 {
		if err := a.Append([][]float64{{9}, {3, 4}}); err != nil {
			return err
		}
	}
	return errors.Join(a.Close(), s.Close(), s.Sync())
}

// A stopping file system does nothing any more after so many calls.
type stopping struct {
	disk.FS
	left int
}

var errStopped = errors.New("stopped")

func (s *stopping) more() bool { s.left--; return s.left > 0 }

func (s *stopping) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	if !s.more() {
		return nil, errStopped
	}
	f, err := s.FS.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return &stoppingFile{f, s}, nil
}

func (s *stopping) Rename(from, to string) error {
	if !s.more() {
		return errStopped
	}
	return s.FS.Rename(from, to)
}

func (s *stopping) Mkdir(path string, perm fs.FileMode) error {
	if !s.more() {
		return errStopped
	}
	return s.FS.Mkdir(path, perm)
}

func (s *stopping) Remove(path string) error {
	if !s.more() {
		return errStopped
	}
	return s.FS.Remove(path)
}

// What is not synced survives the process all the same, and syncs take long.
func (s *stopping) SyncDir(string) error { return s.stopped() }

func (s *stopping) stopped() error {
	if !s.more() {
		return errStopped
	}
	return nil
}

func (f *stoppingFile) Sync() error { return f.s.stopped() }

type stoppingFile struct {
	disk.File
	s *stopping
}

// Write writes a part where the process is stopped.
func (f *stoppingFile) Write(b []byte) (int, error) {
	if !f.s.more() {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, errStopped
	}
	return f.File.Write(b)
}

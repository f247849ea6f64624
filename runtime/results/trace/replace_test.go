package trace

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// left are the names in a directory.
func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestWriteStream: a file is whole or as it was.
func TestWriteStream(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := WriteStream(path, func(w *bufio.Writer) error {
		_,
			err := w.WriteString("old")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := WriteStream(path, func(w *bufio.Writer) error {
		w.Write(make([]byte, 1<<20))
		return full
	})
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("%q", b)
	}
	if names := left(t, dir); len(names) != 1 {
		t.Error(names)
	}
	if err := WriteStream(filepath.Join(dir, "no", "f"),
		func(*bufio.Writer) error { return nil }); err == nil {
		t.Error("a directory that is not there")
	}
}

// TestWriteStore: a store is whole or as it was, and takes no other's place.
func TestWriteStore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.zarr")
	build := func(value float64, fails error) func(string) error {
		return func(temp string) error {
			s, err := Create(temp, []Variable{{Group: "posterior_predictive", Name: "y"}}, 1, 1, 0, nil)
			if err != nil {
				return err
			}
			a, err := s.Appender(0, 0)
			if err != nil {
				return err
			}
			a.PutScalar(0, value)
			if err := errors.Join(a.Next(), a.Close(), s.Close()); err != nil {
				return err
			}
			return fails
		}
	}
	value := func() float64 {
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Read("posterior_predictive", "y")
		if err != nil {
			t.Fatal(err)
		}
		return a.Data[0]
	}
	for _, x := range []float64{1, 2} {
		if err := WriteStore(path, build(x, nil)); err != nil || value() != x {
			t.Fatal(err)
		}
	}
	full := errors.New("no space left on device")
	if err := WriteStore(path, build(3, full)); !errors.Is(err, full) || value() != 2 {
		t.Error(err)
	}
	if names := left(t, dir); len(names) != 1 {
		t.Error(names)
	}
	other := filepath.Join(dir, "other")
	os.Mkdir(other, 0o755)
	if err := WriteStore(other, build(1, nil)); err == nil {
		t.Error("a directory that is no store was replaced")
	}
}

// TestAdopt: a group of another store becomes one of this, also in the place
// of an older one or of what a killed process left, and is read like its own.
func TestAdopt(t *testing.T) {
	dir := t.TempDir()
	run, err := Create(filepath.Join(dir, "draws.zarr"),
		[]Variable{{Group: "posterior", Name: "mu"}}, 2, 3, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(s *Store, x float64) {
		for c := range 2 {
			a, err := s.Appender(c, 0)
			if err != nil {
				t.Fatal(err)
			}
			for d := range 3 {
				for i := range a.cols {
					v := make([]float64, a.cols[i].v.Len())
					for k := range v {
						v[k] = x + float64(100*c+10*d+k)
					}
					a.Put(i, v)
				}
				if err := a.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(run, 0)
	// of a killed process
	os.MkdirAll(filepath.Join(dir, "draws.zarr", "log_likelihood", "y"), 0o755)
	for round, x := range []float64{1000, 2000} {
		ll, err := Create(filepath.Join(dir, "ll"),
			[]Variable{{Group: "log_likelihood", Name: "y", Dims: []string{"N"}, Shape: []int{4}}},
			2, 3, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		fill(ll, x)
		if err := run.Adopt(ll, "log_likelihood"); err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(ll.Dir())
		again, err := Open(run.Dir())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Store{run, again} {
			a, err := s.Read("log_likelihood", "y")
			if err != nil {
				t.Fatal(err)
			}
			if got := a.At(1, 2)[3]; got != x+123 || a.Dims[0] != "N" {
				t.Errorf("round %d: %v along %v", round, got, a.Dims)
			}
			if mu, err := s.Read("posterior", "mu"); err != nil || mu.At(1, 1)[0] != 110 {
				t.Error(err)
			}
		}
	}
	if err := run.Remove("log_likelihood"); err != nil {
		t.Fatal(err)
	}
	if _, ok := run.Lookup("log_likelihood", "y"); ok {
		t.Error("still there")
	}
	short, err := Create(filepath.Join(dir, "short"),
		[]Variable{{Group: "log_likelihood", Name: "y"}}, 2, 2, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Adopt(short, "log_likelihood"); err == nil {
		t.Error("a group of other draws was taken in")
	}
}

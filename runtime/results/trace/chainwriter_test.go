package trace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// TestChainWriter: what is written in pieces reads back, and what is not whole leaves what was
// there.
func TestChainWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, []Variable{
		{Group: "g", Name: "w", Shape: []int{5}, Static: true, PerChain: true},
		{Group: "g", Name: "k", Shape: []int{2, 2}, DType: Int32, Static: true, PerChain: true},
		{Group: "g", Name: "none", Shape: []int{0}, Static: true, PerChain: true},
	}, 2, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, parts ...[]float64) error {
		w, err := s.PerChain("g", name, 1)
		if err != nil {
			return err
		}
		for _, p := range parts {
			_ = w.Write(p) // Close says it again
		}
		return w.Close()
	}
	for name, parts := range map[string][][]float64{"w": {{1, 2}, {}, {3}, {4, 5}},
		"k": {{-7, 1 << 30}, {0, 1}}, "none": {{}}} {
		if err := write(name, parts...); err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(parts...)
		if a, err := s.Read("g", name); err != nil || !slices.Equal(a.Data[len(want):], want) {
			t.Errorf("%s: %v, %v, want %v", name, a, err, want)
		}
	}
	if write("w", []float64{9}) == nil ||
		write("w", []float64{9, 9, 9}, []float64{9, 9, 9}) == nil {
		t.Error("too few or too many values are no error")
	}
	if a, err := s.Read("g", "w"); err != nil ||
		!slices.Equal(a.At(1, 0), []float64{1, 2, 3, 4, 5}) {
		t.Errorf("%v, %v", a, err)
	}
	files, err := os.ReadDir(filepath.Join(dir, "g", "w"))
	if err != nil || slices.ContainsFunc(files,
		func(f os.DirEntry) bool { return disk.IsTemp(f.Name()) }) {
		t.Errorf("%v is left, %v", files, err)
	}
	if _, err := s.PerChain("g", "w", 2); err == nil {
		t.Error("a chain too many is written")
	}
	if v, err := s.ReadElements("g", "k", 1, 3); err != nil ||
		!slices.Equal(v.At(1, 0), []float64{1 << 30, 0}) {
		t.Errorf("%v, %v", v, err)
	}
}

// TestCheckpointFunc: a payload that is written is that which is given, and one of another length,
// or an error, leaves what was there.
func TestCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	parts := func(texts ...string) func(w io.Writer) error {
		return func(w io.Writer) error {
			for _, x := range texts {
				if _, err := io.WriteString(w, x); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if err := WriteCheckpoints(disk.OS, Checkpoint{path, 3, 5, parts("ab", "", "cde")}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if WriteCheckpoints(disk.OS, Checkpoint{path, 3, 5, parts("abcd")}) == nil ||
		WriteCheckpoints(disk.OS, Checkpoint{path, 3, 1, parts("ab")}) == nil ||
		!errors.Is(WriteCheckpoints(disk.OS, Checkpoint{path, 3, 1,
			func(io.Writer) error { return broken }}),
			broken) {
		t.Error("a payload that is not what was said is written")
	}
	// of several all are replaced or none, if one cannot be written
	other := path + "2"
	if err := WriteCheckpoints(disk.OS, Checkpoint{path, 4, 2, parts("xy")},
		Checkpoint{other, 4, 1, func(io.Writer) error { return broken }}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if version, b, err := ReadCheckpoint(disk.OS, path); err != nil || version != 3 ||
		string(b) != "abcde" {
		t.Errorf("version %d, %q, %v", version, b, err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("temporary files are left: %v", list)
	}
	if err := WriteCheckpoints(disk.OS, Checkpoint{path, 4, 2, parts("xy")},
		Checkpoint{other, 5, 1, parts("z")}); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{path: "xy", other: "z"} {
		if _, b, err := ReadCheckpoint(disk.OS, at); err != nil || string(b) != want {
			t.Errorf("%q, %v", b, err)
		}
	}
}

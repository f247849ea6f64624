package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// fuzzStore is a store with draws in every kind of array.
func fuzzStore(f *testing.F) *Store {
	vars := append(someVars(),
		Variable{Group: "posterior", Name: "z", Dims: []string{"word"}, Shape: []int{2},
			Labels: [][]string{{"a", "βγ"}}},
		Variable{Group: "moments", Name: "mean", Shape: []int{2}, Static: true, PerChain: true},
		Variable{Group: "observed_data", Name: "y", Shape: []int{3}, Static: true})
	s, err := Create(filepath.Join(f.TempDir(), "draws.zarr"), vars, 2, 7, 3, nil)
	if err != nil {
		f.Fatal(err)
	}
	for c := range 2 {
		a, err := s.Appender(c, 0)
		if err != nil {
			f.Fatal(err)
		}
		for range 7 {
			var row [][]float64
			for _, v := range s.Variables() {
				if !v.Static {
					row = append(row, make([]float64, v.Len()))
				}
			}
			if err := a.Append(row); err != nil {
				f.Fatal(err)
			}
		}
		err = errors.Join(a.Close(), s.WritePerChain("moments", "mean", c, []float64{1, 2}))
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := errors.Join(s.WriteStatic("observed_data", "y", []float64{1, 2, 3}),
		s.Close()); err != nil {
		f.Fatal(err)
	}
	return s
}

// readAll reads everything that a command can ask of a store.
func readAll(t *testing.T, dir string) {
	s, err := Open(dir)
	if err != nil {
		return
	}
	for _, v := range s.Variables() {
		if a, err := s.Read(v.Group, v.Name); err == nil &&
			len(a.Data) != a.Chains*a.Draws*a.Len() {
			t.Fatalf("%s/%s has %d numbers, and %d × %d of %d were expected", v.Group, v.Name,
				len(a.Data), a.Chains, a.Draws, a.Len())
		}
		if v.Len() > 0 {
			s.ReadElements(v.Group, v.Name, v.Len()-1, v.Len())
		}
		s.Missing(v, min(s.Draws(), 1000))
		for _, axis := range v.Dims {
			s.Labels(v.Group, axis)
		}
		n := 0
		for range v.Elements() {
			if n++; n > 10 {
				break
			}
		}
	}
}

// FuzzZarr: whatever the metadata of a store claim, reading it gives numbers or
// an error.
func FuzzZarr(f *testing.F) {
	s := fuzzStore(f)
	// Without digests, by which nearly all that is tried would be refused.
	if err := errors.Join(os.Remove(s.path(digestsName)),
		os.WriteFile(s.writtenPath(1), []byte("7\n"), 0o666)); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(s.Dir(), consolidated)
	meta, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(meta, []byte("7\n"))
	f.Add([]byte(`{"metadata":{".zgroup":{"zarr_format":2},"posterior/mu/.zarray":{"chunks":[1,3],"compressor":null,"dtype":"<f8","fill_value":"NaN","filters":null,"order":"C","shape":[2,7],"zarr_format":2},"posterior/mu/.zattrs":{"_ARRAY_DIMENSIONS":["chain","draw"]}}}`), []byte(
		"9"))
	f.Add([]byte(`{"metadata":{".zgroup":{},"a/x/.zarray":{"chunks":[1,1,1000000000],"dtype":"<f8","order":"C","shape":[2,7,1000000000],"zarr_format":2},"a/x/.zattrs":{"_ARRAY_DIMENSIONS":["chain","draw","k"]}}}`), []byte(
		"-1"))
	f.Fuzz(func(t *testing.T, meta, written []byte) {
		if err := errors.Join(os.WriteFile(path, meta, 0o666),
			os.WriteFile(s.writtenPath(0), written, 0o666)); err != nil {
			t.Fatal(err)
		}
		readAll(t, s.Dir())
	})
}

// FuzzDigests: whatever the list of a store's digests says, reading the store gives
// numbers or an error, and what is understood of it is written as it was read.
func FuzzDigests(f *testing.F) {
	s := fuzzStore(f)
	path := s.writtenPath(0)
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b), false)
	f.Add("digests 1\n+ 0000abcd 12 \"a/b\"\n- \"a\"\n= 7\n+ 1 -1 \"a\"\n", true)
	f.Fuzz(func(t *testing.T, text string, seal bool) {
		if seal { // with check sums that are right
			var out strings.Builder
			for line := range strings.Lines(text) {
				out.WriteString(sealed(strings.TrimSuffix(line, "\n")))
			}
			text = out.String()
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		readAll(t, s.Dir())
		j := &journal{fs: disk.OS, path: path}
		if j.read() != nil {
			return
		}
		draws, versions := j.draws, maps.Clone(j.versions)
		if err := j.rewrite(); err != nil {
			t.Fatal(err)
		}
		again := &journal{fs: disk.OS, path: path}
		if err := again.read(); err != nil || again.draws != draws {
			t.Fatalf("%d draws are written as %d: %v", draws, again.draws, err)
		}
		for key := range versions {
			a, _ := j.now(key)
			if b, ok := again.now(key); !ok || a != b {
				t.Fatalf("%s has digest %v, and once written %v", key, a, b)
			}
		}
	})
}

// FuzzCheckpoint: a file is the checkpoint that was written or an error, also
// where its check sum is right.
func FuzzCheckpoint(f *testing.F) {
	path := filepath.Join(f.TempDir(), "c")
	if err := WriteCheckpoint(disk.OS, path, 3, []byte("payload")); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, false)
	f.Add(b[:len(b)-4], true)
	f.Add([]byte(checkpointMagic), true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = binary.LittleEndian.AppendUint32(bytes.Clone(b), crc32.Checksum(b, castagnoli))
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		version, payload, err := ReadCheckpoint(disk.OS, path)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again := path + "2"
		if err := WriteCheckpoints(disk.OS, Checkpoint{again, version, len(payload),
			func(w io.Writer) error { _, err := w.Write(payload); return err }}); err != nil {
			t.Fatal(err)
		}
		if c, err := os.ReadFile(again); err != nil || !bytes.Equal(b, c) {
			t.Fatalf("%v: %q is read, and written as %q", err, b, c)
		}
	})
}

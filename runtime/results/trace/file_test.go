package trace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

func TestWriteFileAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	for _, text := range []string{"one", "two, longer", ""} {
		if err := WriteFileAtomic(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Fatalf("%q %v", b, err)
		}
	}
	if es, _ := os.ReadDir(dir); len(es) != 1 {
		t.Errorf("%d files are left", len(es))
	}
	missing := filepath.Join(dir, "no", "run.json")
	if err := WriteFileAtomic(missing, nil); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("into a missing directory: %v", err)
	}
	// A target that cannot be replaced leaves no temporary file.
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFileAtomic(filepath.Join(dir, "d"), []byte("x")); err == nil {
		t.Error("a directory was replaced")
	}
	if es, _ := os.ReadDir(dir); len(es) != 2 {
		t.Errorf("%d files are left", len(es))
	}
}

func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no /dev/full here")
	}
	f, err := os.OpenFile(full, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	_, werr := f.Write([]byte("x"))
	if got := disk.Cause(werr); got == werr || !strings.Contains(got.Error(), "no space") {
		t.Errorf("the cause of %v is given as %v", werr, got)
	}
}

func TestCheckpoint(t *testing.T) {
	run := t.TempDir()
	path := CheckpointPath(run, 3)
	if filepath.Base(path) != "chain-3.ckpt" {
		t.Error(path)
	}
	if _, _, err := ReadCheckpoint(disk.OS, path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	for _, payload := range []string{"", "state of the chain"} {
		if err := WriteCheckpoint(disk.OS, path, 7, []byte(payload)); err != nil {
			t.Fatal(err)
		}
		version, got, err := ReadCheckpoint(disk.OS, path)
		if err != nil || version != 7 || string(got) != payload {
			t.Fatalf("%d %q %v", version, got, err)
		}
		good, _ := os.ReadFile(path)
		// Every byte matters, and so does every length.
		for i := range good {
			bad := append([]byte(nil), good...)
			bad[i] ^= 0x10
			refused(t, path, bad, "byte changed", i)
			refused(t, path, good[:i], "cut at", i)
		}
		refused(t, path, append(good, 0), "longer", 1)
	}
}

func refused(t *testing.T, path string, content []byte, what string, i int) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadCheckpoint(disk.OS, path); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("%s %d: %v", what, i, err)
	}
}

//go:build unix

package disk

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInput: regular files and pipes with a writer are read, late writers too; a pipe
// without one and devices are refused within seconds, never waited for.
func TestInput(t *testing.T) {
	dir := t.TempDir()
	file, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Skip(err)
	}
	f, err := OpenInput(file)
	if _, is := f.(*os.File); err != nil || !is {
		t.Fatalf("%T, %v", f, err)
	}
	f.Close()
	if b, err := ReadInput(os.DevNull); err != nil || len(b) != 0 {
		t.Errorf("the null device gives %d bytes, %v", len(b), err)
	}
	go func() { // there before the reader, and slow
		w, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		io.WriteString(w, "a")
		time.Sleep(50 * time.Millisecond)
		io.WriteString(w, strings.Repeat("b", 100000))
		w.Close()
	}()
	if b, err := ReadInput(fifo); err != nil || len(b) != 100001 || b[0] != 'a' {
		t.Errorf("a pipe gives %d bytes, %v", len(b), err)
	}
	for path, want := range map[string]string{fifo: "nobody writes to", "/dev/zero": "is a device",
		filepath.Join(dir, "none"): "no such file"} {
		if _, err := ReadInput(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := OpenRegular(fifo); err == nil || !strings.Contains(err.Error(), "is a pipe") {
		t.Errorf("a pipe opened as a regular file: %v", err)
	}
	if b, err := ReadFile(OS, fifo); err != nil || len(b) != 0 { // as files of runs are read
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

package session

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestReplaceFile: the file that a link leads to is replaced, keeps its permissions, and is
// not touched where it has the text already; nothing else is left in the directory.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if wrote, err := ReplaceFile(file, []byte("one"), 0o600); !wrote || err != nil {
		t.Fatal(wrote, err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err) // systems without links
	}
	if wrote, err := ReplaceFile(link, []byte("two"), 0o666); !wrote || err != nil {
		t.Fatal(wrote, err)
	}
	text, _ := os.ReadFile(file)
	info, err := os.Lstat(link)
	if string(text) != "two" || err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the file has %q, the link is %v, %v", text, info, err)
	}
	before, err := os.Stat(file)
	if runtime.GOOS != "windows" && before.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v", before.Mode())
	}
	if wrote, err := ReplaceFile(file, []byte("two"), 0o666); wrote || err != nil {
		t.Errorf("the same text is written: %v", err)
	}
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("the same text is in another file")
	}
	if _, err := ReplaceFile(filepath.Join(dir, "none", "file"), nil, 0o666); err == nil {
		t.Error("a file in a directory that is not there")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("there are %v", entries)
	}
}

// TestRefuseExisting: a file that is there needs --force, its directory has to be there, and
// "-" is standard output.
func TestRefuseExisting(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		force bool
		code  int
	}{
		{"-", false, ExitDone},
		{file, false, ExitUsage},
		{file, true, ExitDone},
		{file + "2", false, ExitDone},
		{filepath.Join(dir, "none", "file"), true, ExitFiles},
	} {
		w := newWorld()
		if code := w.Report(RefuseExisting(c.path, c.force)); code != c.code {
			t.Errorf("%s, force %v: status %d: %s", c.path, c.force, code, &w.said)
		}
	}
}

// TestWriteOut: "-" is standard output, a path a file that is there at once or not at all.
func TestWriteOut(t *testing.T) {
	w, path := newWorld(), filepath.Join(t.TempDir(), "out")
	if err := w.WriteOut("-", []byte("text")); err != nil || w.out.String() != "text" {
		t.Errorf("%q, %v", &w.out, err)
	}
	if err := w.WriteOut(path, []byte("text")); err != nil {
		t.Error(err)
	}
	err := w.Stream(path, func(b *bufio.Writer) error {
		b.WriteString("half")
		return Usagef("no more")
	})
	if text, _ := os.ReadFile(path); string(text) != "text" || w.Report(err) != ExitUsage {
		t.Errorf("the file has %q: %v", text, err)
	}
}

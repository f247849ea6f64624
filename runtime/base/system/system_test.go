package system

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// locks reports whether this system has locks; the others say so in TryLock.
var locks = hasLocks()

// hasLocks repeats what the documentation of TryLock says of systems.
func hasLocks() bool {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly", "windows":
		return true
	}
	return false
}

// TestMain holds a lock for as long as its parent says, where the environment asks for it.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SGPPL_TEST_LOCK"); dir != "" {
		if _, err := TryLock(dir); err != nil {
			os.Stdout.WriteString("refused: " + err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("locked\n")
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0) // without unlock
	}
	os.Exit(m.Run())
}

// A lock keeps out other calls and other processes, is waited for, and dies with its
// holder.
func TestLock(t *testing.T) {
	if !locks {
		t.Skipf("%s has no locks", runtime.GOOS)
	}
	dir := t.TempDir()
	unlock, err := TryLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock in the same process: %v", err)
	}
	if out, err := child(t, dir).Output(); err == nil || !strings.Contains(string(out), "refused") {
		t.Errorf("another process got the lock: %q", out)
	}
	if _, err := Lock(dir, 20*time.Millisecond); !errors.Is(err, ErrLocked) {
		t.Errorf("waited in vain: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, unlock)
	unlock, err = Lock(dir, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("the lock leaves %v", entries)
	}

	c := child(t, dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 6)
	if _, err := out.Read(said); string(said) != "locked" {
		t.Fatal(string(said), err)
	}
	if _, err := TryLock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("the lock of another process: %v", err)
	}
	if !Exists(c.Process.Pid) {
		t.Error("a process that runs does not exist")
	}
	in.Close()
	c.Wait()
	if Exists(c.Process.Pid) {
		t.Error("a process that ended exists")
	}
	unlock, err = Lock(dir, 10*time.Second)
	if err != nil {
		t.Fatalf("the lock of a process that ended: %v", err)
	}
	unlock()
	if _, err := TryLock(filepath.Join(dir, "none")); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

func child(t *testing.T, dir string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "SGPPL_TEST_LOCK="+dir)
	return c
}

// A rename replaces a file, and on Windows it waits for who has that open.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for path, text := range map[string]string{from: "new", to: "old"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	open, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { open.Close() })
	if err := Rename(from, to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(to); string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if err := Rename(from, to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := SyncDir(dir); err != nil {
		t.Error(err)
	}
}

// What passes is repeated, what does not pass is not, and nothing is repeated for ever.
func TestPatiently(t *testing.T) {
	busy, broken := errors.New("busy"), errors.New("broken")
	passing := func(err error) bool { return err == busy }
	for _, c := range []struct {
		errs []error
		want error
		n    int
	}{{[]error{busy, busy, nil}, nil, 3}, {[]error{busy, broken}, broken, 2},
		{[]error{nil}, nil, 1}} {
		n := 0
		err := patiently(func() error { n++; return c.errs[n-1] }, passing, time.Minute)
		if err != c.want || n != c.n {
			t.Errorf("%v: %v after %d", c.errs, err, n)
		}
	}
	if err := patiently(func() error { return busy }, passing, 5*time.Millisecond); err != busy {
		t.Error(err)
	}
}

// The free space of the disk of a directory is more than nothing, where it is known.
func TestFreeSpace(t *testing.T) {
	free, ok := FreeSpace(t.TempDir())
	if ok && free < 1 || !ok &&
		(runtime.GOOS == "linux" || runtime.GOOS == "windows" || runtime.GOOS == "darwin") {
		t.Errorf("%v, %t", free, ok)
	}
	if _, ok := FreeSpace(filepath.Join(t.TempDir(), "none")); ok {
		t.Error("the free space of a directory that is not there is known")
	}
}

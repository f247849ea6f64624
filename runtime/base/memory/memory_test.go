package memory

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// write makes files below a directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The limit of the tightest group around the process counts, of both versions.
func TestGroups(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none": {nil, 0},
		"version 2": {map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "1048576\n"},
			1 << 20},
		"in container": {map[string]string{"proc/self/cgroup": "0::/../docker/x\n",
			"sys/fs/cgroup/memory.max": "2097152\n"}, 2 << 20},
		"version 1": {map[string]string{"proc/self/cgroup": "4:cpu,cpuacct:/x\n3:memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n"}, 4096},
		"version 1 off": {map[string]string{"proc/self/cgroup": "3:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"both": {map[string]string{"proc/self/cgroup": "3:memory:/a\n0::/b\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "8192\n",
			"sys/fs/cgroup/b/memory.max":                   "4096"}, 4096},
		"nonsense": {map[string]string{"proc/self/cgroup": "what\n0::/\n",
			"sys/fs/cgroup/memory.max": "-5\n"}, 0},
	} {
		if got := groups(write(t, c.files)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := meminfo(filepath.Join(write(t,
		map[string]string{"m": "MemTotal:       24682416 kB\nMemFree: 5 kB\n"}), "m")); got !=
		24682416<<10 {
		t.Error(got)
	}
}

func TestText(t *testing.T) {
	for x, want := range map[float64]string{5: "5 bytes", 1 << 10: "1 KiB",
		1.5 * (1 << 30): "1.5 GiB", 1e40: "8.67e+21 EiB", 999 << 20: "999 MiB"} {
		if got := Text(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

// limited sets the limit for a test.
func limited(t *testing.T, n int64) {
	old := debug.SetMemoryLimit(n)
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
}

func TestFits(t *testing.T) {
	if err := Fits(1e12, "x"); err != nil {
		t.Error(err)
	}
	limited(t, 1<<30)
	if err := Fits(1<<30, "x"); err != nil {
		t.Error(err)
	}
	err := Fits(3<<30, "param a[N, N]")
	var e *Error
	if !errors.As(err, &e) || e.Exit() != 5 ||
		!strings.HasPrefix(err.Error(),
			"param a[N, N] needs about 3 GiB of memory, more than the 1 GiB that may be used") {
		t.Error(err)
	}
}

// What is kept of a reader that never ends is bounded, and what is not kept is
// no reason to stop.
func TestReader(t *testing.T) {
	limited(t, 256<<20)
	_, err := io.ReadAll(Reader(endless{}, "reading x"))
	var e *Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.What, "reading x") {
		t.Error(err)
	}
	if n, err := io.Copy(io.Discard, Reader(io.LimitReader(endless{}, 1<<30), "x")); n != 1<<30 ||
		err != nil {
		t.Error(n, err)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

//go:build unix

package native

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/host"
)

// TestVerified: an engine whose bytes, digest or mode changed is built again, from
// sources that are those of this program, whatever was put among them.
func TestVerified(t *testing.T) {
	b, s := builder(t), generated(t, modelText+"// verified\n")
	path, err := b.Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(path + digestEnding)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(cache, "module-"+runtimeHash(), "native", b.Key(s), s.Package)
	rebuilt := map[string]bool{"a bit": true, "a source": true, "the runtime": true}
	removed := map[string]bool{"no digest": true, "a source": true, "the runtime": true}
	if there, err := b.Verify(s); !there || err != nil {
		t.Fatalf("a good engine: found %v, %v", there, err)
	}
	var said []string
	b.Wrong = func(err error) { said = append(said, err.Error()) }
	for name, spoil := range map[string]func() error{
		"a bit": func() error {
			bad := append([]byte(nil), good...)
			bad[len(bad)/2] ^= 1
			return os.WriteFile(path, bad, 0o755)
		},
		"the end":   func() error { return os.Truncate(path, int64(len(good)/2)) },
		"no digest": func() error { return os.Remove(path + digestEnding) },
		"a mode":    func() error { return os.Chmod(path, 0o777) },
		"a link": func() error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
		"no program": func() error {
			return os.WriteFile(path, []byte("#!/bin/sh\nexit 3\n"), 0o755)
		},
		"a source": func() error {
			return errors.Join(os.Remove(path),
				os.WriteFile(filepath.Join(source, "more.go"),
					[]byte("package model\nfunc init() { panic(1) }\n"), 0o644))
		},
		"the runtime": func() error {
			return errors.Join(os.Remove(path),
				os.WriteFile(filepath.Join(cache, "module-"+runtimeHash(), "runtime", "engine",
					"host", "host.go"), []byte("package host\n"), 0o644))
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if b.Cached(s) {
			t.Errorf("%s: the engine is called good", name)
		}
		there, err := b.Verify(s)
		if absent := removed[name]; there == absent || (err == nil) != absent ||
			err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("%s: found %v, %v", name, there, err)
		}
		if !rebuilt[name] { // all are built anew alike, which takes seconds
			os.Remove(path)
			if err := errors.Join(os.WriteFile(path, good, 0o755), os.Chmod(path, 0o755),
				os.WriteFile(path+digestEnding, sum, 0o644)); err != nil || !b.Cached(s) {
				t.Fatal(name, err)
			}
			continue
		}
		said = nil
		again, err := b.Build(context.Background(), s)
		at := map[string]string{"a bit": path, "a source": filepath.Dir(source),
			"the runtime": filepath.Join(cache, "module-"+runtimeHash()) + " "}[name]
		if len(said) != 1 || !strings.Contains(said[0], "the cache of engines, "+b.Cache+", ") ||
			!strings.Contains(said[0], at) {
			t.Errorf("%s: %q does not name the cache and %s", name, said, at)
		}
		if err != nil || again != path {
			t.Fatalf("%s: %s, %v", name, again, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(good) {
			t.Errorf("%s: another engine was built: %d bytes for %d, %v", name, len(got), len(good), err)
		}
		if !b.Cached(s) {
			t.Errorf("%s: the engine is not there afterwards", name)
		}
		said = nil
		if _, err := b.Build(context.Background(), s); err != nil || len(said) > 0 {
			t.Errorf("%s: a good engine: %v, %q", name, err, said)
		}
	}
}

// TestOthersMayWrite: a cache that others may write is refused by its name.
func TestOthersMayWrite(t *testing.T) {
	dir := t.TempDir()
	b := &Builder{Cache: dir, Env: os.Environ()}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var e *CacheError
	if _, err := b.Build(context.Background(), generated(t, modelText)); !errors.As(err, &e) ||
		e.Exit() != 5 || !strings.Contains(err.Error(), dir+" can be written by others") ||
		!strings.Contains(err.Error(), "SGPPL_CACHE") {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b.Cache = file
	if _, err := b.Build(context.Background(), generated(t, modelText)); !errors.As(err, &e) {
		t.Errorf("a file in the place of the cache: %v", err)
	}
}

// TestNoJobIsLeft: while a program runs, and so whenever either process is killed,
// nothing of its job has a name.
func TestNoJobIsLeft(t *testing.T) {
	path, err := builder(t).Build(context.Background(), generated(t, modelText+"// verified\n"))
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	// The program finds no run, and says so; while it starts, the directory is empty.
	err = Run(context.Background(), path,
		host.Job{Work: json.RawMessage(`{"dir":"/nonexistent/run"}`)}, bound(t), nil)
	var exit *ExitError
	if !errors.As(err, &exit) || !strings.Contains(err.Error(), "/nonexistent/run") {
		t.Errorf("the job was not read: %v", err)
	}
	file, err := spool(host.Job{Work: json.RawMessage(`{}`)}, bound(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	giveJob(exec.Command(path), file)
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(tmp, "none"))
	var start *StartError
	if err := Run(context.Background(), path, host.Job{Work: json.RawMessage(`{}`)}, bound(t),
		nil); !errors.As(err, &start) || start.Exit() != 5 ||
		!strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("without a place for the job: %v", err)
	}
}

// TestLongReport: a program whose report cannot be read is ended, also where it waits for an
// answer. It does not count as having done its work.
func TestLongReport(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	program := filepath.Join(t.TempDir(), "program")
	text := "#!" + shell + "\nhead -c 20000000 /dev/zero\nexec sleep 1000\n"
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), program, host.Job{Work: json.RawMessage(`{}`)}, bound(t), nil)
	var ended *endedError
	if !errors.As(err, &ended) || !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	files "github.com/sgppl/sgppl/runtime/base/disk"
)

// A chain that holds at its checkpoints can be copied while it does: each copy goes on to the
// draws that it came to itself.
func TestHolding(t *testing.T) {
	target, dir := normal{}, filepath.Join(t.TempDir(), "run")
	r := record(t, target)
	r.CheckpointEvery = 1e-9 // whenever the chain looks at the clock
	if err := Prepare(dir, r, "text", false, ticks()()); err != nil {
		t.Fatal(err)
	}
	var events bytes.Buffer
	var copies []string
	h := &holding{FS: files.OS, dir: dir, only: []int{1}, events: &events}
	h.wait = func() {
		to := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		copies = append(copies, to)
	}
	w := Work{Version: "v", Dir: dir, Threads: 1, ProgressEvery: 1, Only: []int{1}, Disk: h}
	if _, err := Continue(t.Context(), target, w, ticks(), h.say); err != nil {
		t.Fatal(err)
	}
	told := strings.Count(events.String(), `{"event":"checkpoint"`)
	if told != len(copies) || told < 2 {
		t.Errorf("%d events and %d checkpoints", told, len(copies))
	}
	for _, at := range copies {
		w.Dir, w.Disk = at, nil
		if _, err := Continue(t.Context(), target, w, ticks(), nil); err != nil {
			t.Fatal(err)
		}
		names, err := ChainFiles(dir, 1)
		if err != nil || len(names) < 3 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".ckpt") || strings.HasPrefix(filepath.Base(name), ".") {
				continue
			}
			a, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(filepath.Join(at, name)); err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s of the copy differs: %v", name, err)
			}
		}
	}
}

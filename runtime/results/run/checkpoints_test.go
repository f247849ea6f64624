package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestEndedChainsWait: the checkpoint of a chain that has ended is written with the next one of
// another chain, or where the run ends, also by an error; without a time between checkpoints it is
// written at once.
func TestEndedChainsWait(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		every float64
		write []string // files after each of: chain 0 ended, another checkpoint or the end
		then  func(s *sink) error
	}{
		"next": {60, []string{"", "chain-0.ckpt chain-1.ckpt"}, func(s *sink) error {
			return s.CheckpointOf(1, 2, state)
		}},
		"error": {60, []string{"", "chain-0.ckpt"}, func(s *sink) error {
			if err := s.close(broken); err != broken {
				return err
			}
			return nil
		}},
		"other fails": {60, []string{"", "chain-0.ckpt"}, func(s *sink) error {
			failing := func(io.Writer) error { return broken }
			if err := s.CheckpointOf(1, 2, failing); !errors.Is(err, broken) {
				return fmt.Errorf("the other chain's checkpoint: %v", err)
			}
			s.close(broken)
			return nil
		}},
		"untimed": {0, []string{"chain-0.ckpt", "chain-0.ckpt"}, func(*sink) error { return nil }},
	} {
		r := record(t, normal{})
		r.CheckpointEvery = c.every
		dir := filepath.Join(t.TempDir(), "run")
		if err := Prepare(dir, r, "model", false, ticks()()); err != nil {
			t.Fatal(err)
		}
		s, err := open(files.OS, Work{Dir: dir}, normal{}, r, ticks()())
		if err != nil {
			t.Fatal(err)
		}
		s.Progress(sampler.Progress{Chain: 0, Done: true})
		if err := s.CheckpointOf(0, 2, state); err != nil {
			t.Fatal(err)
		}
		first := strings.Join(checkpoints(t, dir), " ")
		if err := c.then(s); err != nil {
			t.Fatal(err)
		}
		if got := []string{first, strings.Join(checkpoints(t, dir), " ")}; !slices.Equal(got, c.write) {
			t.Errorf("%s: the checkpoints are %q, not %q", name, got, c.write)
		}
		if p, err := readCheckpoint(files.OS, dir, 0); err != nil || string(p.state) != "st" {
			t.Errorf("%s: the state is %q, %v", name, p.state, err)
		}
	}
}

func state(w io.Writer) error {
	_, err := io.WriteString(w, "st")
	return err
}

func checkpoints(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if strings.HasPrefix(f.Name(), "chain-") {
			names = append(names, f.Name())
		}
	}
	return names
}

// A counting file system counts the directories and files that are synced.
type counting struct {
	files.FS
	synced map[string]int
}

// short is the end of a path.
func short(path string) string {
	dir, name := filepath.Split(path)
	return filepath.Base(dir) + "/" + name
}

func (c *counting) SyncDir(path string) error {
	c.synced[short(path)]++
	return c.FS.SyncDir(path)
}

func (c *counting) OpenFile(path string, flag int, perm fs.FileMode) (files.File, error) {
	if flag == os.O_RDWR { // disk.SyncFile alone opens files so
		c.synced[short(path)]++
	}
	return c.FS.OpenFile(path, flag, perm)
}

// TestSyncsOfShortRuns: what a short run makes durable it does once, not once a chain.
func TestSyncsOfShortRuns(t *testing.T) {
	r := record(t, normal{})
	r.CheckpointEvery, r.Settings.Chains, r.Chunk = 60, 5, 1000
	on := &counting{files.OS, map[string]int{}}
	dir := filepath.Join(t.TempDir(), "run")
	w := Work{Dir: dir, Disk: on, Threads: 1, Version: "v"}
	if _, err := Execute(t.Context(), normal{}, w, r, "model", false, ticks(), nil); err != nil {
		t.Fatal(err)
	}
	// in each of the stores, of draws and of the warm-up
	for name, most := range map[string]int{"posterior/x": 2, "x/4.0.0": 2, "x/0.0.0": 2,
		"sum/.zarray": 2, "draws.zarr/posterior": 1, "draws.zarr/.chain-3": 1} {
		if n := on.synced[name]; n < 1 || n > most {
			t.Errorf("%s was synced %d times", name, n)
		}
	}
	if n := len(checkpoints(t, dir)); n != 5 {
		t.Errorf("%d checkpoints", n)
	}
	st, err := trace.Open(Draws(dir))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := st.Common(); err != nil || n != 300 {
		t.Errorf("%d draws, %v", n, err)
	}
}

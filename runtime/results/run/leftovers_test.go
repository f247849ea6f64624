package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	files "github.com/sgppl/sgppl/runtime/base/disk"
)

// ended is the number of a process that has ended.
func ended(t *testing.T) int {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^$")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// TestTidy: of unfinished files those are removed that a run makes and whose process
// has ended, and no others; none where another process has the run.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	dead, alive := ended(t), os.Getppid()
	gone := []string{
		fmt.Sprintf("run.json.tmp-%d-0", dead), fmt.Sprintf("chain-12.ckpt.tmp-%d-3", dead),
		fmt.Sprintf("held_out.json.tmp-%d-0", os.Getpid()),
		"draws.zarr/.zmetadata.tmp-", "draws.zarr/posterior/a/0.1.0.tmp-",
		fmt.Sprintf("draws.zarr/.chain-1.tmp-%d-0", dead), "iterates.zarr/posterior/draw/0.tmp-",
		"log_likelihood.part/.zgroup",
	}
	stay := []string{
		// of a living process
		fmt.Sprintf("run.json.tmp-%d-0", alive), fmt.Sprintf("draws.zarr/.digests.tmp-%d-0", alive),
		// not ours
		fmt.Sprintf("notes.txt.tmp-%d-0", dead), "notes.tmp-", "run.json.tmp-1x-0",
		"run.json.tmp-01-0",
		fmt.Sprintf("draws.zarr/posterior/a/notes.tmp-%d-0", dead),
		fmt.Sprintf("mine/0.0.tmp-%d-0", dead),
		fmt.Sprintf("export.zarr/posterior/a/0.0.tmp-%d-0", dead),
		"run.json", "chain-0.ckpt", "draws.zarr/posterior/a/0.1.0", "draws.zarr/.zmetadata",
	}
	for _, name := range slices.Concat(gone, stay) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (names []string) {
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				name, _ := filepath.Rel(dir, path)
				names = append(names, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	all := left()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if Tidy(files.OS, dir); !slices.Equal(left(), all) {
		t.Error("files of a run were removed that another has")
	}
	unlock()
	Tidy(files.OS, dir)
	slices.Sort(stay)
	if got := left(); !slices.Equal(slices.Sorted(slices.Values(got)), stay) {
		t.Errorf("there are\n%s\ninstead of\n%s", strings.Join(got, "\n"), strings.Join(stay, "\n"))
	}
}

package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/faults"
)

// TestPreparedAgain: whatever a process that was preparing a run left when it died, the
// disk failed or the power went, is a run that goes on, or a directory that --force
// takes; and never a run without what has to be there before it is one.
func TestPreparedAgain(t *testing.T) {
	base, now := t.TempDir(), time.Unix(0, 0)
	prepare := func(on *faults.FS, dir string, force bool) error {
		r := record(t, normal{})
		r.Index = []byte("index")
		r.Before = func() error {
			f, err := on.OpenFile(dir+".beside", os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				return err
			}
			f.Sync()
			f.Close()
			return on.SyncDir(filepath.Dir(dir))
		}
		return PrepareOn(on, dir, r, "model", force, now)
	}
	open := func(root string, mode faults.Mode, n int) *faults.FS {
		if err := os.MkdirAll(root, 0o777); err != nil {
			t.Fatal(err)
		}
		on, err := faults.New(root, mode, n, 3)
		if err != nil {
			t.Fatal(err)
		}
		return on
	}
	whole := open(filepath.Join(base, "whole"), faults.None, 0)
	if err := prepare(whole, filepath.Join(base, "whole", "r"), false); err != nil ||
		whole.Calls() < 20 {
		t.Fatal(whole.Calls(), err)
	}
	for _, mode := range []faults.Mode{faults.Once, faults.Full, faults.Kill, faults.Lose,
		faults.Reorder} {
		for n := 1; n <= whole.Calls(); n++ {
			root := filepath.Join(base, "try")
			os.RemoveAll(root)
			on, dir := open(root, mode, n), filepath.Join(root, "r")
			prepare(on, dir, false)
			if err := on.Cut(); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(dir); err == nil {
				if _, err := os.Stat(dir + ".beside"); err != nil {
					t.Errorf("%s at call %d, %s: a run without what belongs beside it", mode, n,
						on.Struck())
				}
			}
			if err := prepare(open(root, faults.None, 0), dir, true); err != nil {
				t.Errorf("%s at call %d, %s: it is not taken with force: %v", mode, n, on.Struck(), err)
			}
			if _, err := os.Stat(filepath.Join(dir, preparing)); err == nil {
				t.Errorf("%s at call %d, %s: the mark is left", mode, n, on.Struck())
			}
		}
	}
}

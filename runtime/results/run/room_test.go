package run

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// The estimate is what a run really writes.
func TestStoreSize(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	r := record(t, normal{})
	r.Settings.Draws, r.Settings.Thin, r.Settings.Warmup = 2000, 1, 500
	_, bytes := storeSize(normal{}, r)
	if err := Room(dir, normal{}, r); err != nil {
		t.Fatal(err)
	}
	if _, err := Execute(t.Context(), normal{}, Work{Dir: dir, Version: "v"}, r, "", false, ticks(),
		nil); err != nil {
		t.Fatal(err)
	}
	got := 0.0
	for _, store := range []string{drawsName, warmupName} {
		err := filepath.WalkDir(filepath.Join(dir, store),
			func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
					return err
				}
				info, err := os.Stat(path)
				got += float64(info.Size())
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if all := replaced(dir); all < got || all > 1.5*got {
		t.Errorf("%v bytes of draws are replaced by a run in the same place, not %v", got, all)
	}
	// Files are counted with a block each, which these small ones fill in part.
	if files := 2 * 2 * 9 * fileBytes; math.Abs(bytes-float64(files)-got) > 0.02*got {
		t.Errorf("%v bytes are expected, %v are there", bytes-float64(files), got)
	}
}

func TestRoom(t *testing.T) {
	base := t.TempDir()
	for _, c := range []struct {
		change func(*Record)
		says   string
	}{
		{func(r *Record) { r.Settings.Draws = 99999999999999 }, "a store holds at most"},
		{func(r *Record) { r.Settings.Draws = math.MaxInt64 }, "EB; a store holds at most"},
		{func(r *Record) { r.Settings.Chains = 1000000000 }, "--chains: 1000000000 is above 65536"},
		{func(r *Record) { r.Settings.Draws = 1 << 34 }, "are free at"},
	} {
		r := record(t, normal{})
		c.change(r)
		if r.Settings.Draws == 1<<34 {
			if free, ok := system.FreeSpace(base); !ok || free > 2e12 {
				continue
			}
		}
		err := Room(filepath.Join(base, "not", "there"), normal{}, r)
		var own *Error
		if !errors.As(err, &own) || own.Exit() != 2 || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	if e, err := os.ReadDir(base); len(e) > 0 || err != nil {
		t.Errorf("something was made: %v %v", e, err)
	}
}

// TestFits: what is to be written is held against the room there is.
func TestFits(t *testing.T) {
	if err := Fits(t.TempDir(), 4096, "x"); err != nil {
		t.Error(err)
	}
	if err := Fits(filepath.Join(t.TempDir(), "not", "there"), 1e30,
		"--log-lik: 3 observations"); err == nil ||
		!strings.Contains(err.Error(), "--log-lik: 3 observations take about 1e+12 EB") {
		t.Error(err)
	}
}

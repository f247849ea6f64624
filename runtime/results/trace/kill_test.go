package trace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/scratch"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

const killDraws = 80

// TestMain lets the test program be the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TRACE_TEST_WRITE"); dir != "" {
		writeForever(dir)
		return
	}
	os.Exit(scratch.M{M: m}.Run())
}

// writeForever goes on with both chains of the store in dir from what is
// written, with a pause at the end, so that it is always killed.
func writeForever(dir string) {
	fail := func(err error) {
		if err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
	}
	s, err := Open(dir)
	fail(err)
	var as [2]*Appender
	for c := range as {
		n, err := s.Written(c)
		fail(err)
		as[c], err = s.Appender(c, n)
		fail(err)
	}
	for d := range killDraws {
		for c, a := range as {
			if a.Len() > d {
				continue
			}
			for i, v := range s.Variables() {
				x := make([]float64, v.Len())
				for e := range x {
					x[e] = value(i, c, d, e)
				}
				a.Put(i, x)
			}
			fail(a.Next())
			if d%5 == c {
				fail(a.Flush())
			}
		}
	}
	for _, a := range as {
		fail(a.Close())
	}
	fail(s.Sync())
	if os.Getenv("TRACE_TEST_END") == "" {
		time.Sleep(time.Hour)
	}
}

func TestKillNine(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	s := create(t, 2, killDraws, 6)
	kills, common := 0, 0
	for wait := 10 * time.Millisecond; common < killDraws; kills++ {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "TRACE_TEST_WRITE="+s.Dir())
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		wait += 15 * time.Millisecond
		r, err := Open(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		n, err := r.Common()
		if err != nil || n < common {
			t.Fatalf("after %d draws there are %d: %v", common, n, err)
		}
		common = n
		check(t, r, common) // every draw that counts is right
	}
	t.Logf("killed %d times", kills)
	whole := create(t, 2, killDraws, 6)
	for c := range 2 {
		a := appender(t, whole, c, 0)
		put(t, whole, a, c, killDraws)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := whole.Sync(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self) // ends with a sync
	cmd.Env = append(os.Environ(), "TRACE_TEST_WRITE="+s.Dir(), "TRACE_TEST_END=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, want := tree(t, s.Dir()), tree(t, whole.Dir())
	for name := range got {
		if disk.IsTemp(filepath.Base(name)) {
			delete(got, name)
		}
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from an uninterrupted run's", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// Damaged metadata are an error with the file's name, never a panic.
func TestDamagedMetadata(t *testing.T) {
	s := create(t, 2, 5, 2)
	path := filepath.Join(s.Dir(), consolidated)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += 29 {
		for _, bad := range [][]byte{good[:i],
			append(append(append([]byte{}, good[:i]...), good[i]^3), good[i+1:]...)} {
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open(s.Dir())
			if err != nil {
				continue
			}
			for _, v := range r.Variables() { // whatever it says now, it is read or refused
				if v.Len() < 1<<20 {
					_, _ = r.Read(v.Group, v.Name)
				}
			}
		}
		if r, err := Open(s.Dir()); err == nil && len(r.Variables()) == 0 {
			t.Fatalf("metadata cut at byte %d were taken", i)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("an empty directory was opened")
	}
}

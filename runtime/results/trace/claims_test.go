package trace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestClaims: metadata that tell of axes that no file holds are an error, and
// nothing is allocated by them.
func TestClaims(t *testing.T) {
	for name, change := range map[string][2]string{
		"elements": {`"shape":[2,7,2,3]`, `"shape":[2,7,1000000000,3]`},
		"overflow": {`"shape":[2,7,2,3]`, `"shape":[2,7,1000000000,1000000000]`},
		"draws":    {`"shape":[2,7`, `"shape":[2,900000000`},
		"chains":   {`"shape":[2,7`, `"shape":[900000000,7`},
		"static":   {`"shape":[3]`, `"shape":[900000000]`},
		"outside":  {`"posterior/mu/.zarray"`, `"../../mu/.zarray"`},
		"no group": {`"posterior/mu/.zarray"`, `"/mu/.zarray"`},
	} {
		s := create(t, 2, 7, 3)
		if err := s.Add([]Variable{{Group: "observed_data", Name: "y", Shape: []int{3},
			Static: true}}); err != nil {
			t.Fatal(err)
		}
		for c := range 2 {
			a := appender(t, s, c, 0)
			put(t, s, a, c, 7)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(s.WriteStatic("observed_data", "y", []float64{1, 2, 3}),
			s.Close()); err != nil {
			t.Fatal(err)
		}
		// A store without digests: anyone may have written it.
		for _, f := range []string{digestsName, ".chain-0", ".chain-1"} {
			if err := os.Remove(filepath.Join(s.Dir(), f)); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(s.Dir(), consolidated)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dense := strings.Map(func(r rune) rune {
			if r == ' ' || r == '\n' {
				return -1
			}
			return r
		}, string(b))
		if !strings.Contains(dense, change[0]) {
			t.Fatalf("%s: no %s in %s", name, change[0], dense)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(dense, change[0], change[1])),
			0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Open(s.Dir()); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
			t.Errorf("%s: %d bytes were allocated", name, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

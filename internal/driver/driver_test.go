package driver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

func TestTry(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/models/*.sg")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: panic %v", f, r)
				}
			}()
			c, d := Compile(source.New(filepath.Base(f), string(text)), Options{Dump: func(p, fn, text string) {
				if os.Getenv("DUMP") == filepath.Base(f) {
					t.Logf("== %s %s\n%s", p, fn, text)
				}
			}})
			if c == nil {
				for _, x := range d {
					t.Logf("%s: %s %s", filepath.Base(f), x.Code, x.Message)
				}
			} else {
				t.Logf("%s: ok row=%q programs=%d", filepath.Base(f), c.Spec.RowDim, len(c.Programs))
			}
		}()
	}
}

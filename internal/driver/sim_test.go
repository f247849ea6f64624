package driver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

func TestSimTry(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/models/*.sg")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		out, d, errs, err := Simulate(source.New(filepath.Base(f), string(text)), SimulateOptions{Seed: 1, Sets: []string{"N=5", "P=3"}})
		if out == nil {
			t.Logf("%s: %v %v", f, errs, err)
			for _, x := range d {
				t.Logf("   %s %s", x.Code, x.Message)
			}
			continue
		}
		t.Logf("%s\n%s%s%v", f, JSON(out.Data), JSON(out.Params), out.Notes)
	}
}

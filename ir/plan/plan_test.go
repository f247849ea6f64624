package plan

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPlans: testdata/NAME.txtar has an optimised function before, and its plan
// after.
func TestPlans(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) == 0 {
		t.Fatal("no cases")
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b := ir.NewBuilder()
		f, err := ir.Parse(b, string(archive.Files[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Build(b, f)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			archive.Files = []txtar.File{archive.Files[0], {Name: "plan", Data: []byte(p.String())}}
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if len(archive.Files) < 2 || p.String() != string(archive.Files[1].Data) {
			t.Errorf("%s: got\n%s", path, p)
		}
	}
}

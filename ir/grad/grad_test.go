package grad_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// blocks are the blocks of the state that a function reads, in the order of reading.
func blocks(f *ir.Func) []ir.Block {
	var out []ir.Block
	seen := map[string]bool{}
	for _, v := range f.Values() {
		if v.Op == ir.OpState && !seen[v.Name] {
			seen[v.Name] = true
			out = append(out, ir.Block{Name: v.Name, Axes: v.Axes})
		}
	}
	return out
}

// TestGradients: testdata/NAME.txtar has a density before, and its optimised
// gradient after.
func TestGradients(t *testing.T) {
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
		outputs, err := grad.ByState(b, f.Outputs[0].Value, blocks(f))
		if err != nil {
			t.Fatal(err)
		}
		g := (&opt.Optimiser{B: b}).Run(&ir.Func{ID: fn.Gradient.ID(), Outputs: outputs})
		if *update {
			archive.Files = []txtar.File{archive.Files[0],
				{Name: "gradient", Data: []byte(g.String())}}
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if len(archive.Files) < 2 || g.String() != string(archive.Files[1].Data) {
			t.Errorf("%s: got\n%s", path, g)
		}
	}
}

// TestNoRule: a value without a derivative is an *Error that names it.
func TestNoRule(t *testing.T) {
	b := ir.NewBuilder()
	x := b.Leaf(ir.OpState, "x")
	v := b.Map(ir.OpLogStudentTCDFNu, x, b.Num(0.5))
	_, err := grad.ByState(b, v, []ir.Block{{Name: "x"}})
	if e := (*grad.Error)(nil); !errors.As(err, &e) || e.Value != v {
		t.Errorf("got %v, want an *Error of %v", err, v)
	}
}

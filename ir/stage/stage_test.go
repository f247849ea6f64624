package stage

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// assembled stages the function of a golden file.
func assembled(t *testing.T, text string) *Module {
	b := ir.NewBuilder()
	f, err := ir.Parse(b, text)
	if err != nil {
		t.Fatal(err)
	}
	m := Assemble(&opt.Optimiser{B: b}, &model.Spec{RowDim: "N"}, []*ir.Func{f})
	for _, f := range m.Funcs {
		if err := ir.Verify(f); err != nil {
			t.Error(err)
		}
	}
	return m
}

// TestStage: testdata/NAME.txtar has a function before, and the functions of its
// module after.
func TestStage(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) == 0 {
		t.Fatal("no cases")
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, f := range assembled(t, string(archive.Files[0].Data)).Funcs {
			got.WriteString(f.String())
		}
		if *update {
			archive.Files = []txtar.File{archive.Files[0],
				{Name: "after", Data: []byte(got.String())}}
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if len(archive.Files) < 2 || got.String() != string(archive.Files[1].Data) {
			t.Errorf("%s: got\n%s", path, got.String())
		}
	}
}

// TestKinds: what has lost the rows is a constant of the run, what has them a
// column, and the spec lists both.
func TestKinds(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/centred.txtar")
	if err != nil {
		t.Fatal(err)
	}
	m := assembled(t, string(archive.Files[0].Data))
	if len(m.Fitted) != 1 || len(m.Spec.Constants) != 1 || m.Spec.Constants[0].Name != m.Fitted[0] {
		t.Errorf("fitted are %v, constants %v: want the mean in both", m.Fitted, m.Spec.Constants)
	}
	if len(m.Spec.Derived) != 1 {
		t.Errorf("derived are %v, want one column", m.Spec.Derived)
	}
	want := []fn.Kind{fn.Constants, fn.Derive, fn.Density}
	for i, f := range m.Funcs {
		if i >= len(want) || f.ID.Kind != want[i] {
			t.Errorf("function %d is %s, want %v in this order", i, f.ID, want)
		}
	}
}

// What is computed of statistics, which are sums made when the model is bound, stays; data beside
// them are moved.
func TestLate(t *testing.T) {
	b := ir.NewBuilder()
	n := b.Axis("n", size.Dim("N"))
	x, s := b.Leaf(ir.OpData, "x", n), b.Leaf(ir.OpData, "statistic 0")
	sum := b.Sum(b.Mul(x, x), n)
	f := &ir.Func{ID: fn.Full.ID(), Outputs: []ir.Output{
		{Name: "p", Value: b.Mul(b.Leaf(ir.OpState, "p"), b.Mul(b.Mul(s, s), sum))}}}
	spec := &model.Spec{Statistics: []model.Statistic{
		{Datum: model.Datum{Name: "statistic 0", Derived: true}}}}
	m := Assemble(&opt.Optimiser{B: b}, spec, []*ir.Func{f})
	if len(m.Constants) != 1 || m.Constants[0].Value != sum {
		t.Errorf("constants are %v, want the sum of squares alone", m.Constants)
	}
}

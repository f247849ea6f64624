package grad_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
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

// TestTwoTerms: the gradient of a log-sum-exp of two terms are their weights, 0 of a term that is
// impossible, also where both are.
func TestTwoTerms(t *testing.T) {
	b := ir.NewBuilder()
	k := b.Axis("k", size.Const(2))
	x, y := b.Leaf(ir.OpState, "x"), b.Leaf(ir.OpState, "y")
	v := b.Reduce(ir.OpLogSumExp, b.Stack(k, x, y), k)
	outputs, err := grad.ByState(b, v, []ir.Block{{Name: "x"}, {Name: "y"}})
	if err != nil {
		t.Fatal(err)
	}
	g := (&opt.Optimiser{B: b}).Run(&ir.Func{ID: fn.Gradient.ID(), Outputs: outputs})
	no := math.Inf(-1)
	for _, c := range [][4]float64{{0, 0, 0.5, 0.5}, {no, no, 0, 0}, {no, -3, 0, 1}, {5, no, 1, 0},
		{800, -800, 1, 0}, {math.Log(3), 0, 0.75, 0.25}, {-1e300, -1e300, 0.5, 0.5}} {
		out := ir.Eval(g, &ir.Env{State: map[string][]float64{"x": {c[0]}, "y": {c[1]}}})
		for i, o := range outputs {
			if got := out[o.Name].Data[0]; math.Abs(got-c[2+i]) > 1e-15 {
				t.Errorf("the weight of %s in %v is %v", o.Name, c, got)
			}
		}
	}
}

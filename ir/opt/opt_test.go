package opt

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Every pass, before and after: testdata/PASS.txtar has files NAME.before and
// NAME.after.
func TestPassesGolden(t *testing.T) {
	// The pass of full passes: its statistics are outputs in addition to the others.
	collapses := Pass{Name: "statistics", Run: func(b *ir.Builder, f *ir.Func) *ir.Func {
		full := b.Axis("all", size.Dim("N"))
		f, c := Statistics(b, f, full)
		if c != nil {
			f.Outputs = append(f.Outputs, c.Statistics...)
		}
		return f
	}}
	// The pass of chains: what steps change are the leaves named local.
	chains := Pass{Name: "reassociate", Run: func(b *ir.Builder, f *ir.Func) *ir.Func {
		return Reassociate(b, f, Chain{Inner: isLocal, Sizes: map[string]int{"K": 20}})
	}}
	// The pass of gradients with a control variate.
	differences := Pass{Name: "difference", Run: Differences}
	for _, p := range append(slices.Clone(Passes), collapses, chains, differences) {
		path := filepath.Join("testdata", strings.TrimSuffix(p.Name, "-again")+".txtar")
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after := map[string]string{}
		for _, f := range archive.Files {
			if name, ok := strings.CutSuffix(f.Name, ".after"); ok {
				after[name] = string(f.Data)
			}
		}
		var out []txtar.File
		for _, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".before")
			if !ok {
				continue
			}
			b := ir.NewBuilder()
			before, err := ir.Parse(b, string(f.Data))
			if err != nil {
				t.Fatalf("%s, %s: %v", path, name, err)
			}
			got := p.Run(b, before)
			if err := ir.Verify(got); err != nil {
				t.Errorf("%s, %s: %v", path, name, err)
			}
			out = append(out, f, txtar.File{Name: name + ".after", Data: []byte(got.String())})
			if !*update && got.String() != after[name] {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", path, name, got, after[name])
			}
		}
		if len(out) == 0 {
			t.Errorf("%s has no case", path)
		}
		if *update {
			archive.Files = out
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The pairs of the order hold in the list of passes, and name passes.
func TestPassOrder(t *testing.T) {
	at := map[string]int{}
	for i, p := range Passes {
		if p.Doc == "" {
			t.Errorf("%s has no doc", p.Name)
		}
		at[p.Name] = i + 1
	}
	for _, o := range order {
		if at[o.Before] == 0 || at[o.After] == 0 || o.Why == "" {
			t.Errorf("the pair %v names no pass or no reason", o)
		} else if at[o.Before] >= at[o.After] {
			t.Errorf("%s must run before %s: %s", o.Before, o.After, o.Why)
		}
	}
}

// Each pass by itself keeps the meaning of random functions and their input.
func TestPassesKeepMeaning(t *testing.T) {
	shapes := [][4]int{{2, 3, 4, 5}, {3, 3, 3, 3}, {1, 2, 1, 3}}
	for seed := range uint64(90) {
		g := irtest.Random(irtest.Config{Seed: 1000 + seed, Sizes: shapes[seed%3], N: 4, Steps: 18})
		want, text := ir.Eval(g.F, g.Env), g.F.String()
		for _, p := range Passes {
			f := p.Run(g.B, g.F)
			if err := ir.Verify(f); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, p.Name, err)
			}
			if g.F.String() != text {
				t.Fatalf("seed %d: %s changed its argument", seed, p.Name)
			}
			got := ir.Eval(f, g.Env)
			for _, o := range f.Outputs {
				x, y := total(got[o.Name])*copies(got[o.Name], want[o.Name]), total(want[o.Name])
				if math.Abs(x-y) > 1e-9*(1+math.Abs(y)) {
					t.Errorf("seed %d, %s: output %s sums to %v, want %v", seed, p.Name, o.Name, x, y)
				}
			}
		}
	}
}

// total is a sum that does not depend on the order of axes.
func total(a ir.Array) float64 {
	sum := 0.0
	for _, x := range a.Data {
		sum += x
	}
	return sum
}

// copies is how many entries of b stand for one of a, which may lack axes
// along which it is constant.
func copies(a, b ir.Array) float64 {
	return float64(len(b.Data)) / float64(len(a.Data))
}

// Dump is called after every pass, in order.
func TestRunDumps(t *testing.T) {
	b := ir.NewBuilder()
	x := b.Leaf(ir.OpState, "x")
	f := &ir.Func{ID: fn.ID{Kind: "f"},
		Outputs: []ir.Output{{Name: "y", Value: b.Map(ir.OpLog, b.Map(ir.OpExp, x))}}}
	var seen []string
	out, err := Run(b, f, func(pass string, f *ir.Func) { seen = append(seen, pass) })
	if err != nil || out.Outputs[0].Value != x {
		t.Errorf("log(exp(x)) became %v, %v", out, err)
	}
	if len(seen) != len(Passes) {
		t.Errorf("dumped after %v", seen)
	}
}

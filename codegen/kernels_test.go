package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// loaded are packages that generated code imports, with their types.
type loaded map[string]*types.Package

func (l loaded) Import(path string) (*types.Package, error) {
	if p := l[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}

func load(t *testing.T, paths ...string) loaded {
	t.Helper()
	list, err := gopackages.Load(&gopackages.Config{
		Mode: gopackages.NeedName | gopackages.NeedTypes}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	out := loaded{}
	for _, p := range list {
		if out[p.PkgPath] = p.Types; p.Types == nil || len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
	}
	return out
}

// kernelForm is a way to call a kernel.
type kernelForm struct {
	single, number, acc, batch bool
}

// forms are the ways to call a kernel that its row has.
func forms(row *kernels.Row) []kernelForm {
	var out []kernelForm
	for _, single := range []bool{false, true} {
		if single && row.Run32 == nil && row.Number32 == nil && row.Name != "scatter" {
			continue
		}
		if row.Emit != "" || row.Loops || row.Product {
			out = append(out, kernelForm{single: single}, kernelForm{single: single, acc: true})
		}
		if row.Product {
			out = append(out, kernelForm{single: single, batch: true})
		}
		if row.Number != "" {
			out = append(out, kernelForm{single: single, number: true},
				kernelForm{single: single, number: true, acc: true})
		}
	}
	return out
}

// printed is the code of a function that calls a kernel, in one form.
func printed(name string, form kernelForm) (string, error) {
	axis := &ir.Axis{ID: 1, Name: "K", Size: size.Dim("K")}
	to := &ir.Axis{ID: 2, Name: "J", Size: size.Dim("J")}
	batch := &ir.Axis{ID: 3, Name: "B", Size: size.Dim("B")}
	x := &plan.Buffer{ID: 0, Where: plan.Temp, Axes: []*ir.Axis{axis}, Slot: 0, Name: "x"}
	dst := &plan.Buffer{ID: 1, Where: plan.Temp, Axes: []*ir.Axis{to}, Slot: 1, Name: "dst"}
	k := &plan.Kernel{Name: name, Dst: dst, Args: []*plan.Buffer{x, x, x, x, x, x, x, x, x},
		Along: []*ir.Axis{axis},
		K:     []*ir.Axis{axis}, M: []*ir.Axis{to}, To: to, Stride: 2, Acc: form.acc}
	g := &generator{universe: universe(), dims: map[string]string{"K": "K", "J": "J", "B": "B"},
		dimOrder: []string{"K", "J", "B"}}
	g.Spec = &model.Spec{Data: []model.Datum{{Name: "s", Sparse: true}}}
	if strings.HasPrefix(name, "sparse_") {
		k.Args[0] = &plan.Buffer{ID: 3, Where: plan.Data, Name: "s", Sparse: true,
			Axes: []*ir.Axis{axis, to}}
	}
	if name == "recurrence" { // its factor is a number
		k.Args[1] = &plan.Buffer{ID: 2, Where: plan.Temp, Acc: true, Name: "n"}
	}
	if form.batch {
		k.Batch = []*ir.Axis{batch}
	}
	if form.number {
		k.Dst = &plan.Buffer{ID: 2, Where: plan.Temp, Acc: true, Name: "n"}
		switch name {
		case "category":
			k.Args[1] = k.Dst
		case "sparse_logit_sum":
			k.Args[4], k.Args[5] = dst, k.Dst
		case "sparse_logit_difference_sum":
			k.Args[6], k.Args[7], k.Args[8] = dst, k.Dst, k.Dst
		}
	}
	p := &plan.Program{ID: fn.Gradient.ID(), Single: form.single,
		Slots: []plan.Slot{{Width: size.Dim("K")}, {Width: size.Dim("J")}}}
	p.Steps[plan.Rows] = []plan.Step{{Kernel: k}}
	read := plan.Operand{Kind: plan.Load, Buf: k.Dst} // what nothing reads is not computed
	if !form.number {
		read.At = []plan.Index{{Axis: to}}
	}
	kept := plan.Instr{Args: []plan.Operand{read},
		Stores: []plan.Store{{Buf: x, At: []plan.Index{{Axis: to}}}}}
	p.Steps[plan.Finish] = []plan.Step{{Loop: &plan.Loop{Axes: []*ir.Axis{to},
		Body: []plan.Instr{kept}}}}
	return g.function(p, "gradient")
}

// TestKernels: what is printed for each row of the table of kernels, in each of its
// forms, is code that compiles; and an unknown kernel is an error.
func TestKernels(t *testing.T) {
	const module = "github.com/sgppl/sgppl/runtime/"
	imports := load(t, module+"math/kernel", module+"engine/model")
	const head = `package p

import (
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

type sizes struct{ K, J, B int }

var _ *model.Frame
var _ kernel.Matrix

`
	for _, row := range kernels.All() {
		if row.Name == "rand_multinomial" { // simulations run in the VM alone
			continue
		}
		all := forms(row)
		if len(all) == 0 {
			t.Errorf("%s has no form", row.Name)
		}
		for _, form := range all {
			text, err := printed(row.Name, form)
			if err != nil {
				t.Errorf("%s: %v", row.Name, err)
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, row.Name, head+text, 0)
			if err == nil {
				config := types.Config{Importer: imports}
				_, err = config.Check("p", set, []*ast.File{file}, nil)
			}
			if err != nil {
				t.Errorf("%s, %+v: %v\n%s", row.Name, form, err, text)
			}
		}
	}
	if _, err := printed("no such kernel", kernelForm{}); err == nil {
		t.Error("an unknown kernel was emitted")
	}
}

// Package driver runs the phases of the compiler in their order. It is the
// only code that knows that order.
package driver

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/model"
)

// Options of a compilation.
type Options struct {
	Set    map[string]float64 // consts and dims that specialise the model
	RowDim string             // the minibatch axis, where a model has several
	// Dump, when not nil, is given the text of the program after every phase:
	// ast, lower, grad, opt:PASS, stage, plan.
	Dump func(phase, function, text string)
}

// Compiled is a model made ready for an engine.
type Compiled struct {
	Source   *source.File
	Check    *check.Model
	Spec     *model.Spec
	Programs []*plan.Program
}

// Program finds a function's plan.
func (c *Compiled) Program(name string) *plan.Program {
	for _, p := range c.Programs {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Table is the plans by function name.
func (c *Compiled) Table() map[string]*plan.Program {
	t := map[string]*plan.Program{}
	for _, p := range c.Programs {
		t[p.Name] = p
	}
	return t
}

// Check parses and checks a model text. The result's Diags hold every
// diagnostic of both phases.
func Check(src *source.File, o Options) (*ast.File, *check.Model) {
	file, diags := parser.Parse(src)
	if o.Dump != nil {
		o.Dump("ast", "", ast.Print(file))
	}
	if diags.Errors() {
		// What does not parse would only produce errors that follow from it.
		return file, &check.Model{File: file, Diags: diags}
	}
	m := check.Check(file, check.Options{Set: o.Set})
	m.Diags = append(diags, m.Diags...)
	m.Diags.Sort()
	return file, m
}

// Compile takes a model text through every phase to plans. When the
// diagnostics hold an error, the Compiled is nil.
func Compile(src *source.File, o Options) (*Compiled, diag.List) {
	_, m := Check(src, o)
	if m.Diags.Errors() {
		return nil, m.Diags
	}
	lo := lower.Options{RowDim: o.RowDim}
	if o.Dump != nil {
		lo.Dump = func(phase string, f *ir.Func) { o.Dump(phase, f.Name, f.String()) }
	}
	mod, diags := lower.Lower(m, lo)
	diags = append(m.Diags, diags...)
	if diags.Errors() {
		return nil, diags
	}
	mod.Spec.Name = Name(src.Name)
	c := &Compiled{Source: src, Check: m, Spec: mod.Spec}
	for _, f := range mod.Funcs {
		p, err := plan.Build(mod.Builder, f)
		if err != nil {
			diags.Add(&diag.Diagnostic{Code: lower.SparseMadeDense, File: src, Message: fmt.Sprintf("the function %s cannot be planned: %v", f.Name, err)})
			return nil, diags
		}
		if o.Dump != nil {
			o.Dump("plan", f.Name, p.String())
		}
		c.Programs = append(c.Programs, p)
	}
	return c, diags
}

// Name is a model's name: its file's, without directory and ending.
func Name(file string) string {
	base := filepath.Base(file)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	if base == "-" || base == "." || base == "" {
		return "model"
	}
	return base
}

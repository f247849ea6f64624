// Package driver runs the phases of the compiler in their order. It is the
// only code that knows that order.
package driver

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/model"
)

// Options of a compilation.
type Options struct {
	Set    map[string]float64 // consts and dims that specialise the model
	RowDim string             // the minibatch axis, where a model has several
	// Sampled has continuous latent values of rows drawn by chains, so that their
	// rows can be drawn as minibatches; without it they join the unknowns.
	Sampled bool
	// Prior has Complete score whole rows, by draws from the prior of their latent
	// values.
	Prior bool
	// Given has Predict take the latent values that the entries of a row share from
	// its caller, and not draw them from their laws.
	Given bool
	// Exact sums discrete latent values out where that can be done, though the
	// model says by gibbs: for likelihoods of rows.
	Exact bool
	// Charts are those of simplex params, by name, where the model does not ask for
	// one: ilr, sphere or expanded_mean.
	Charts map[string]string
	Track  []string // lets of the file's top level to be tracked, though the model does not say so
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
	Wide     []string // what is computed of whole rows beside sparse data; see wide
	Fitted   []string // names of constants that are a run's for new rows too, such as mean(x)

	coupled error // why rows cannot be read some at a time; see ByRows
	counted bool  // gradients depend on how many rows there are; see Grows
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

// ToSingle makes the model compute in single precision (see plan.ToSingle). It
// fails where the model has what needs double precision, and changes nothing.
func (c *Compiled) ToSingle() error {
	if err := plan.ToSingle(c.Programs); err != nil {
		return err
	}
	c.Spec.Single = true
	return nil
}

// Check parses and checks a model text. The result's Diags hold every
// diagnostic of both phases.
func Check(src *source.File, o Options) (*ast.File, *check.Model) {
	file, diags := parser.Parse(src)
	if o.Dump != nil {
		o.Dump("ast", "", ast.Print(file))
	}
	for _, d := range file.Stmts {
		if l, ok := d.(*ast.Let); ok && len(l.Names) == 1 && slices.Contains(o.Track, l.Names[0].Name) {
			l.Track = true
		}
	}
	// What did not parse is not in the tree, and the checker is silent of its names.
	m := check.Check(file, check.Options{Set: o.Set})
	for _, s := range m.Symbols {
		if s.Kind == check.Param && s.By == "" && s.Type.Kind == types.Simplex {
			s.By = o.Charts[s.Name]
		}
	}
	if !diags.Errors() && !m.Diags.Errors() {
		m.Diags = append(m.Diags, lower.CheckLines(m)...)
	}
	m.Diags = append(diags, m.Diags...)
	m.Diags.Sort()
	return file, m
}

// Compile takes a model text through every phase to plans. When the
// diagnostics hold an error, the Compiled is nil.
func Compile(src *source.File, o Options) (*Compiled, diag.List) {
	_, m := Check(src, o)
	return Checked(src, m, o)
}

// Checked is Compile of a model that Check has checked with the same options.
func Checked(src *source.File, m *check.Model, o Options) (*Compiled, diag.List) {
	if m.Diags.Errors() {
		return nil, m.Diags
	}
	c, diags := build(src, m, o)
	if c == nil && o.Exact {
		o.Exact = false
		c, diags = build(src, m, o)
	}
	if c == nil && !o.Sampled && joinsState(m) {
		// What cannot be an unknown for every row may still be drawn.
		o.Sampled = true
		if other, notes := build(src, m, o); other != nil {
			return other, notes
		}
	}
	return c, diags
}

// joinsState reports whether a latent value of a row is continuous, so that it can
// join the unknowns.
func joinsState(m *check.Model) bool {
	return slices.ContainsFunc(m.Locals, func(l *check.Local) bool { return l.Symbol.Kind == check.LocalVar && l.Strategy == "gmc" })
}

// build takes a checked model through the phases behind the checker.
func build(src *source.File, m *check.Model, o Options) (*Compiled, diag.List) {
	lo := lower.Options{RowDim: o.RowDim, Sampled: o.Sampled, Exact: o.Exact}
	if o.Dump != nil {
		lo.Dump = func(phase string, f *ir.Func) { o.Dump(phase, f.Name, f.String()) }
	}
	mod, diags := lower.Lower(m, lo)
	diags = append(m.Diags, diags...)
	if diags.Errors() {
		return nil, diags
	}
	mod.Spec.Name = Name(src.Name)
	c := &Compiled{Source: src, Check: m, Spec: mod.Spec, Fitted: mod.Fitted, Wide: wide(m, mod.Funcs), coupled: coupled(mod.Funcs, mod.Spec.RowDim), counted: countsRows(mod.Funcs, mod.Spec.RowDim)}
	for _, f := range mod.Funcs {
		p, err := plan.Build(mod.Builder, f)
		if err != nil {
			var dense *plan.DenseError
			if !errors.As(err, &dense) {
				panic("sgppl: compiler bug: " + err.Error())
			}
			if f.Name == model.DifferenceFunction { // samplers can do without
				continue
			}
			diags.Add(madeDense(m, dense.Name))
			return nil, diags
		}
		if o.Dump != nil {
			o.Dump("plan", f.Name, p.String())
		}
		c.Programs = append(c.Programs, p)
	}
	// The blocks of full passes are part of their bits; difference takes minibatches alone.
	c.Spec.Work = plan.Work(slices.DeleteFunc(slices.Clone(c.Programs), func(p *plan.Program) bool { return p.Name == model.DifferenceFunction }))
	return c, diags
}

// madeDense reports the first use of a sparse input that is no product.
func madeDense(m *check.Model, name string) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: limits.SparseMadeDense, File: m.File.Source,
		Message: fmt.Sprintf("%s is sparse, and this model uses it in a way that would make it dense", name)}
	var kind types.Kind
	ast.InspectFile(m.File, func(n ast.Node) bool {
		if e, ok := n.(*ast.Name); ok && e.Name == name && d.Span.End == 0 {
			if s := m.Uses[e]; s != nil && s.Kind == check.Data {
				d.Span, kind = e.Span, s.Type.Kind
				d.NoteAt(s.File, s.Span, name+" is declared here")
			}
		}
		return true
	})
	const may = "sparse data may be multiplied with dense values and summed, as in x[n] @ w, and be observed entry by entry, each for itself; "
	if kind == types.Bag {
		return d.Note(may + "declared as counts, count[…], every use is possible")
	}
	return d.Note(may + "without `sparse` every use is possible")
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

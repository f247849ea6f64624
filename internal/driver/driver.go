// Package driver runs the phases of the compiler in their order. It is the
// only code that knows that order.
package driver

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
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
	// Redrawn has Predict draw missing entries of new rows from their laws.
	Redrawn bool
	// Exact sums discrete latent values out where that can be done, though the
	// model says by gibbs: for likelihoods of rows.
	Exact bool
	// Gibbs compiles the model for samplers that draw every unknown from its full conditional.
	Gibbs bool
	// Charts are those of simplex params, by name, where the model does not ask for
	// one: ilr, sphere or expanded_mean.
	Charts map[string]string
	Track  []string // lets of the file's top level to be tracked, though the model does not say so
	only   bool     // and no others
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
	Wide     []string // sums over whole rows that sparse data cause; see wide
	Fitted   []string // names of constants that are a run's for new rows too, such as mean(x)

	gradient func() (*plan.Program, error) // see Whole

	coupled error             // why rows cannot be read some at a time; see ByRows
	learnt  error             // constants are made of what is observed; see LeftOut
	given   error             // the same where constants of all rows are given; see SomeRows
	sized   error             // how many rows there are is a number of the model; see Shards
	ties    map[string]string // what takes entries along a dim together; see Tied
	counted bool              // gradients depend on how many rows there are; see Grows

	constants map[string]string // see ConstantKeys
}

// Program finds a function's plan.
func (c *Compiled) Program(id fn.ID) *plan.Program {
	for _, p := range c.Programs {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Table is the plans by function.
func (c *Compiled) Table() map[fn.ID]*plan.Program {
	t := map[fn.ID]*plan.Program{}
	for _, p := range c.Programs {
		t[p.ID] = p
	}
	return t
}

// Whole plans the gradient in single precision for a device, see plan.BuildWhole.
func (c *Compiled) Whole() (*plan.Program, error) {
	if c.gradient == nil {
		return nil, nil
	}
	p, err := c.gradient()
	if err != nil {
		return nil, err
	}
	return p, plan.ToSingle([]*plan.Program{p})
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

// madeDense reports the first use of a sparse input that is not a product.
func madeDense(m *check.Model, name string) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: limits.SparseMadeDense, File: m.File.Source,
		Message: fmt.Sprintf(
			"%s is sparse, and this model uses it in a way that would make it dense", name)}
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
	const may = "sparse data may be multiplied with dense values and summed, as in x[n] @ w, and " +
		"be observed entry by entry, each for itself; "
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

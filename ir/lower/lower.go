// Package lower turns a checked model into terms of the log density, and into
// functions of the IR as they are written: the density, the charts, the log
// likelihood of a row, what simulates and what predicts. Functions, distributions
// and layers of the language are expanded where they are used. internal/driver
// optimises, differentiates and stages what is returned here.
package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Options of lowering.
type Options struct {
	// RowDim is the minibatch axis where a model has more than one; empty
	// picks the first that can be.
	RowDim string
	// Sampled has continuous locals by gmc drawn by a chain for the rows of a
	// minibatch; without it they join the unknowns.
	Sampled bool
	// Exact sums discrete locals out where that can be done, though the model says
	// by gibbs.
	Exact bool
	// Laws are wanted, of the observed names, and no density.
	Laws bool
	// Given has the locals that the entries of a row share given to Predict, which
	// else draws them from their laws.
	Given bool
	// Prior has Complete score whole rows, by draws from the prior of their locals.
	Prior bool
	// Jacobian differentiates the slope of a stiff differential equation: grad.Jacobian.
	Jacobian func(b *ir.Builder, ode *ir.Value, entries *ir.Axis, by []*ir.Value) ([]*ir.Value, error)
}

// A lowerer is a model on its way from the syntax tree to terms.
type lowerer struct {
	model *check.Model
	b     *ir.Builder
	o     Options
	diags diag.List

	scope
	padding
	terms  []term // the summands of the log density
	params []*param
	sites  []observed
	tracks []track
	latentUnknowns
	bindings

	sim        *simulation // while a model is lowered for simulation
	completing *completing // while a model is lowered for the completion of rows
}

// A scope is where in the model a statement or an expression stands.
type scope struct {
	frame    *frame
	bound    map[*check.Symbol]*ir.Axis // plate and comprehension indices
	indices  map[string]boundIndex      // the bound indices in sight, by name
	rows     map[string]boundIndex      // rows by the names that sizes have for them within functions
	plates   []*ir.Axis
	draw     []*ir.Axis             // the axes of a draw, while a generator is expanded
	taken    []*ir.Value            // what is known, with the data, of the branches of `if` around
	carries  []*ir.Value            // the carried values of the recurrences around
	unsure   int                    // how many branches around are taken as unknowns decide
	expanded int                    // calls of functions so far
	failed   map[*check.Symbol]bool // names whose declaration could not be lowered
	weights  map[*check.Symbol]map[*check.Symbol]tensor
}

// A padding has the lengths of rows, and which entries of an axis are padding.
type padding struct {
	ragged  map[string]bool
	parents map[string]string      // of ragged dims
	moving  map[*ir.Axis]bool      // axes of ranges whose ends change from entry to entry
	masks   map[*ir.Axis]*ir.Value // of axes over ragged dims: which entries are there
}

// A latentUnknowns has the unknowns that are no params of the state, each list in
// the order of declaration.
type latentUnknowns struct {
	summed    []*summed         // discrete unknowns
	grouped   []*grouped        // discrete params with several entries
	collapsed []*collapsed      // unknowns that are integrated out
	laws      map[*ir.Value]law // the distributions of the densities that read them
	locals    []*drawnLocal     // locals of new rows
	sampled   []*sampled        // locals that chains draw
}

// A bindings has what is done when a model is bound to data.
type bindings struct {
	complete map[*ir.Value]*ir.Value // data whose missing entries are unknowns: the data alone
	defaults []dataDefault
	checks   []indexCheck
	ranges   []model.Range
}

type track struct {
	sym *check.Symbol
	t   tensor
}

// Lower lowers a model without errors. What cannot be compiled is in the
// diagnostics.
func Lower(m *check.Model, o Options) (*Lowered, diag.List) {
	l := newLowerer(m, o)
	l.file()
	if l.diags.Errors() {
		return nil, l.diags
	}
	return l.lowered(), l.diags
}

// lowered is the model with its terms made.
func (l *lowerer) lowered() *Lowered {
	return &Lowered{l: l, Builder: l.b, State: l.blocks()}
}

// file lowers the statements of the model. Discrete unknowns that all rows
// share are summed or integrated out at its end.
func (l *lowerer) file() {
	l.statements(l.model.File.Stmts)
	l.collapseShared()
	l.sumGrouped()
	var shared []*summed
	for _, z := range l.summed {
		if len(z.plates) == 0 {
			shared = append(shared, z)
		}
	}
	l.sumOut(0, shared)
}

func newLowerer(m *check.Model, o Options) *lowerer {
	l := &lowerer{model: m, b: ir.NewBuilder(), o: o}
	l.scope = scope{bound: map[*check.Symbol]*ir.Axis{}, indices: map[string]boundIndex{}, rows: map[string]boundIndex{},
		failed: map[*check.Symbol]bool{}, weights: map[*check.Symbol]map[*check.Symbol]tensor{}}
	l.padding = padding{ragged: map[string]bool{}, parents: map[string]string{}, moving: map[*ir.Axis]bool{}, masks: map[*ir.Axis]*ir.Value{}}
	l.frame = &frame{values: map[*check.Symbol]tensor{}}
	for _, s := range m.Symbols {
		if s.Kind == check.Dim && s.Parent != nil {
			l.ragged[s.Name], l.parents[s.Name] = true, s.Parent.Name
		}
	}
	return l
}

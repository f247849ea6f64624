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
	// Redrawn has missing entries of data read as draws from their laws, as new rows
	// have them, and not as unknowns.
	Redrawn bool
	// Entries of rows are to be scored or drawn one by one: Joint has Parts, and terms
	// know which entries there are.
	Entries bool
	// Strategy, when not nil, says how a local is dealt with where the model says by:
	// besides the strategies of the language by LawStrategy, GivenLaw or GivenDraws. own
	// says that the local belongs to an entry of a row and not to the row.
	Strategy func(l *Model, s *check.Symbol, by string, own bool) string
	// Draw, when not nil, is called for every value that the model draws, in the order
	// of the statements. Values are then data, and there are no terms.
	Draw func(l *Model, d *Drawn)
	// Jacobian differentiates the slope of a stiff differential equation: grad.Jacobian.
	Jacobian Jacobian
}

// A Jacobian derives the slope of a differential equation, whose entries run along an
// axis, by the point and the inputs.
type Jacobian func(b *ir.Builder, ode *ir.Value, entries *ir.Axis,
	by []*ir.Value) ([]*ir.Value, error)

// A Model is a checked model on its way to terms of the log density, and then what
// functions are made of.
type Model struct {
	Checked *check.Model
	B       *ir.Builder
	o       Options
	Diags   diag.List

	scope
	padding
	Terms  []Term // the summands of the log density
	Params []*Param
	Sites  []Site
	tracks []track
	latentUnknowns
	bindings
}

// A scope is where in the model a statement or an expression stands.
type scope struct {
	frame   *frame
	bound   map[*check.Symbol]*ir.Axis // plate and comprehension indices
	indices map[string]boundIndex      // the bound indices in sight, by name
	// rows by the names that sizes have for them within functions
	rows     map[string]boundIndex
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

// A latentUnknowns has the unknowns that are not params of the state, each list in
// the order of declaration.
type latentUnknowns struct {
	Summed      []*Summed         // discrete unknowns
	grouped     []*Grouped        // discrete params with several entries
	Collapsed   []*Collapsed      // unknowns that are integrated out
	laws        map[*ir.Value]law // the distributions of the densities that read them
	DrawnLocals []*DrawnLocal     // locals of new rows
	Sampled     []*Sampled        // locals that chains draw
	Means       []PosteriorValue  // what stands for locals that are integrated out
}

// A bindings has what is done when a model is bound to data.
type bindings struct {
	Redrawn  []*Redrawn
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
func Lower(m *check.Model, o Options) (*Model, diag.List) {
	l := newLowerer(m, o)
	l.file()
	if l.Diags.Errors() {
		return nil, l.Diags
	}
	return l, l.Diags
}

// file lowers the statements of the model. Discrete unknowns that all rows
// share are summed or integrated out at its end.
func (l *Model) file() {
	l.statements(l.Checked.File.Stmts)
	l.collapseShared()
	l.sumGrouped()
	var shared []*Summed
	for _, z := range l.Summed {
		if len(z.Plates) == 0 {
			shared = append(shared, z)
		}
	}
	l.sumOut(0, shared)
}

func newLowerer(m *check.Model, o Options) *Model {
	l := &Model{Checked: m, B: ir.NewBuilder(), o: o}
	l.scope = scope{bound: map[*check.Symbol]*ir.Axis{}, indices: map[string]boundIndex{},
		rows:   map[string]boundIndex{},
		failed: map[*check.Symbol]bool{}, weights: map[*check.Symbol]map[*check.Symbol]tensor{}}
	l.padding = padding{ragged: map[string]bool{}, parents: map[string]string{},
		moving: map[*ir.Axis]bool{}, masks: map[*ir.Axis]*ir.Value{}}
	l.frame = &frame{values: map[*check.Symbol]tensor{}}
	for _, s := range m.Symbols {
		if s.Kind == check.Dim && s.Parent != nil {
			l.ragged[s.Name], l.parents[s.Name] = true, s.Parent.Name
		}
	}
	return l
}

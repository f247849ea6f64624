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
	// Sampled has continuous locals with gmc drawn by a chain for the rows of a minibatch. Without it
	// they join the unknowns.
	Sampled bool
	// Exact sums discrete locals out where possible, even where the model says gibbs.
	Exact bool
	// Laws asks for the distributions of the observed names instead of the density.
	Laws bool
	// Redrawn has missing entries of data read as draws from their distributions, as for new rows,
	// instead of as unknowns.
	Redrawn bool
	// Entries says that entries of rows will be scored or drawn one by one: Joint then has Parts, and
	// terms record which entries are not padding.
	Entries bool
	// Strategy, when not nil, replaces the strategy by that the model gives for a local. Besides the
	// strategies of the language it may return LawStrategy, GivenLaw or GivenDraws. own says that the
	// local belongs to an entry of a row instead of to the row.
	Strategy func(l *Model, s *check.Symbol, by string, own bool) string
	// Draw, when not nil, is called for every value that the model draws, in the order of the
	// statements. Drawn values are then read as data, and no terms are made.
	Draw func(l *Model, d *Drawn)
	// Conditionals reads the values of unknowns as leaves of the state, by model.ValuePrefix, latent
	// values too, so that package conditional can derive their laws. InState puts the charts of params
	// in the place of these leaves.
	Conditionals bool
	// Generate lowers the values that are generated after a run, which are passed over without it.
	Generate bool
	// Masks has dropout drop entries; without it dropout changes nothing.
	Masks bool
	// Jacobian differentiates the slope of a stiff differential equation: grad.Jacobian.
	Jacobian Jacobian
}

// A Jacobian differentiates the slope of a differential equation, whose entries run along an axis,
// by the point and the inputs.
type Jacobian func(b *ir.Builder, ode *ir.Value, entries *ir.Axis,
	by []*ir.Value) ([]*ir.Value, error)

// A Model is a checked model while it is being lowered; afterwards the functions of the module are
// made from it.
type Model struct {
	Checked *check.Model
	B       *ir.Builder
	o       Options
	Diags   diag.List

	scope
	padding
	Terms  []Term // the summands of the log density
	Params []*Param
	Hidden []*Hidden // latent values, for Options.Conditionals
	Sites  []Site
	Masks  []*Mask // uses of dropout
	tracks []track
	// latents describes the latent values of rows by name, while the model is lowered for simulation.
	latents map[string]*Param
	// Generated are the values of `generate` lines, in their order, with the option Generate.
	Generated []Generated
	latentUnknowns
	bindings
}

// A scope is the context in which a statement or an expression is lowered.
type scope struct {
	frame   *frame
	bound   map[*check.Symbol]*ir.Axis // plate and comprehension indices
	indices map[string]boundIndex      // the visible bound indices, by name
	// rows has the bound indices of rows under the names that sizes inside functions have for them.
	rows   map[string]boundIndex
	plates []*ir.Axis
	draw   []*ir.Axis // the axes along which a generator draws, while one is expanded
	// conditions on data under which the enclosing branches of `if` are taken
	taken    []*ir.Value
	carries  []*ir.Value            // the carried values of the recurrences around
	unsure   int                    // number of enclosing branches whose condition depends on unknowns
	expanded int                    // number of function calls expanded so far
	failed   map[*check.Symbol]bool // names whose declaration could not be lowered
	weights  map[*check.Symbol]map[*check.Symbol]tensor
}

// A padding describes ragged axes: the lengths of rows, and which entries are padding.
type padding struct {
	ragged  map[string]bool
	parents map[string]string      // the dim of the rows, by ragged dim
	moving  map[*ir.Axis]bool      // axes of ranges whose ends vary
	masks   map[*ir.Axis]*ir.Value // by axis: 1 for entries that are not padding
}

// A latentUnknowns has the unknowns that are not params of the state. Lists are in the order of
// declaration.
type latentUnknowns struct {
	Summed      []*Summed         // discrete unknowns
	grouped     []*Grouped        // discrete params with several entries
	Collapsed   []*Collapsed      // unknowns that are integrated out
	laws        map[*ir.Value]law // distributions of densities that read collapsed unknowns
	DrawnLocals []*DrawnLocal     // locals of new rows
	Sampled     []*Sampled        // locals that chains draw
	Means       []PosteriorValue  // replacements of the locals that are integrated out
}

// A bindings has the work to be done when a model is bound to data.
type bindings struct {
	Redrawn []*Redrawn
	// the data alone, by the value that has unknowns in place of missing entries
	complete map[*ir.Value]*ir.Value
	defaults []dataDefault
	checks   []indexCheck
	ranges   []model.Range
}

type track struct {
	sym *check.Symbol
	t   tensor
}

// Lower lowers a model that has passed the checker. Constructs that cannot be compiled are reported
// in the diagnostics.
func Lower(m *check.Model, o Options) (*Model, diag.List) {
	l := newLowerer(m, o)
	l.file()
	if l.Diags.Errors() {
		return nil, l.Diags
	}
	return l, l.Diags
}

// file lowers the statements of the model. Discrete or collapsed unknowns that all rows share are
// summed or integrated out at the end.
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

package posterior

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Draw is one step of simulating a model: the value of a param from its prior, or of an observed
// name from its distribution. Func has the output "draw". Where entries may have to be drawn again,
// because they lie outside the type or the truncation, it has "accept" (0 or 1). For a mixture it
// has "component", the component that each member of the family was drawn from. It reads earlier
// draws as data.
type Draw struct {
	Name   string
	Param  bool
	Local  bool // a latent value of a row
	Type   types.Type
	Shape  []size.Poly
	Family int // number of leading axes that are the family's: those of "component"
	Func   *ir.Func
	// Functions of a Posterior, described there; empty where there is none. An array without Place is
	// drawn whole.
	Place, Expect, Chances fn.ID
}

// A Simulation is a model turned into a sequence of draws.
type Simulation struct {
	Model *lower.Model
	Spec  *model.Spec
	Draws []Draw
}

// A simulation collects draws while statements are lowered.
type simulation struct {
	draws    []Draw
	observed map[string]bool // names that a ~ observes
	drawn    map[string]bool
	given    map[string]bool // params whose values the user gives
}

// Simulate lowers a model for drawing from its prior. A flat prior or a factor cannot be simulated;
// diagnostics report it. Params that are given are read instead of drawn.
func Simulate(m *check.Model, o Options, given map[string]bool) (*Simulation, diag.List) {
	s := &simulation{observed: map[string]bool{}, drawn: map[string]bool{}, given: given}
	for _, st := range m.File.Stmts {
		s.observe(st)
	}
	l, diags := lower.Lower(m, lower.Options{Draw: s.draw, Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	return &Simulation{Model: l, Spec: l.Spec(), Draws: s.draws}, diags
}

// observe records the names on the left of ~, also in plates.
func (s *simulation) observe(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.Tilde:
		s.observed[lower.RootName(st.Left)] = true
	case *ast.For:
		for _, x := range st.Body {
			s.observe(x)
		}
	}
}

// draw adds the draw of a value, or reports why it cannot be drawn.
func (s *simulation) draw(l *lower.Model, d *lower.Drawn) {
	switch {
	case d.Site != nil:
		s.drawSite(l, d)
	case d.Param && s.given[d.Name]:
	case d.Dist != nil:
		s.add(l, d)
	case !s.observed[d.Name]: // otherwise its distribution is given by a later statement
		l.Fail(limits.CannotSimulate, d.Span,
			"%s has no prior (its density is flat on its type), so it cannot be simulated", d.Name)
	}
}

// drawSite adds the draw that a statement makes.
func (s *simulation) drawSite(l *lower.Model, d *lower.Drawn) {
	switch leaf := d.Leaf; {
	case s.drawn[d.Name]:
		l.Fail(limits.CannotSimulate, d.Span, "%s is observed twice, so it cannot be simulated",
			d.Name)
	case leaf.Op != ir.OpData || leaf.Name != d.Name || !l.WholeLeaf(leaf):
		l.Fail(limits.CannotSimulate, d.Site.Left.Pos(),
			"only a part of %s is observed here, so it cannot be simulated", d.Name)
	}
	if p := l.ParamNamed(d.Name); p != nil {
		if s.given[d.Name] {
			return
		}
		d.Param, d.Type, d.In = true, p.Type, p
	}
	s.add(l, d)
}

// add makes the function of a draw and adds the draw.
func (s *simulation) add(l *lower.Model, d *lower.Drawn) {
	axes := d.Leaf.Axes
	var accept func(x *ir.Value) *ir.Value
	if d.In != nil {
		accept = l.InType(d.In, d.Dist, axes)
	}
	out := Draw{Name: d.Name, Param: d.Param, Local: d.Local, Type: d.Type, Shape: ir.Sizes(axes)}
	out.Family = len(ir.Without(axes, d.Dist.Y.Own))
	out.Func = d.Dist.DrawFunc(fn.Draw.Of(d.Name), axes, accept)
	s.drawn[d.Name], s.draws = true, append(s.draws, out)
}

package driver

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/conditional"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// conditionals compiles a checked model whose unknowns are drawn from their full conditionals. The
// state has its params, and latent values are hidden behind it.
func conditionals(src *source.File, m *check.Model, o Options) (*Compiled, diag.List) {
	p := &pipeline{src: src, model: m, o: o, diags: slices.Clip(m.Diags)}
	p.run(p.lower, p.density, p.differentiate, p.drawn, p.optimise, p.stage, p.plan)
	return p.out, p.diags
}

// drawn collects the functions of a model whose unknowns are drawn from their full conditionals.
func (p *pipeline) drawn() {
	p.funcs = []*ir.Func{p.written, p.gradient, p.low.InState(p.low.Constrain(p.spec)),
		p.low.Unconstrain()}
	both := &ir.Func{ID: fn.Evaluate.ID(), Outputs: append(slices.Clone(p.gradient.Outputs),
		ir.Output{Name: model.DensityOutput, Value: p.value.Outputs[0].Value})}
	p.funcs = append(p.funcs, both)
	b := p.low.B
	unknowns := p.low.Unknowns()
	var list []*conditional.Conditional
	_ = limits.Try(func() { list = conditional.Topics(b, p.joint.Rest, unknowns) }) // none then
	if list == nil {
		for _, u := range unknowns {
			if err := limits.Try(func() {
				list = append(list, conditional.Derive(b, p.joint.Rest, u))
			}); err != nil {
				p.refuse(err.In(p.src))
			}
		}
	}
	for i, c := range list {
		if len(c.Outputs) > 0 {
			p.funcs = append(p.funcs, c.Function(i))
		}
		p.spec.Conditionals = append(p.spec.Conditionals, lawOf(c))
	}
}

// lawOf describes a conditional to the runtime.
func lawOf(c *conditional.Conditional) model.Conditional {
	axes := append(slices.Clone(c.Of.Family), c.Of.Own...)
	out := model.Conditional{Name: c.Of.Said, Law: c.Law, Powers: c.Powers,
		Blocks: ir.Sizes(axes[:len(axes)-len(c.Joint)]), Size: ir.Sizes(c.Joint), Values: c.Of.Values}
	for _, o := range c.Outputs {
		out.Outputs = append(out.Outputs, model.Datum{Name: o.Name, Shape: ir.Sizes(o.Axes)})
	}
	return out
}

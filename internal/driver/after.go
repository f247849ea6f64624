package driver

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/derive"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// The phases between lowering and planning for the models of what comes before and
// after a run: each function here takes one of them as it was lowered, and
// optimises, differentiates and stages its functions, in this order.

// lowering are the options of package posterior.
func lowering(o Options) posterior.Options {
	return posterior.Options{RowDim: o.RowDim, Sampled: o.Sampled, Given: o.Given,
		Redrawn: o.Redrawn, Prior: o.Prior, Jacobian: grad.Jacobian}
}

// stagePosterior makes the module of functions of the unknowns, and the one that
// computes constants of the run from its data; without such the latter's Spec is nil.
func stagePosterior(low *posterior.Posterior) (whole, fitted *stage.Module) {
	o, l, spec := &opt.Optimiser{B: low.Model.B}, low.Model, low.Spec
	funcs := runAll(o, low.Funcs)
	s := stage.New(o, spec, low.Free...)
	for i, f := range funcs {
		funcs[i] = s.Move(f, func(user *ir.Value) bool { return user.State() })
	}
	derived := s.Derive()
	own, ofRun := s.Split()
	constants := &ir.Func{ID: fn.Constants.ID(), Outputs: own}
	fitted = stageFitted(o, low, ofRun)
	spec.Latent = low.Latent
	funcs = append(funcs, l.Defaults()...)
	funcs = append(funcs, runAll(o, low.Places)...)
	for _, f := range []*ir.Func{derived, constants} {
		if len(f.Outputs) > 0 {
			funcs = append(funcs, o.Run(f))
		}
	}
	funcs = append(funcs, neededChecks(o, low, funcs)...)
	spec.Data = stage.Data(spec, funcs)
	return &stage.Module{Spec: spec, Builder: o.B, Funcs: funcs}, fitted
}

// stageFitted makes the module that computes constants from the rows of a run.
func stageFitted(o *opt.Optimiser, low *posterior.Posterior, constants []ir.Output) *stage.Module {
	if len(constants) == 0 {
		return &stage.Module{}
	}
	f := o.Run(&ir.Func{ID: fn.Constants.ID(), Outputs: slices.Clone(constants)})
	spec := *low.Spec
	spec.Params, spec.Derived, spec.Given, spec.Constants = nil, nil, nil, low.Spec.Given
	m := &stage.Module{Spec: &spec, Builder: o.B, Funcs: append(low.Model.Defaults(), f),
		Constants: constants}
	spec.Data = stage.Data(&spec, m.Funcs)
	return m
}

// neededChecks are the checks of what the functions read: an observed name that is
// not asked for may be absent.
func neededChecks(o *opt.Optimiser, low *posterior.Posterior, funcs []*ir.Func) []*ir.Func {
	needed := map[string]bool{}
	for _, d := range stage.Data(low.Spec, funcs) {
		needed[d.Name] = true
	}
	absent := func(v *ir.Value) bool {
		return v.Op == ir.OpData && low.Model.Observes(v.Name) && !needed[v.Name]
	}
	var out []*ir.Func
	all, checks := low.Model.Checks()
	for i, f := range all {
		if !slices.ContainsFunc(f.Values(), absent) {
			f.ID = fn.Check.At(len(low.Spec.Checks))
			out = append(out, stage.AddCheck(o, low.Spec, f, checks[i]))
		}
	}
	return out
}

// stageChain makes the module with the chain that draws the latent values of a row,
// and the functions that more, which may be nil, gives when the chain is known.
func stageChain(
	low *posterior.RowChain, more func() ([]*ir.Func, diag.List),
) (*stage.Module, diag.List) {
	o, l := &opt.Optimiser{B: low.Model.B}, low.Model
	if low.Joint.Dim == "" {
		return nil, diag.List{l.NoRows()}
	}
	chain := chainOptions(o, l)
	c, err := latent.Derive(low.Joint.ChainRows(), l.Locals(), chain)
	if err != nil {
		return nil, diag.List{err.In(l.Source())}
	}
	low.Spec.Chain = c.Spec
	f := latent.Ordered(o.Run(c.Func), chain)
	funcs := []*ir.Func{f}
	if more != nil {
		values, diags := more()
		if diags.Errors() {
			return nil, diags
		}
		for _, v := range values {
			funcs = append(funcs, latent.Ordered(o.Run(v), chain))
		}
	}
	rows := func(v *ir.Value) bool { return v.Op == ir.OpData && v.RowAxis() != nil }
	c.Spec.Shared = low.Prior && !slices.ContainsFunc(f.Values(), rows)
	funcs = append(funcs, o.Run(l.Constrain(low.Spec)), o.Run(l.Unconstrain()))
	return stageRows(o, l, low.Spec, funcs), nil
}

// stageScored makes the module that scores entries of rows.
func stageScored(low *posterior.Scored) *stage.Module {
	o := &opt.Optimiser{B: low.Model.B}
	funcs := slices.Clone(low.Whole)
	for _, e := range low.Entries {
		n, v, count, axes := len(low.Spec.Entries), e.LogProb, e.Count, e.Axes
		if each, _, at := opt.AtStored(o.B, v, axes); each != nil {
			v, axes = each, at
		}
		funcs = append(funcs, low.LogProb(n, v, axes))
		low.Spec.Entries = append(low.Spec.Entries,
			model.Entry{Site: e.Site, Shape: ir.Sizes(axes)})
		if axes = e.Axes; count != nil {
			if _, stored, at := opt.AtStored(o.B, count, axes); stored != nil {
				count, axes = stored, at
			}
			funcs = append(funcs, low.Counts(n, count, axes))
		}
	}
	for i, f := range funcs {
		funcs[i] = latent.Ordered(o.Run(f), chainOptions(o, low.Model))
	}
	return stageRows(o, low.Model, low.Spec, funcs)
}

// stageRows makes the module of optimised functions of rows.
func stageRows(
	o *opt.Optimiser, low *lower.Model, spec *model.Spec, funcs []*ir.Func,
) *stage.Module {
	funcs = append(funcs, low.Defaults()...)
	return stage.Assemble(o, spec, append(funcs, addChecks(o, low, spec)...))
}

// stageSimulation optimises the draws of a simulation, and returns them with the
// functions of inputs that may be left out and the checks.
func stageSimulation(low *posterior.Simulation) []*ir.Func {
	o := &opt.Optimiser{B: low.Model.B}
	funcs := low.Model.Defaults()
	for i := range low.Draws {
		d := &low.Draws[i]
		d.Func = o.Run(d.Func)
		funcs = append(funcs, d.Func)
	}
	funcs = append(funcs, addChecks(o, low.Model, low.Spec)...)
	low.Spec.Data = stage.Data(low.Spec, funcs)
	return funcs
}

// stageBreakdown makes, for every summand of the log density, the functions of its
// entries, of their sum and of its gradient, and the functions of inputs that may be left out.
func stageBreakdown(
	low *posterior.Breakdown,
) (parts [][]*ir.Func, defaults []*ir.Func, diags diag.List) {
	o := &opt.Optimiser{B: low.Model.B}
	defaults = low.Model.Defaults()
	all := slices.Clone(defaults)
	for i := range low.Parts {
		entries, sum := low.Functions(&low.Parts[i])
		entries, sum = o.Run(entries), o.Run(sum)
		gradient, err := derive.Gradient(o, sum, low.Model.State())
		if err != nil {
			diags.Add(derive.Refusal(err).In(low.Model.Source()))
			continue
		}
		parts = append(parts, []*ir.Func{entries, sum, o.Run(gradient)})
		all = append(all, parts[len(parts)-1]...)
	}
	low.Spec.Data = stage.Data(low.Spec, all)
	return parts, defaults, diags
}

// addChecks enters the checks of computed indices into the spec, and returns their
// functions.
func addChecks(o *opt.Optimiser, low *lower.Model, spec *model.Spec) []*ir.Func {
	funcs, checks := low.Checks()
	for i, f := range funcs {
		funcs[i] = stage.AddCheck(o, spec, f, checks[i])
	}
	return funcs
}

// chainOptions are the options of the chain of the latent values of a row.
func chainOptions(o *opt.Optimiser, low *lower.Model) latent.Options {
	counts, sizes := low.CountsAndSizes()
	return latent.Options{Optimiser: o, Counts: counts, Sizes: sizes}
}

// runAll runs the passes on functions.
func runAll(o *opt.Optimiser, funcs []*ir.Func) []*ir.Func {
	out := make([]*ir.Func, len(funcs))
	for i, f := range funcs {
		out[i] = o.Run(f)
	}
	return out
}

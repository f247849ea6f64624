package driver

import (
	"errors"
	"slices"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/derive"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// The phases, in the order in which they run: parse, check, lower, chain, optimise,
// differentiate, stage, plan, emit. Each dumps what it made.

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
	if o.Gibbs {
		return conditionals(src, m, o)
	}
	c, diags := middle(src, m, o)
	if c == nil && o.Exact {
		o.Exact = false
		c, diags = middle(src, m, o)
	}
	if c == nil && !o.Sampled && joinsState(m) {
		// What cannot be an unknown for every row may still be drawn.
		o.Sampled = true
		if other, notes := middle(src, m, o); other != nil {
			return other, notes
		}
	}
	return c, diags
}

// middle takes a checked model through the phases behind the checker.
func middle(src *source.File, m *check.Model, o Options) (*Compiled, diag.List) {
	p := &pipeline{src: src, model: m, o: o, diags: slices.Clip(m.Diags)}
	p.run(p.lower, p.chain, p.density, p.differentiate, p.functions, p.optimise, p.stage, p.plan)
	return p.out, p.diags
}

// run goes through phases until one reports an error.
func (p *pipeline) run(phases ...func()) {
	for _, phase := range phases {
		if phase(); p.diags.Errors() {
			return
		}
	}
}

// Check parses and checks a model text. The result's Diags hold every
// diagnostic of both phases.
func Check(src *source.File, o Options) (*ast.File, *check.Model) {
	file, diags := parser.Parse(src)
	if o.Dump != nil {
		o.Dump("ast", "", ast.Print(file))
	}
	for _, d := range file.Stmts {
		if l, ok := d.(*ast.Let); ok {
			l.Track = l.Track && !o.only ||
				len(l.Names) == 1 && slices.Contains(o.Track, l.Names[0].Name)
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
		m.Diags = append(m.Diags, lower.CheckLines(m, lower.Options{Jacobian: grad.Jacobian})...)
	}
	m.Diags = append(diags, m.Diags...)
	m.Diags.Sort()
	return file, m
}

// A pipeline is a model on its way from the checker to the planner.
type pipeline struct {
	src   *source.File
	model *check.Model
	o     Options
	diags diag.List
	opt   *opt.Optimiser

	low   *lower.Model
	told  int // diagnostics of low that are among diags
	spec  *model.Spec
	joint *lower.Joint
	draws *latent.Chain // of the latent values of a row; nil without

	written  *ir.Func // the density as it was lowered
	value    *ir.Func // and optimised
	gradient *ir.Func
	sums     []*ir.Func // what the function of full passes reads
	funcs    []*ir.Func

	module *stage.Module
	out    *Compiled
}

// refuse reports what cannot be compiled.
func (p *pipeline) refuse(d *diag.Diagnostic) { p.diags.Add(d) }

// lower makes terms of the statements, and puts those of rows on the row axis.
func (p *pipeline) lower() {
	o := lower.Options{RowDim: p.o.RowDim, Sampled: p.o.Sampled, Exact: p.o.Exact,
		Jacobian: grad.Jacobian, Masks: true, Conditionals: p.o.Gibbs}
	low, diags := lower.Lower(p.model, o)
	if p.diags = append(p.diags, diags...); low == nil {
		return
	}
	p.low, p.opt, p.told = low, &opt.Optimiser{B: low.B}, len(low.Diags)
	if p.o.Dump != nil {
		p.opt.Dump = func(phase string, f *ir.Func) { p.o.Dump(phase, f.ID.String(), f.String()) }
	}
	p.spec, p.joint = low.Spec(), low.Joint()
	p.spec.Name, p.spec.RowDim = Name(p.src.Name), p.joint.Dim
}

// chain derives the function that draws the latent values of a row. The log
// density of a row is then the mean over its draws.
func (p *pipeline) chain() {
	locals := p.low.Locals()
	if len(locals) == 0 {
		return
	}
	if p.low.CheckMasksAlone(); p.lowered() {
		return
	}
	if p.joint.Dim == "" {
		p.refuse(p.low.NoRows())
		return
	}
	c, err := latent.Derive(p.joint.ChainRows(), locals, p.chainOptions())
	if err != nil {
		p.refuse(err.In(p.src))
		return
	}
	p.joint.Parts, p.joint.PerRow = c.Terms, c.Score
	if len(c.Spec.Links) > 0 { // else nothing depends on any local
		p.draws, p.spec.Chain = c, c.Spec
	}
}

// chainOptions are the options of the chain of a sampler.
func (p *pipeline) chainOptions() latent.Options {
	o := chainOptions(p.opt, p.low)
	o.Score = true
	return o
}

// density is the log density, optimised.
func (p *pipeline) density() {
	p.written = p.low.InState(p.low.Density(p.joint))
	if p.o.Gibbs {
		var names []string
		for _, h := range p.low.Hidden {
			if h.Kind.Discrete() {
				names = append(names, h.Name)
			}
		}
		p.written = opt.LateGathers(p.opt.B, p.written, names...)
	}
	if p.draws != nil {
		p.written = opt.LateGathers(p.opt.B, p.written)
	}
	p.value = p.opt.Run(opt.Squares(p.opt.B, p.written, p.nonnegative))
}

// nonnegative reports whether the numbers of an input are declared not to be negative.
func (p *pipeline) nonnegative(name string) bool {
	return slices.ContainsFunc(p.spec.Schema.Inputs, func(i data.Input) bool {
		return i.Name == name && (i.Kind == data.Positive || i.Kind == data.Nonnegative)
	})
}

// differentiate derives the gradient of the optimised density.
func (p *pipeline) differentiate() {
	gradient, err := derive.Gradient(p.opt, p.value, p.low.State())
	if err != nil {
		p.refuse(derive.Refusal(err).In(p.src))
		return
	}
	p.gradient = gradient
	p.unmask()
}

// unmask reports dropout where it has no meaning, and takes it out of all functions but the
// gradient.
func (p *pipeline) unmask() {
	if len(p.low.Masks) == 0 {
		return
	}
	if p.low.CheckMasks(p.written); p.lowered() {
		return
	}
	for _, m := range p.low.Masks {
		p.spec.Masks = append(p.spec.Masks, m.Mask)
	}
	p.written, p.joint = p.low.Unmasked(p.written), p.low.UnmaskedJoint(p.joint)
	p.value = p.opt.Run(p.written)
}

// lowered reports whether the lowered model has errors that it did not have before.
func (p *pipeline) lowered() bool {
	p.diags = append(p.diags, p.low.Diags[p.told:]...)
	p.told = len(p.low.Diags)
	return p.diags.Errors()
}

// functions collects all functions but those that are made last.
func (p *pipeline) functions() {
	p.funcs = []*ir.Func{p.written, p.gradient, p.low.Unmasked(p.low.Constrain(p.spec)),
		p.low.Unconstrain()}
	sampled := len(p.gradient.Outputs) > 0 && p.draws == nil
	if sampled { // both at once, for samplers with a Metropolis test, share most of their work
		both := &ir.Func{ID: fn.Evaluate.ID(),
			Outputs: slices.Clone(p.low.Unmasked(p.gradient).Outputs)}
		both.Outputs = append(both.Outputs,
			ir.Output{Name: model.DensityOutput, Value: p.value.Outputs[0].Value})
		p.funcs = append(p.funcs, both)
	}
	if p.draws != nil {
		p.funcs = append(p.funcs, p.draws.Func)
		return
	}
	full, err := derive.Full(p.opt, p.spec, p.written, p.parts())
	if err != nil {
		p.refuse(derive.Refusal(err).In(p.src))
		return
	}
	if full != nil {
		p.funcs, p.sums = append(p.funcs, full.Full), full.Once()
	}
	if p.joint.Dim != "" {
		p.funcs = append(p.funcs, p.low.RowLikelihoods(p.joint)...)
		p.funcs = append(p.funcs, p.low.Predictions(p.spec, p.joint)...)
	}
}

// parts is the log density for package derive.
func (p *pipeline) parts() *derive.Density {
	j := p.joint
	return &derive.Density{Row: j.Row, Full: j.Full, PerRow: j.PerRow, Rest: j.Rest,
		Jacobian: j.Jacobian, State: p.low.State()}
}

// optimise runs the passes on all functions. The functions weighted and difference are made when
// all others are, so that none of them depends on these.
func (p *pipeline) optimise() {
	for i, f := range p.funcs {
		if f != p.gradient { // which is of the optimised density
			p.opt.Show("lower", f)
		}
		p.funcs[i] = p.opt.Run(f)
		if p.draws != nil { // gradients have products of their own
			p.funcs[i] = latent.Ordered(p.funcs[i], p.chainOptions())
			if f == p.draws.Func {
				p.funcs[i] = latent.InTurn(p.opt.B, opt.EarlyGathers(p.opt.B, p.funcs[i]))
			}
		}
	}
	p.funcs = append(p.funcs, p.low.Defaults()...)
	p.funcs = append(p.funcs, addChecks(p.opt, p.low, p.spec)...)
	if p.joint.Dim != "" && p.draws == nil && len(p.gradient.Outputs) > 0 && !p.o.Gibbs {
		if p.weighs() {
			if f := derive.Weighted(p.opt, p.parts()); f != nil {
				p.funcs = append(p.funcs, f)
			}
		}
		if f := derive.Difference(p.opt, p.parts()); f != nil {
			p.funcs = append(p.funcs, f)
		}
	}
}

// weighs reports whether equal rows may be taken together in full passes: all rows have the same
// length, and full passes read rows.
func (p *pipeline) weighs() bool {
	if len(p.sums) > 0 && !p.spec.Collapse.Rows {
		return false
	}
	return !slices.ContainsFunc(p.spec.Schema.Dims,
		func(d data.Dim) bool { return d.Of == p.joint.Dim })
}

// stage moves what depends on data alone into functions that run once.
func (p *pipeline) stage() { p.module = stage.Assemble(p.opt, p.spec, p.funcs, p.sums...) }

// plan schedules the functions.
func (p *pipeline) plan() {
	mod := p.module
	mod.Spec.Fitted = mod.Fitted
	c := &Compiled{Source: p.src, Check: p.model, Spec: mod.Spec, Fitted: mod.Fitted,
		Wide:    wide(p.model, mod.Funcs),
		coupled: coupled(mod.Funcs, mod.Spec.RowDim, false),
		given:   coupled(mod.Funcs, mod.Spec.RowDim, true),
		learnt:  learnt(mod.Funcs, mod.Spec),
		sized:   sized(mod.Funcs, mod.Spec.RowDim),
		ties:    tiesOf(mod.Funcs, mod.Fitted),
		counted: countsRows(mod.Funcs, mod.Spec.RowDim), constants: mod.ConstantKeys()}
	for _, f := range mod.Funcs {
		if f.ID.Kind == fn.Gradient {
			c.gradient = func() (*plan.Program, error) { return plan.BuildWhole(mod.Builder, f) }
		}
		program, err := plan.Build(mod.Builder, f)
		if err != nil {
			var dense *plan.DenseError
			if !errors.As(err, &dense) {
				panic("sgppl: compiler bug: " + err.Error())
			}
			if late(f.ID) { // samplers can do without
				continue
			}
			p.refuse(madeDense(p.model, dense.Name))
			return
		}
		if p.o.Dump != nil {
			p.o.Dump("plan", f.ID.String(), program.String())
		}
		c.Programs = append(c.Programs, program)
	}
	// The blocks of full passes are part of their bits, and those of all rows do not depend on the
	// functions that are made last.
	c.Spec.Work = plan.Work(slices.DeleteFunc(slices.Clone(c.Programs),
		func(p *plan.Program) bool { return late(p.ID) }))
	c.Spec.Weighted = weightedData(c.Program(fn.Weighted.ID()), mod)
	p.out = c
}

// late reports whether a function is made when all others are.
func late(id fn.ID) bool { return id.Kind == fn.Weighted || id.Kind == fn.Difference }

// weightedData are the names of the data by row that the function weighted reads; none where there
// is no such function.
func weightedData(p *plan.Program, mod *stage.Module) []string {
	var out []string
	for _, f := range mod.Funcs {
		if p == nil || f.ID != p.ID {
			continue
		}
		for _, v := range f.Values() {
			if v.Op == ir.OpData && v.RowAxis() != nil && !slices.Contains(out, v.Name) {
				out = append(out, v.Name)
			}
		}
	}
	return out
}

// Emit prints the plans as a Go package; its name is the model's where pkg is empty.
func (c *Compiled) Emit(pkg string) (codegen.Files, error) {
	return codegen.Generate(codegen.Input{Spec: c.Spec, Programs: c.Programs, Package: pkg})
}

// EmitEngine prints the plans as a package for an engine, which the go command alone reads.
func (c *Compiled) EmitEngine() (codegen.Files, error) {
	return codegen.Generate(codegen.Input{Spec: c.Spec, Programs: c.Programs, Unformatted: true})
}

// constantKeys are the constants of a model as a run keeps them, by digests of what they
// compute; nil where the model cannot be compiled with these options.
func constantKeys(src *source.File, m *check.Model, o Options) map[string]string {
	p := &pipeline{src: src, model: m, o: o}
	p.o.Dump = nil
	if p.run(p.lower, p.chain, p.density, p.differentiate, p.functions, p.optimise,
		p.stage); p.module == nil {
		return nil
	}
	return p.module.ConstantKeys()
}

// joinsState reports whether a latent value of a row is continuous, so that it can
// join the unknowns.
func joinsState(m *check.Model) bool {
	return slices.ContainsFunc(m.Locals,
		func(l *check.Local) bool { return l.Symbol.Kind == check.LocalVar && l.Strategy == "gmc" })
}

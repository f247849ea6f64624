package lower

import (
	"errors"

	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/size"
)

// module assembles the functions of the model from its terms.
func (l *lowerer) module(m *Module) {
	m.Spec = l.specOf()
	j := l.joint()
	m.Spec.RowDim = j.dim
	m.Spec.Ranges = l.ranges
	var chain *ir.Func
	if len(l.sampled) > 0 {
		if chain = l.chain(m.Spec, j); chain == nil {
			return
		}
		if len(m.Spec.Chain.Links) == 0 { // nothing depends on any local
			chain, m.Spec.Chain = nil, nil
		}
	}
	funcs := []*ir.Func{l.density(j)}
	if chain != nil {
		funcs[0] = opt.LateGathers(l.b, funcs[0])
	}
	density := l.optimise(funcs[0])
	gradient := l.gradient(density)
	funcs = append(funcs, gradient, l.constrain(m.Spec), l.unconstrain())
	// Both at once, for samplers with a Metropolis test, share most of their work.
	if len(gradient.Outputs) > 0 && chain == nil {
		both := &ir.Func{Name: "evaluate", Outputs: slices.Clone(gradient.Outputs)}
		both.Outputs = append(both.Outputs, ir.Output{Name: model.DensityOutput, Value: density.Outputs[0].Value})
		funcs = append(funcs, both)
	}
	if chain != nil {
		funcs = append(funcs, chain)
	} else if full := l.full(m.Spec, funcs[0], j); full != nil {
		funcs = append(funcs, full)
	}
	if j.dim != "" && chain == nil {
		funcs = append(funcs, &ir.Func{Name: "loglik", Outputs: []ir.Output{{Name: "loglik", Value: j.perRow, Axes: []*ir.Axis{j.row}}}})
		if j.seen != nil {
			funcs = append(funcs, &ir.Func{Name: "observed", Outputs: []ir.Output{{Name: "observed", Value: j.seen, Axes: []*ir.Axis{j.row}}}})
		}
		funcs = append(funcs, l.predictions(m.Spec, j)...)
	}
	for i, f := range funcs {
		if i != 1 { // the gradient is of the optimised density
			l.dump("lower", f)
		}
		funcs[i] = l.optimise(f)
		if chain != nil { // gradients have products of their own
			funcs[i] = l.ordered(funcs[i])
		}
	}
	if j.dim != "" && chain == nil && len(gradient.Outputs) > 0 {
		l.assemble(m, funcs, func() *ir.Func { return l.difference(j) })
		return
	}
	l.assemble(m, funcs, nil)
}

// specOf describes the inputs and unknowns.
func (l *lowerer) specOf() *model.Spec {
	spec := &model.Spec{Doc: l.model.File.Doc, Text: l.model.File.Source.Text}
	spec.Schema = l.schema()
	for _, p := range l.params {
		spec.Params = append(spec.Params, p.spec())
	}
	return spec
}

// assemble makes a module of functions that read data: with what is computed
// once, the defaults of inputs and the checks of indices. The function that last
// makes, if any, is made when all others are, so that none of them depends on it.
func (l *lowerer) assemble(m *Module, funcs []*ir.Func, last func() *ir.Func) {
	funcs = append(funcs, l.defaultFuncs()...)
	for _, c := range l.checks {
		funcs = append(funcs, l.checkFunc(m.Spec, c))
	}
	if last != nil {
		if f := last(); f != nil {
			funcs = append(funcs, f)
		}
	}
	m.Funcs = l.stage(m.Spec, funcs)
	for _, f := range m.Funcs {
		l.dump("stage", f)
	}
	m.Spec.OneLength = oneLength(m.Spec, without(m.Funcs, model.DifferenceFunction))
	if !m.Spec.OneLength && oneLength(m.Spec, m.Funcs) { // what others compute by pieces stays so
		m.Funcs = without(m.Funcs, model.DifferenceFunction)
	}
	m.Spec.Data = dataOf(m.Spec, m.Funcs)
	m.constants, m.Fitted = l.constants, l.fitted
}

// without are the functions but for the one of a name.
func without(funcs []*ir.Func, name string) []*ir.Func {
	return slices.DeleteFunc(slices.Clone(funcs), func(f *ir.Func) bool { return f.Name == name })
}

// checkFunc adds a check to the spec and returns its function.
func (l *lowerer) checkFunc(spec *model.Spec, c indexCheck) *ir.Func {
	f := l.optimise(&ir.Func{Name: fmt.Sprintf("check %d", len(spec.Checks)), Outputs: []ir.Output{{Name: "index", Value: c.v, Axes: c.v.Axes}}})
	var reads []string
	for _, v := range f.Values() {
		if v.Op == ir.OpData && !slices.Contains(reads, v.Name) {
			reads = append(reads, v.Name)
		}
	}
	spec.Checks = append(spec.Checks, model.Check{Text: c.text, Place: c.place, Type: c.typ, Rule: c.rule, Note: c.note, Shape: axisSizes(c.v.Axes), Axis: c.n, Reads: reads})
	return f
}

// seenMark is the name of outputs for what terms say of observations alone.
const seenMark = "seen "

// joint is the log density in its parts.
type joint struct {
	dim       string
	row, full *ir.Axis
	seen      *ir.Value // perRow without missing entries; nil where there are none
	perRow    *ir.Value // log likelihood of each row; nil without row axis
	rest      *ir.Value // priors, and terms without the row axis
	jacobian  *ir.Value
	rows      []ir.Output // other values of a row, for prediction
	terms     []int       // of the lowerer, those that perRow is the sum of
	parts     []ir.Output // those terms on the row axis, before they are summed over the other axes
}

// joint puts the terms that run over the minibatch dim on the row axis.
func (l *lowerer) joint() *joint {
	// First every axis that a rename joins becomes one: a let of a whole array
	// and the plate that reads it then share theirs.
	f := &ir.Func{Name: "terms"}
	for _, t := range l.terms {
		f.Outputs = append(f.Outputs, ir.Output{Name: t.site, Value: t.v, Axes: t.over})
	}
	f.Outputs = append(f.Outputs, l.siteOutputs()...)
	f.Outputs = append(f.Outputs, l.posteriorOutputs()...)
	f.Outputs = append(f.Outputs, l.valueOutputs()...)
	if slices.ContainsFunc(l.terms, func(t term) bool { return t.seen != nil }) {
		for i := range l.terms {
			if t := &l.terms[i]; !t.prior {
				f.Outputs = append(f.Outputs, ir.Output{Name: seenMark, Value: t.likelihood(), Axes: t.over})
			}
		}
	}
	f = opt.Unify(l.b, f)
	j := l.split(f, l.rowDim())
	if j == nil {
		j = l.split(f, "")
	}
	j.jacobian = l.b.Num(0)
	for _, p := range l.params {
		j.jacobian = l.b.Add(j.jacobian, l.b.Sum(p.logJ, p.family...))
	}
	return j
}

// rowDim picks the minibatch dim: where locals are drawn, one of their plates.
func (l *lowerer) rowDim() string {
	for _, a := range l.model.Batchable {
		if slices.ContainsFunc(l.sampled, func(z *sampled) bool { return z.axes[0].Dim != a.Name }) {
			continue
		}
		if l.o.RowDim == "" || a.Name == l.o.RowDim {
			return a.Name
		}
	}
	return ""
}

// split sorts the terms; nil when the rows of the dim turn out to be coupled.
func (l *lowerer) split(f *ir.Func, dim string) *joint {
	b := l.b
	j := &joint{dim: dim, rest: b.Num(0)}
	if dim != "" {
		j.row, j.full = dimAxis(b, dim), dimAxis(b, dim)
		j.row.Rows = true
	}
	for i, o := range f.Outputs {
		isTerm := i < len(l.terms)
		prior := isTerm && l.terms[i].prior
		var v *ir.Value
		ok := false
		if o.Name == seenMark && !isTerm {
			if dim == "" {
				continue
			}
			if v, ok, err := l.rowValue(o.Value, o.Axes, dim, j.row, j.full); err == nil && ok {
				if j.seen != nil {
					v = b.Add(j.seen, v)
				}
				j.seen = v
			}
			continue
		}
		if dim != "" && !isTerm {
			// Predictions keep their other axes: the classes.
			if v, rest, ok, err := l.onRows(o.Value, o.Axes, dim, j.row, j.full); ok && err == nil {
				j.rows = append(j.rows, ir.Output{Name: o.Name, Value: v, Axes: append([]*ir.Axis{j.row}, rest...)})
			}
			continue
		}
		if dim != "" && !prior {
			var err error
			if v, ok, err = l.rowValue(o.Value, o.Axes, dim, j.row, j.full); err != nil {
				return nil
			}
			if part, rest, _, _ := l.onRows(o.Value, o.Axes, dim, j.row, j.full); ok && (len(l.sampled) > 0 || l.completing != nil) {
				j.parts = append(j.parts, ir.Output{Name: o.Name, Value: part, Axes: append([]*ir.Axis{j.row}, rest...)})
			}
		}
		if isTerm && ok {
			j.terms = append(j.terms, i)
		}
		switch {
		case !isTerm:
		case ok && j.perRow == nil:
			j.perRow = v
		case ok:
			j.perRow = b.Add(j.perRow, v)
		default:
			j.rest = b.Add(j.rest, b.Sum(o.Value, o.Axes...))
		}
	}
	if dim != "" && j.perRow == nil {
		return nil
	}
	return j
}

// density is scale·Σ rows + the rest + jacobian·log|J|.
func (l *lowerer) density(j *joint) *ir.Func {
	b := l.b
	f := b.Add(j.rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), j.jacobian))
	if j.perRow != nil {
		f = b.Add(b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(j.perRow, j.row)), f)
	}
	return &ir.Func{Name: "density", Outputs: []ir.Output{{Name: "density", Value: f}}}
}

// gradient differentiates the optimised density: stable forms first.
func (l *lowerer) gradient(density *ir.Func) *ir.Func {
	outputs, err := l.gradients(density.Outputs[0].Value)
	if e := (*grad.Error)(nil); errors.As(err, &e) {
		l.diags.Add(&diag.Diagnostic{Code: limits.NoDerivative, File: l.model.File.Source, Span: e.Value.Span,
			Message: "the gradient that the samplers need cannot be compiled: " + err.Error()})
		return &ir.Func{Name: "gradient"}
	}
	f := &ir.Func{Name: "gradient", Outputs: outputs}
	l.dump("grad", f)
	return f
}

// gradients are the derivatives of a value by every param, on its axes. The error
// is a *grad.Error.
func (l *lowerer) gradients(value *ir.Value) ([]ir.Output, error) {
	leaves := map[string][]*ir.Value{}
	var all []*ir.Value
	for _, v := range ir.Reach(value) {
		if v.Op == ir.OpState {
			leaves[v.Name] = append(leaves[v.Name], v)
			all = append(all, v)
		}
	}
	cots, err := grad.Of(l.b, value, all)
	if e := (*grad.Error)(nil); errors.As(err, &e) {
		return nil, err
	} else if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	of := map[*ir.Value]*ir.Value{}
	for i, v := range all {
		of[v] = cots[i]
	}
	var out []ir.Output
	for _, p := range l.params {
		// A block may be read under several sets of axes: their gradients add up.
		sum, axes := l.b.Num(0), p.yAxes()
		for _, leaf := range leaves[p.name] {
			sum = l.b.Add(sum, l.onAxes(of[leaf], leaf.Axes, axes))
		}
		out = append(out, ir.Output{Name: p.name, Value: sum, Axes: axes})
	}
	return out, nil
}

// constrain gives the parameters in the model's coordinates and the tracks.
func (l *lowerer) constrain(spec *model.Spec) *ir.Func {
	f := &ir.Func{Name: "constrain"}
	for _, p := range l.params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.name, Value: p.x, Axes: p.xAxes()})
	}
	for _, t := range l.tracks {
		f.Outputs = append(f.Outputs, ir.Output{Name: t.sym.Name, Value: t.t.v, Axes: t.t.axes})
		tr := model.Track{Name: t.sym.Name, Doc: t.sym.Doc, Shape: axisSizes(t.t.axes)}
		for _, s := range tr.Shape {
			n, _ := s.Name()
			tr.Dims = append(tr.Dims, n)
		}
		spec.Tracks = append(spec.Tracks, tr)
	}
	return f
}

// unconstrain is the inverse: where an end of an interval depends on other
// unknowns, it reads their given values.
func (l *lowerer) unconstrain() *ir.Func {
	f := &ir.Func{Name: "unconstrain"}
	for _, p := range l.params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.name, Value: p.inverse(l), Axes: p.yAxes()})
	}
	given := map[*ir.Value]*ir.Value{}
	for _, p := range l.params {
		given[p.x] = p.given
	}
	return ir.RewriteFunc(l.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value { return given[v] })
}

// dataOf lists what the functions read.
func dataOf(spec *model.Spec, funcs []*ir.Func) []model.Datum {
	var out []model.Datum
	type kind struct {
		name         string
		rows, sparse bool
	}
	have := map[kind]bool{}
	add := func(d model.Datum) {
		if k := (kind{d.Name, d.Rows, d.Sparse}); !have[k] {
			have[k] = true
			out = append(out, d)
		}
	}
	derived := map[string]model.Datum{}
	for _, d := range slices.Concat(spec.Constants, spec.Derived, spec.Given, spec.Latent, spec.Statistics) {
		derived[d.Name] = d
	}
	late := map[string]bool{} // read as a whole by what runs after the model is bound
	for _, f := range funcs {
		if f.Name == model.ChainFunction {
			for _, o := range f.Outputs {
				add(model.Datum{Name: o.Name, Shape: axisSizes(o.Axes), Rows: true, Filled: true})
			}
		}
		for _, v := range f.Values() {
			if v.Op != ir.OpData && v.Op != ir.OpLocal {
				continue
			}
			d := model.Datum{Name: v.Name, Sparse: v.Sparse, Shape: axisSizes(v.Axes), Filled: v.Op == ir.OpLocal}
			_, d.Derived = derived[v.Name]
			for i, a := range v.Axes {
				if a.Rows {
					d.Rows, d.Lead = true, i
				}
			}
			add(d)
			late[d.Name] = late[d.Name] || !d.Rows && !early(f.Name) && f.Name != "constants" && f.Name != "derive"
		}
	}
	for i := range out {
		d := &out[i]
		d.Early = !d.Rows && !d.Derived && !d.Filled && !late[d.Name] && len(d.Shape) > 1
	}
	return out
}

// mentions reports whether a size has the dim in it.
func mentions(p size.Poly, dim string) bool {
	for _, d := range p.Dims() {
		if d == dim {
			return true
		}
	}
	return false
}

// siteOutputs are what a row's observed names are predicted with: the
// expected value, and for a category the log probability of each class.
func (l *lowerer) siteOutputs() []ir.Output {
	var out []ir.Output
	for i := range l.sites {
		s := &l.sites[i]
		if s.name == "" || l.siteTwice(i) || l.readsCollapsed(s.dist) != nil {
			continue
		}
		l.quietly(func() {
			if s.dist.has("mean") && len(s.dist.y.own) == 0 && s.dist.point == nil && s.dist.comps == nil && s.dist.lo == nil {
				if mean := l.expected(s.dist.line("mean", nil), false); mean != nil {
					out = append(out, ir.Output{Name: "mean " + s.name, Value: mean, Axes: s.over})
				}
			}
		})
		if s.typ.Kind == types.Index {
			l.quietly(func() {
				k := l.b.Axis("k", l.size(s.typ.Below))
				if classes := l.expected(s.dist.logpdf(l.b.Iota(k)), true); classes != nil {
					out = append(out, ir.Output{Name: "classes " + s.name, Value: classes, Axes: append(append([]*ir.Axis{}, s.over...), k)})
				}
			})
		}
	}
	return out
}

func (l *lowerer) siteTwice(i int) bool {
	for j := range l.sites {
		if j != i && l.sites[j].name == l.sites[i].name {
			return true
		}
	}
	return false
}

// quietly runs f and forgets what it reports.
func (l *lowerer) quietly(f func()) {
	n := len(l.diags)
	l.try(f)
	l.diags = l.diags[:n]
}

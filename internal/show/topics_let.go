package show

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// letDraws is how many draws a let is computed at, to take its mean.
const letDraws = 1000

// lets are the topics of the lets of a run's model that are made of unknowns.
func (t *topicTable) lets(dir string, globs []string) ([]*topics, error) {
	_, src, err := session.OpenRun(dir)
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(t.letsNamed(src),
		func(name string) bool { return len(globs) > 0 && !session.Matches(globs, name) })
	if len(names) == 0 {
		return nil, nil
	}
	return t.ofLets(dir, src, names)
}

// letsNamed are the top-level lets of a model that have an axis with names.
func (t *topicTable) letsNamed(src *source.File) []string {
	_, m := driver.Check(src, driver.Options{Set: session.Numbers(t.r.Set)})
	if m.Diags.Errors() {
		return nil
	}
	var out []string
	for _, s := range m.Symbols {
		if s.Kind != check.Let || len(s.Plate) > 0 || s.Part >= 0 || s.Level.Row ||
			s.Level.Stage != check.OfParams || len(s.Type.Shape) < 2 {
			continue
		}
		v := trace.Variable{Name: s.Name}
		for _, p := range s.Type.Shape {
			n, ok := p.Eval(t.r.Dims)
			if !ok {
				break
			}
			name, _ := p.Name()
			v.Dims, v.Shape = append(v.Dims, name), append(v.Shape, n)
		}
		if len(v.Shape) == len(s.Type.Shape) &&
			wordAxis(v.Shape, session.AxisNames(v, t.names)) >= 0 {
			out = append(out, s.Name)
		}
	}
	return out
}

// ofLets are the topics of lets, which are computed once more at the draws.
// That needs the data of the run, since a let may depend on them.
func (t *topicTable) ofLets(dir string, src *source.File, lets []string) ([]*topics, error) {
	r := t.r
	b := &session.Binding{
		Src:   src,
		Given: session.Given{Axis: r.RowDim},
	}
	compiled, diags := driver.Compile(src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled,
			Track: lets})
	if compiled == nil {
		return nil, fmt.Errorf("the model cannot be compiled any more: %s", diags[0].Message)
	}
	b.Compiled = compiled
	var sets []string
	for _, s := range r.Set {
		if session.ConstsStay(compiled.Check, []string{s}) == nil {
			sets = append(sets, s)
		}
	}
	own, err := session.NamesOf(nil, dir, r, nil)
	if err != nil {
		return nil, err
	}
	bound, _, errs := data.Bind(&compiled.Spec.Schema, r.Inputs, sets,
		data.Options{Labels: own, Levels: r.Levels, NA: r.NA})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	if err := session.SameData(r.Data, bound.Files); err != nil {
		return nil, err
	}
	if b.Target, err = compiled.VM(bound, r.Values()); err != nil {
		return nil, err
	}
	draws, err := session.OpenDraws(dir, r, b.Target, session.Choice{}, "computing it")
	if err != nil {
		return nil, err
	}
	if r.Optimize == nil {
		draws.Chain, draws.Chains = slices.Index(draws.Store.Numbers(), t.store.Number(t.chain)), 1
		if draws.Chain < 0 {
			return nil, fmt.Errorf("the run goes on, and its chains changed meanwhile")
		}
	}
	draws.Each = min(draws.Each, letDraws)
	outputs := map[string]target.Output{}
	for _, o := range b.Target.Outputs() {
		outputs[o.Name] = o
	}
	sum, out := make([]float64, b.Target.OutputLen()), make([]float64, b.Target.OutputLen())
	eval := b.Target.NewEvaluator(1)
	for i := range draws.Each {
		p, err := draws.Read(i)
		if err != nil {
			return nil, err
		}
		eval.Constrain(p.X, out)
		for k, x := range out {
			sum[k] += x / float64(draws.Each)
		}
	}
	var list []*topics
	for _, name := range lets {
		o := outputs[name]
		v := trace.Variable{Name: name, Dims: o.Dims, Shape: o.Shape}
		names := session.AxisNames(v, t.names)
		axis := wordAxis(v.Shape, names)
		if axis < 0 {
			continue
		}
		x, err := t.rows(v, names, axis, sum[o.Offset:o.Offset+o.Len])
		if err != nil {
			return nil, err
		}
		x.dims = v.Dims
		list = append(list, x)
	}
	return list, nil
}

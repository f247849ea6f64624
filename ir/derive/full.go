package derive

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Full makes the function of full passes where sums over rows collapse to
// sufficient statistics: it computes what evaluate does. The function statistics
// computes, once, sums over rows, and the function totals what else full reads of them.
// A minibatch has other sums, so evaluate stays for it, and for data with so few rows
// that nothing is gained (model.Spec.Direct, Collapsed). The result is nil where no sum
// collapses.
func Full(
	o *opt.Optimiser, spec *model.Spec, density *ir.Func, d *Density,
) (*Split, error) {
	f, c, err := opt.RunFull(o.B, density, d.Full, func(pass string, f *ir.Func) {
		if pass == opt.StatisticsPass { // before it, all is as for density
			o.Show("opt:"+pass, f)
		}
	})
	if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	if c == nil {
		return nil, nil
	}
	value := f.Outputs[0].Value
	if f, err = Gradient(o, f, d.State); err != nil {
		return nil, err
	}
	f.ID = fn.Full.ID()
	f.Outputs = append(slices.Clone(f.Outputs), ir.Output{Name: model.DensityOutput, Value: value})
	s := newSplit(o.B, o.Run(f), c)
	spec.Collapse = model.Collapse{Direct: c.Direct, Collapsed: c.Collapsed, Once: c.Once,
		Notes: c.Notes,
		Rows:  slices.ContainsFunc(s.Full.Values(), (*ir.Value).AnyRows),
		Whole: c.Whole}
	for _, o := range s.Statistics.Outputs {
		spec.Statistics = append(spec.Statistics, model.Statistic{
			Datum: model.Datum{Name: o.Name, Shape: ir.Sizes(o.Axes), Derived: true}})
	}
	if s.Totals != nil {
		for _, o := range s.Totals.Outputs {
			spec.Totals = append(spec.Totals,
				model.Datum{Name: o.Name, Shape: ir.Sizes(o.Axes), Derived: true})
		}
	}
	spec.Triangles = s.triangles
	return s, nil
}

// A Split is the function of full passes, and what is computed once for it.
type Split struct {
	Full       *ir.Func // for stage.Assemble, as the others
	Statistics *ir.Func // sums over rows
	Totals     *ir.Func // what else of data alone is computed of them; nil without

	triangles []model.Triangle
}

// newSplit makes what is computed from statistics alone a datum of the function totals:
// before
//
//	%3 = mul %2 %1   (statistics, or other data)
//	%4 = mul %3 %0   (%0: an unknown)
//
// after, %4 reads the total %3.
func newSplit(b *ir.Builder, f *ir.Func, c *opt.Collapse) *Split {
	made := map[string]*ir.Value{}
	for _, o := range c.Statistics {
		made[o.Name] = o.Value
	}
	reads := map[*ir.Value]bool{}
	values := f.Values()
	scalars := stage.Scalars(values)
	for _, v := range values {
		reads[v] = v.Op == ir.OpData && made[v.Name] != nil
		for _, a := range v.Args {
			reads[v] = reads[v] || reads[a] && !v.State()
		}
	}
	totals := &ir.Func{ID: fn.Totals.ID()}
	folds := map[*ir.Value]*ir.Value{}
	fold := func(v *ir.Value) {
		if folds[v] != nil || !reads[v] || v.Op.Class == ir.Leaf || v.State() || scalars[v] {
			return
		}
		name := fmt.Sprintf("total %d", len(totals.Outputs))
		totals.Outputs = append(totals.Outputs, ir.Output{Name: name, Value: v, Axes: v.Axes})
		folds[v] = b.Leaf(ir.OpData, name, v.Axes...)
	}
	for _, v := range values {
		for _, a := range v.Args {
			if v.State() || scalars[v] {
				fold(a)
			}
		}
	}
	for _, o := range f.Outputs {
		fold(o.Value)
	}
	s := &Split{Full: ir.RewriteFunc(b, f,
		func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value { return folds[v] })}
	if len(totals.Outputs) > 0 {
		s.Totals = totals
	}
	s.read(c)
	return s
}

// read is the function statistics, of those that are read, and of those that merge with them.
func (s *Split) read(c *opt.Collapse) {
	wanted := map[string]bool{}
	for _, f := range []*ir.Func{s.Full, s.Totals} {
		if f == nil {
			continue
		}
		for _, v := range f.Values() {
			wanted[v.Name] = wanted[v.Name] || v.Op == ir.OpData
		}
	}
	for _, t := range c.Triangles {
		if slices.ContainsFunc(t.Members(), func(e model.Member) bool { return wanted[e.Name] }) {
			s.triangles = append(s.triangles, t)
			for _, e := range t.Members() {
				wanted[e.Name] = true
			}
		}
	}
	s.Statistics = &ir.Func{ID: fn.Statistics.ID()}
	for _, o := range c.Statistics {
		if wanted[o.Name] {
			s.Statistics.Outputs = append(s.Statistics.Outputs, o)
		}
	}
}

// Once are the functions of data alone.
func (s *Split) Once() []*ir.Func {
	if s.Totals == nil {
		return []*ir.Func{s.Statistics}
	}
	return []*ir.Func{s.Statistics, s.Totals}
}

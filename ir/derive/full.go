package derive

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Full makes the function of full passes where sums over rows collapse to
// sufficient statistics: it computes what evaluate does. The function statistics
// computes, once, the data that it reads. A minibatch has other sums, so evaluate
// stays for it, and for data with so few rows that nothing is gained
// (model.Spec.Direct, Collapsed). Full is nil where no sum collapses.
func Full(
	o *opt.Optimiser, spec *model.Spec, density *ir.Func, d *Density,
) (full, statistics *ir.Func, err error) {
	f, c, err := opt.RunFull(o.B, density, d.Full, func(pass string, f *ir.Func) {
		if pass == opt.StatisticsPass { // before it, all is as for density
			o.Show("opt:"+pass, f)
		}
	})
	if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	if c == nil {
		return nil, nil, nil
	}
	value := f.Outputs[0].Value
	if f, err = Gradient(o, f, d.State); err != nil {
		return nil, nil, err
	}
	f.ID = fn.Full.ID()
	f.Outputs = append(slices.Clone(f.Outputs), ir.Output{Name: model.DensityOutput, Value: value})
	f, statistics = foldStatistics(o.B, o.Run(f), c)
	spec.Collapse = model.Collapse{Direct: c.Direct, Collapsed: c.Collapsed, Once: c.Once,
		Notes: c.Notes,
		Rows:  slices.ContainsFunc(f.Values(), (*ir.Value).AnyRows)}
	for _, o := range statistics.Outputs {
		spec.Statistics = append(spec.Statistics,
			model.Datum{Name: o.Name, Shape: ir.Sizes(o.Axes), Derived: true})
	}
	return f, statistics, nil
}

// foldStatistics makes what is computed from statistics alone a statistic, and
// keeps those that f reads: before
//
//	%3 = mul %2 %1   (statistics, or other data)
//	%4 = mul %3 %0   (%0: an unknown)
//
// after, %4 reads the statistic %3.
func foldStatistics(b *ir.Builder, f *ir.Func, c *opt.Collapse) (full, statistics *ir.Func) {
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
	folds := map[*ir.Value]*ir.Value{}
	fold := func(v *ir.Value) {
		if folds[v] != nil || !reads[v] || v.Op.Class == ir.Leaf || v.State() || scalars[v] {
			return
		}
		name := opt.StatisticName(len(made))
		made[name] = ir.Rewrite(b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
			if v.Op == ir.OpData && made[v.Name] != nil {
				return renamedLike(b, made[v.Name], v)
			}
			return nil
		})[0]
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
	f = ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		return folds[v]
	})
	statistics = &ir.Func{ID: fn.Statistics.ID()}
	seen := map[string]bool{}
	for _, v := range f.Values() {
		if v.Op == ir.OpData && made[v.Name] != nil && !seen[v.Name] {
			seen[v.Name] = true
			statistics.Outputs = append(statistics.Outputs,
				ir.Output{Name: v.Name, Value: renamedLike(b, made[v.Name], v), Axes: v.Axes})
		}
	}
	return f, statistics
}

// renamedLike is x, the value of a datum, on the axes of a leaf that reads it:
// they stand in the same order.
func renamedLike(b *ir.Builder, x, leaf *ir.Value) *ir.Value {
	axes := slices.Clone(x.Axes)
	for i := range axes {
		if axes[i] != leaf.Axes[i] {
			to := b.Axis(leaf.Axes[i].Name, leaf.Axes[i].Size)
			x = b.Rename(x, axes[i], to)
			axes[i] = to
		}
	}
	for i, a := range axes {
		x = b.Rename(x, a, leaf.Axes[i])
	}
	return x
}

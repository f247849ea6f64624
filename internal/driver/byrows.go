package driver

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// ByRows says why the rows of the model cannot be read as they are needed, some
// at a time; nil where they can.
func (c *Compiled) ByRows() error { return c.byRows(c.coupled) }

// SomeRows says why some of the rows of the model cannot be looked at without the others; nil
// where they can. Values of all rows, such as mean(x), have to be given then.
func (c *Compiled) SomeRows() error { return c.byRows(c.given) }

// LeftOut says why rows of the model cannot be left out and predicted by the others; nil where
// they can. Values of all rows of the covariates, such as mean(x), may stay those of all rows:
// they say nothing of what is observed. They have to be given, where ByRows has an error.
func (c *Compiled) LeftOut() error {
	if c.ByRows() == nil {
		return nil
	}
	for _, err := range []error{c.SomeRows(), c.learnt} {
		if err != nil {
			return err
		}
	}
	return nil
}

// learnt says which constant is computed of observed values.
func learnt(funcs []*ir.Func, spec *model.Spec) error {
	for _, f := range funcs {
		if f.ID.Kind != fn.Constants {
			continue
		}
		for _, v := range f.Values() {
			if v.Op == ir.OpData && slices.ContainsFunc(spec.Sites,
				func(s model.Site) bool { return s.Name == v.Name }) {
				return fmt.Errorf("a value without the axis %s is computed of all rows of %s, which "+
					"are observed: compute it beforehand, and give it as an input of its own",
					spec.RowDim, v.Name)
			}
		}
	}
	return nil
}

// Shards says why rows of the model cannot be looked at in shards, on machines that know
// neither the other rows nor how many there are; nil where they can.
func (c *Compiled) Shards() error {
	for _, coupled := range []error{c.coupled, c.given, c.sized} {
		if err := c.byRows(coupled); err != nil {
			return err
		}
	}
	return nil
}

// sized says which function of shards has the number of all rows as a number. The functions of full
// passes, except for their sums, know all rows.
func sized(funcs []*ir.Func, dim string) error {
	counts := func(v *ir.Value) bool { return v.Op == ir.OpSize && v.Off.Mentions(dim) }
	counted := countedConstants(funcs, counts)
	for _, f := range funcs {
		switch f.ID.Kind {
		case fn.Constants, fn.Totals, fn.Full:
			continue
		}
		for _, v := range f.Values() {
			if counts(v) || v.Op == ir.OpData && counted[v.Name] {
				return fmt.Errorf("the number of rows, %s, is a number of the model", dim)
			}
		}
	}
	return nil
}

// countedConstants are those that read what counts says.
func countedConstants(funcs []*ir.Func, counts func(v *ir.Value) bool) map[string]bool {
	counted := map[string]bool{}
	for _, f := range funcs {
		if f.ID.Kind != fn.Constants {
			continue
		}
		for _, o := range f.Outputs {
			counted[o.Name] = slices.ContainsFunc(ir.Reach(o.Value), counts)
		}
	}
	return counted
}

func (c *Compiled) byRows(coupled error) error {
	dim := c.Spec.RowDim
	if dim == "" {
		return fmt.Errorf("the model has no axis that can be minibatched")
	}
	for _, in := range c.Spec.Schema.Inputs {
		for k, p := range in.Shape {
			if name, one := p.Name(); p.Mentions(dim) && (k > 0 || !one || name != dim) {
				return fmt.Errorf("%s : %s has the axis %s elsewhere than first", in.Name,
					in.Type(), dim)
			}
		}
	}
	for _, p := range c.Spec.Params {
		if slices.ContainsFunc(p.Shape, func(s size.Poly) bool { return s.Mentions(dim) }) {
			return fmt.Errorf("the param %s is as long as the data have rows", p.Name)
		}
	}
	for _, t := range c.Spec.Tracks {
		if slices.ContainsFunc(t.Shape, func(s size.Poly) bool { return s.Mentions(dim) }) {
			return fmt.Errorf("the tracked value %s is as long as the data have rows", t.Name)
		}
	}
	return coupled
}

// coupled says what in the functions takes several rows together, other than by
// sums over minibatches. given says that constants are: what computes them is not looked at, but
// the number of rows must not stand elsewhere.
func coupled(funcs []*ir.Func, dim string, given bool) error {
	if dim == "" {
		return nil
	}
	for _, f := range funcs {
		var why func(v *ir.Value) string
		switch {
		case f.ID.Kind == fn.Derive || f.ID.Kind.Early():
			why = func(v *ir.Value) string { return alongRows(v, dim) }
		case f.ID.Kind == fn.Statistics || f.ID.Kind == fn.Totals || f.ID.Kind == fn.Full:
			continue // of full passes alone
		case f.ID.Kind == fn.Constants && given:
			continue
		case f.ID.Kind == fn.Constants:
			why = func(v *ir.Value) string {
				if v.Op == ir.OpData && slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool {
					return a.Size.Mentions(dim)
				}) {
					return fmt.Sprintf("a value without the axis %s is computed of all rows of "+
						"%s, as mean(%s) is: compute it beforehand, and give it as an input of its own", dim, v.Name,
						v.Name)
				}
				return ""
			}
		default:
			why = func(v *ir.Value) string {
				if v.Op == ir.OpData && v.RowAxis() == nil && slices.ContainsFunc(v.Axes,
					func(a *ir.Axis) bool { return a.Size.Mentions(dim) }) {
					return "all rows of " + v.Name + " are read together"
				}
				return ""
			}
		}
		for _, v := range f.Values() {
			if text := why(v); text != "" {
				return errors.New(text)
			}
			if given && v.Op == ir.OpSize && v.Off.Mentions(dim) {
				return fmt.Errorf("the number of rows, %s, is a number of the model", dim)
			}
		}
	}
	return nil
}

// countsRows reports whether gradients depend on the number of rows, other than by the weight of a
// minibatch.
func countsRows(funcs []*ir.Func, dim string) bool {
	counts := func(v *ir.Value) bool { return v.Op == ir.OpSize && v.Off.Mentions(dim) }
	counted := countedConstants(funcs, counts)
	for _, f := range funcs {
		if f.ID.Kind != fn.Gradient && f.ID.Kind != fn.Difference && f.ID.Kind != fn.Locals &&
			f.ID.Kind != fn.Constrain {
			continue
		}
		if slices.ContainsFunc(f.Values(), func(v *ir.Value) bool {
			return counts(v) || v.Op == ir.OpData && counted[v.Name]
		}) {
			return true
		}
	}
	return false
}

// Grows says why rows of the model cannot be added to those of a run; nil where
// they can.
func (c *Compiled) Grows() error {
	if c.counted {
		return fmt.Errorf("the number of rows is a number of the model, %s, and not only how "+
			"many there are", c.Spec.RowDim)
	}
	return nil
}

// alongRows says how a value of data alone depends on other rows than its own.
func alongRows(v *ir.Value, dim string) string {
	long := func(a *ir.Axis) bool { return a != nil && a.Size.Mentions(dim) }
	switch {
	case v.Op == ir.OpSize && v.Off.Mentions(dim):
		return "the number of rows goes into a value of each of them"
	case v.Op == ir.OpIota && slices.ContainsFunc(v.Axes, long):
		return "the number of a row goes into its value"
	case v.Op == ir.OpRename, v.Op == ir.OpExtend && whole(v.Over, v.To, dim):
		return ""
	case slices.ContainsFunc(v.Over, long) || long(v.To):
		return v.Op.Name + " goes along the rows"
	}
	return ""
}

// whole reports whether both axes are those of all rows.
func whole(over []*ir.Axis, to *ir.Axis, dim string) bool {
	all := size.Dim(dim)
	return to != nil && to.Size.Equal(all) &&
		!slices.ContainsFunc(over,
			func(a *ir.Axis) bool { return a.Size.Mentions(dim) && !a.Size.Equal(all) })
}

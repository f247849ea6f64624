package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/size"
)

// ByRows says why the rows of the model cannot be read as they are needed, some
// at a time; nil where they can.
func (c *Compiled) ByRows() error {
	dim := c.Spec.RowDim
	if dim == "" {
		return fmt.Errorf("the model has no axis that can be minibatched")
	}
	if len(c.Fitted) > 0 {
		return fmt.Errorf("a value without the axis %s is computed of all rows, as mean(x) is: compute it beforehand, and give it as an input of its own", dim)
	}
	for _, in := range c.Spec.Schema.Inputs {
		for k, p := range in.Shape {
			if name, one := p.Name(); mentions(p, dim) && (k > 0 || !one || name != dim) {
				return fmt.Errorf("%s : %s has the axis %s elsewhere than first", in.Name, in.Type(), dim)
			}
		}
	}
	for _, p := range c.Spec.Params {
		if slices.ContainsFunc(p.Shape, func(s size.Poly) bool { return mentions(s, dim) }) {
			return fmt.Errorf("the param %s is as long as the data have rows", p.Name)
		}
	}
	for _, t := range c.Spec.Tracks {
		if slices.ContainsFunc(t.Shape, func(s size.Poly) bool { return mentions(s, dim) }) {
			return fmt.Errorf("the tracked value %s is as long as the data have rows", t.Name)
		}
	}
	return c.coupled
}

func mentions(p size.Poly, dim string) bool { return slices.Contains(p.Dims(), dim) }

// coupled says what in the functions takes several rows together, other than by
// sums over minibatches.
func coupled(funcs []*ir.Func, dim string) error {
	if dim == "" {
		return nil
	}
	for _, f := range funcs {
		var why func(v *ir.Value) string
		switch {
		case f.Name == "derive" || strings.HasPrefix(f.Name, "default ") || strings.HasPrefix(f.Name, "check "):
			why = func(v *ir.Value) string { return alongRows(v, dim) }
		case f.Name == model.StatisticsFunction || f.Name == model.FullFunction || f.Name == "constants":
			continue // of full passes alone; what constants there are, is known
		default:
			why = func(v *ir.Value) string {
				if v.Op == ir.OpData && v.RowAxis() == nil && slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return mentions(a.Size, dim) }) {
					return "all rows of " + v.Name + " are read together"
				}
				return ""
			}
		}
		for _, v := range f.Values() {
			if text := why(v); text != "" {
				return fmt.Errorf("%s (function %s)", text, f.Name)
			}
		}
	}
	return nil
}

// alongRows says how a value of data alone depends on other rows than its own.
func alongRows(v *ir.Value, dim string) string {
	long := func(a *ir.Axis) bool { return a != nil && mentions(a.Size, dim) }
	switch {
	case v.Op == ir.OpSize && mentions(v.Off, dim):
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

// whole says whether both axes are those of all rows.
func whole(over []*ir.Axis, to *ir.Axis, dim string) bool {
	all := size.Dim(dim)
	return to != nil && to.Size.Equal(all) && !slices.ContainsFunc(over, func(a *ir.Axis) bool { return mentions(a.Size, dim) && !a.Size.Equal(all) })
}

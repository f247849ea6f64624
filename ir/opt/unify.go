package opt

import "github.com/sgppl/sgppl/ir"

// Unify: rename x [N.1] to n.2, where no value has both axes
//
//	→ x [n.2] throughout; the rename is gone, and both sides may fuse.
func Unify(b *ir.Builder, f *ir.Func) *ir.Func {
	values := f.Values()
	parent := map[*ir.Axis]*ir.Axis{}
	var find func(a *ir.Axis) *ir.Axis
	find = func(a *ir.Axis) *ir.Axis {
		if p, ok := parent[a]; ok {
			return find(p)
		}
		return a
	}
	for _, v := range values {
		if !is(v, ir.OpRename) {
			continue
		}
		from, to := find(v.Over[0]), find(v.To)
		if from == to || meet(values, find, from, to) || meetOutputs(f, find, from, to) || from.Rows != to.Rows {
			continue
		}
		parent[from] = to
	}
	if len(parent) == 0 {
		return f
	}
	out := ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		w := *v
		w.Axes = mapAxes(v.Axes, find)
		w.Over = mapAxes(v.Over, find)
		if v.To != nil {
			w.To = find(v.To)
		}
		if is(v, ir.OpRename) && w.Over[0] == w.To {
			return args[0]
		}
		if v.Op.Class == ir.Leaf {
			return b.Make(w)
		}
		return b.Like(&w, args)
	})
	for i := range out.Outputs {
		out.Outputs[i].Axes = mapAxes(out.Outputs[i].Axes, find)
	}
	return out
}

// meet reports whether joining the axes would put one axis twice somewhere:
// in a value, between a value and what it sums, or between an operand and
// the axis a move goes to.
func meet(values []*ir.Value, find func(*ir.Axis) *ir.Axis, x, y *ir.Axis) bool {
	for _, v := range values {
		var hasX, hasY bool
		look := func(a *ir.Axis) {
			hasX = hasX || find(a) == x
			hasY = hasY || find(a) == y
		}
		for _, a := range v.Axes {
			look(a)
		}
		for _, a := range v.Over {
			if !is(v, ir.OpRename) || v.Axes == nil {
				look(a)
			}
		}
		if v.To != nil && !is(v, ir.OpRename) {
			look(v.To)
		}
		for _, arg := range v.Args {
			if is(v, ir.OpRename) {
				break
			}
			for _, a := range arg.Axes {
				look(a)
			}
		}
		if hasX && hasY {
			return true
		}
	}
	return false
}

func meetOutputs(f *ir.Func, find func(*ir.Axis) *ir.Axis, x, y *ir.Axis) bool {
	for _, o := range f.Outputs {
		var hasX, hasY bool
		for _, a := range o.Axes {
			hasX = hasX || find(a) == x
			hasY = hasY || find(a) == y
		}
		if hasX && hasY {
			return true
		}
	}
	return false
}

func mapAxes(axes []*ir.Axis, find func(*ir.Axis) *ir.Axis) []*ir.Axis {
	if axes == nil {
		return nil
	}
	out := make([]*ir.Axis, len(axes))
	for i, a := range axes {
		out[i] = find(a)
	}
	return out
}

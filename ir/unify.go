package ir

// Unify makes axes that a rename connects one:
//
//	rename x [N.1] to n.2, where no value has both axes
//
//	→ x [n.2] throughout; the rename is gone, and both sides may fuse.
//
// Axes of different dims, which a reshape connects where their sizes are the same, stay two: the
// sides of a square matrix must be of one dim.
func Unify(b *Builder, f *Func) *Func {
	values := f.Values()
	parent := map[*Axis]*Axis{}
	var find func(a *Axis) *Axis
	find = func(a *Axis) *Axis {
		if p, ok := parent[a]; ok {
			return find(p)
		}
		return a
	}
	for _, v := range values {
		if v.Op != OpRename {
			continue
		}
		from, to := find(v.Over[0]), find(v.To)
		if from == to || meet(values, find, from, to) || meetOutputs(f, find, from, to) ||
			from.Rows != to.Rows || !from.Size.Equal(to.Size) {
			continue
		}
		parent[from] = to
	}
	if len(parent) == 0 {
		return f
	}
	return replaced(b, f, find)
}

// Replace puts an axis in place of another, throughout.
func Replace(b *Builder, f *Func, from, to *Axis) *Func {
	return replaced(b, f, func(a *Axis) *Axis {
		if a == from {
			return to
		}
		return a
	})
}

// replaced has for each axis another.
func replaced(b *Builder, f *Func, find func(a *Axis) *Axis) *Func {
	out := RewriteFunc(b, f, func(b *Builder, v *Value, args []*Value) *Value {
		w := *v
		w.Axes = mapAxes(v.Axes, find)
		w.Over = mapAxes(v.Over, find)
		if v.To != nil {
			w.To = find(v.To)
		}
		if v.Op == OpRename && w.Over[0] == w.To {
			return args[0]
		}
		if v.Op.Class == Leaf {
			return b.Make(w)
		}
		return b.Like(&w, args)
	})
	for i := range out.Outputs {
		out.Outputs[i].Axes = mapAxes(out.Outputs[i].Axes, find)
	}
	return out
}

// meet reports whether joining two axes would make one axis occur twice in the same place: in a
// value, in a value and the axes that it sums over, or in an operand and the axis that a move goes
// to.
func meet(values []*Value, find func(*Axis) *Axis, x, y *Axis) bool {
	for _, v := range values {
		var hasX, hasY bool
		look := func(a *Axis) {
			hasX = hasX || find(a) == x
			hasY = hasY || find(a) == y
		}
		for _, a := range v.Axes {
			look(a)
		}
		for _, a := range v.Over {
			if v.Op != OpRename || v.Axes == nil {
				look(a)
			}
		}
		if v.To != nil && v.Op != OpRename {
			look(v.To)
		}
		for _, arg := range v.Args {
			if v.Op == OpRename {
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

func meetOutputs(f *Func, find func(*Axis) *Axis, x, y *Axis) bool {
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

func mapAxes(axes []*Axis, find func(*Axis) *Axis) []*Axis {
	if axes == nil {
		return nil
	}
	out := make([]*Axis, len(axes))
	for i, a := range axes {
		out[i] = find(a)
	}
	return out
}

package ir

import "slices"

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
	if !slices.ContainsFunc(values, func(v *Value) bool { return v.Op == OpRename }) {
		return f
	}
	parent := map[*Axis]*Axis{}
	var find func(a *Axis) *Axis
	find = func(a *Axis) *Axis {
		if p, ok := parent[a]; ok {
			return find(p)
		}
		return a
	}
	m := meetings(f, values)
	for _, v := range values {
		if v.Op != OpRename {
			continue
		}
		from, to := find(v.Over[0]), find(v.To)
		if from == to || m.meet(from, to) || from.Rows != to.Rows || !from.Size.Equal(to.Size) {
			continue
		}
		parent[from] = to
		m.join(from, to)
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

// A meeting knows which axes occur in the same place: in a value, in a value and the axes that it
// sums over, or in an operand and the axis that a move goes to. Joining two of them would make one
// axis occur twice there.
type meeting struct {
	number map[*Axis]int
	with   [][]uint64 // with[i] has bit j if the axes of these numbers occur in one place
}

// meetings are those of the axes of a function, whose values are given.
func meetings(f *Func, values []*Value) *meeting {
	m := &meeting{number: map[*Axis]int{}}
	each := func(visit func(place []*Axis)) {
		var place []*Axis
		for _, v := range values {
			place = append(place[:0], v.Axes...)
			if v.Op != OpRename || v.Axes == nil {
				place = append(place, v.Over...)
			}
			if v.Op != OpRename {
				if v.To != nil {
					place = append(place, v.To)
				}
				for _, arg := range v.Args {
					place = append(place, arg.Axes...)
				}
			}
			visit(place)
		}
		for _, o := range f.Outputs {
			visit(o.Axes)
		}
	}
	each(func(place []*Axis) {
		for _, a := range place {
			if _, is := m.number[a]; !is {
				m.number[a] = len(m.number)
			}
		}
	})
	words := (len(m.number) + 63) / 64
	all := make([]uint64, len(m.number)*words)
	for range m.number {
		m.with, all = append(m.with, all[:words]), all[words:]
	}
	bits := make([]uint64, words)
	each(func(place []*Axis) {
		for _, a := range place {
			set(bits, m.number[a])
		}
		for _, a := range place {
			merge(m.with[m.number[a]], bits)
		}
		clear(bits)
	})
	return m
}

func set(bits []uint64, i int) { bits[i/64] |= 1 << (i % 64) }

func merge(to, from []uint64) {
	for i, x := range from {
		to[i] |= x
	}
}

// meet reports whether two axes, or axes that were joined with them, occur in the same place.
func (m *meeting) meet(x, y *Axis) bool {
	i, known := m.number[x]
	j, too := m.number[y]
	return known && too && m.with[i][j/64]>>(j%64)&1 == 1
}

// join makes y stand for x as well.
func (m *meeting) join(x, y *Axis) {
	i, known := m.number[x]
	if !known {
		return
	}
	j, known := m.number[y]
	if !known {
		m.number[y] = i
		return
	}
	merge(m.with[j], m.with[i])
	for k := range m.with {
		if m.with[i][k/64]>>(k%64)&1 == 1 {
			set(m.with[k], j)
		}
	}
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

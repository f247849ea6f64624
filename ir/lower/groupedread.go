package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
)

// A groupedRead is an entry of a grouped unknown that a term reads: an index
// along every axis of the unknown, computed from plates and data.
type groupedRead struct {
	of *Grouped
	at []*ir.Value
}

// entries returns the value of a term with each unknown replaced by the axis of its possible
// values, and the distinct entries that the term reads.
func (l *Model) entries(t Term) (*ir.Value, []groupedRead) {
	r := &groupReader{l: l, t: t, reads: map[*ir.Value]bool{}}
	for _, x := range ir.Reach(t.V) {
		r.reads[x] = l.groupedLeaf(x) != nil ||
			slices.ContainsFunc(x.Args, func(y *ir.Value) bool { return r.reads[y] })
	}
	return r.value(t.V, nil), r.found
}

// A groupReader moves the choice of entries towards the leaves of the unknowns:
// f(z)[ii[n]] becomes f(z[ii[n]]).
type groupReader struct {
	l     *Model
	t     Term
	reads map[*ir.Value]bool // values that depend on a grouped unknown
	found []groupedRead
}

// A choice replaces an axis by an index along it.
type choice struct {
	axis  *ir.Axis
	index *ir.Value
}

// value returns v with the axis of every choice replaced by its index.
func (r *groupReader) value(v *ir.Value, by []choice) *ir.Value {
	b := r.l.B
	by = slices.DeleteFunc(slices.Clone(by), func(c choice) bool { return !v.Has(c.axis) })
	if !r.reads[v] {
		return r.chosen(v, by)
	}
	if u := r.l.groupedLeaf(v); u != nil {
		return r.entry(u, v, by)
	}
	arg := func(a *ir.Axis, index *ir.Value) *ir.Value {
		return r.value(v.Args[0], append(slices.Clone(by), choice{a, r.chosen(index, by)}))
	}
	switch v.Op {
	case ir.OpRename:
		return arg(v.Over[0], b.Iota(v.To))
	case ir.OpSlice:
		return arg(v.Over[0], b.Add(b.Iota(v.To), b.Size(v.Off)))
	case ir.OpAt:
		return arg(v.Over[0], b.Size(v.Off))
	case ir.OpGather:
		return r.gather(v, by)
	case ir.OpLayout:
		return r.value(v.Args[0], by)
	case ir.OpScan, ir.OpOde:
		u := r.l.GroupedIn(v)
		r.l.Fail(limits.StrategyNotLowered, r.t.Span,
			"%s cannot be summed out: a recurrence reads its entries here", u.Name)
	}
	if byEach(v, by) {
		return b.Like(v, r.args(v, by))
	}
	return r.chosen(b.Like(v, r.args(v, nil)), by)
}

func (r *groupReader) args(v *ir.Value, by []choice) []*ir.Value {
	out := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		out[i] = r.value(a, by)
	}
	return out
}

// gather lowers an array read at an index, either of which may depend on an unknown.
func (r *groupReader) gather(v *ir.Value, by []choice) *ir.Value {
	b, x, index, along := r.l.B, v.Args[0], v.Args[1], v.Over[0]
	if r.reads[x] && !r.reads[index] {
		return r.value(x, append(ofOthers(by, along), choice{along, r.chosen(index, by)}))
	}
	return b.Gather(r.value(x, ofOthers(by, along)), r.value(index, by), along)
}

// ofOthers returns the choices without those on the axis a, which the op binds.
func ofOthers(by []choice, a *ir.Axis) []choice {
	return slices.DeleteFunc(slices.Clone(by), func(c choice) bool { return c.axis == a })
}

// byEach reports whether an op can be applied to the chosen entries only: it does not work along
// the axis of a choice or of its index.
func byEach(v *ir.Value, by []choice) bool {
	switch v.Op.Class {
	case ir.Map:
		return true
	case ir.Reduce, ir.Product, ir.Structured:
	default:
		return false
	}
	return !slices.ContainsFunc(by, func(c choice) bool {
		along := func(a *ir.Axis) bool { return a == c.axis || c.index.Has(a) }
		return slices.ContainsFunc(v.Over, along) || v.To != nil && along(v.To)
	})
}

// chosen returns v, which reads no unknown, at the chosen entries.
func (r *groupReader) chosen(v *ir.Value, by []choice) *ir.Value {
	b := r.l.B
	// An index may run along an axis that is replaced too, so all are first renamed to temporary axes.
	type step struct {
		axis  *ir.Axis
		index *ir.Value
	}
	var steps []step
	for _, c := range by {
		if v.Has(c.axis) && c.index != b.Iota(c.axis) {
			a := b.Axis(c.axis.Name, c.axis.Size)
			a.Dim, a.Lo = c.axis.Dim, c.axis.Lo
			v = b.Rename(v, c.axis, a)
			steps = append(steps, step{a, c.index})
		}
	}
	for _, s := range steps {
		if s.index.Op == ir.OpIota && s.index.Axes[0].Size.Equal(s.axis.Size) &&
			!v.Has(s.index.Axes[0]) {
			v = b.Rename(v, s.axis, s.index.Axes[0])
		} else {
			v = b.Gather(v, s.index, s.axis)
		}
	}
	return v
}

// entry records which entry of an unknown is read, and returns the values that it can take.
func (r *groupReader) entry(u *Grouped, v *ir.Value, by []choice) *ir.Value {
	b := r.l.B
	at := make([]*ir.Value, len(v.Axes))
	for j, a := range v.Axes {
		at[j] = b.Iota(a)
		for _, c := range by {
			if c.axis == a {
				at[j] = c.index
			}
		}
	}
	if !slices.ContainsFunc(r.found, func(x groupedRead) bool {
		return x.of == u && sameEntry(x.at, at)
	}) {
		r.found = append(r.found, groupedRead{u, at})
	}
	return b.Iota(u.Axis)
}

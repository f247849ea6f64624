package lower

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/collapse"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Grouped unknown is a discrete param with several entries that are summed out one by
// one: given the other params, the entries are independent, since every term reads only
// one of them. With z[ii[n]] in the terms of rows n,
//
//	log p(y) = Σ_i log Σ_k p(z_i = k) Π_{n: ii[n] = i} p(y_n | k).
//
// While the statements are lowered, the unknown is a leaf with the axes of its shape. At
// the end of the model the leaf is replaced by an axis of its possible values, and terms
// are added up by the entry that they read.
type Grouped struct {
	Summed
	leaf   *ir.Value
	family []*ir.Axis // the axes of its entries; unknowns of one shape share them
	span   source.Span
}

// groupedMark is the prefix of the names of grouped leaves. No name in a model has it.
const groupedMark = "grouped "

// declareGrouped declares a discrete param with several entries.
func (l *Model) declareGrouped(s *check.Symbol, g *ast.Group, i int) {
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	if slices.ContainsFunc(s.Type.Shape, ragged) || slices.ContainsFunc(s.Type.Shape, l.isRagged) {
		l.Fail(limits.StrategyNotLowered, g.Vars[i].Span,
			"the entries of %s go by a ragged size, and are not summed out: declare a local in "+
				"the plates over them, or give them one dim", s.Name)
	}
	u := &Grouped{span: g.Vars[i].Span}
	u.Name = s.Name
	u.Axis = l.B.Axis(lowerName(s.Name), l.valuesOf(s.Type))
	u.family = l.familyLike(l.shape(s.Type.Shape))
	u.Plates = u.family
	axes := l.axesOf(s.Type.Shape)
	u.leaf = l.B.Leaf(ir.OpState, fmt.Sprintf("%s%d %s", groupedMark, len(l.grouped), s.Name),
		axes...)
	l.frame.values[s] = tensor{v: u.leaf, axes: axes}
	l.grouped = append(l.grouped, u)
	if g.Prior != nil {
		d := l.bindUse(s.Prior, Variate{V: u.leaf, Family: axes}, g.Prior.Span)
		l.Terms = append(l.Terms,
			Term{V: l.prior(s.Prior, d, u.leaf, &Param{Type: s.Type}, nil, nil), Over: axes,
				Span: g.Prior.Span, Prior: true, Site: s.Name})
	}
}

// valuesOf returns the number of values of a discrete type that has finitely many.
func (l *Model) valuesOf(t types.Type) size.Poly {
	if t.Kind == types.Index {
		return l.Size(t.Below)
	}
	return sizeNumber(2)
}

// familyLike returns the axes of an earlier grouped unknown of the same shape, or new
// ones if there is none.
func (l *Model) familyLike(shape types.Shape) []*ir.Axis {
	for _, u := range l.grouped {
		if shape.Equal(ir.Sizes(u.family)) {
			return u.family
		}
	}
	return l.axesOf(shape)
}

// is reports whether a value is the leaf of the unknown, or that leaf with renamed axes.
func (u *Grouped) is(v *ir.Value) bool { return v.Op == ir.OpState && v.Name == u.leaf.Name }

// GroupedIn returns the first grouped unknown that a value reads; nil without one.
func (l *Model) GroupedIn(v *ir.Value) *Grouped {
	if len(l.grouped) == 0 || v == nil || !v.State() {
		return nil
	}
	for _, x := range ir.Reach(v) {
		if u := l.groupedLeaf(x); u != nil {
			return u
		}
	}
	return nil
}

func (l *Model) groupedLeaf(v *ir.Value) *Grouped {
	for _, u := range l.grouped {
		if u.is(v) {
			return u
		}
	}
	return nil
}

// groupedNamed returns the grouped unknown with a name.
func (l *Model) groupedNamed(name string) *Grouped {
	for _, u := range l.grouped {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// sumGrouped sums out the grouped unknowns, after all statements are lowered.
func (l *Model) sumGrouped() {
	if len(l.grouped) == 0 || l.o.Laws {
		return
	}
	l.groupedGone()
	all := l.Terms
	l.Terms = nil
	for _, t := range all {
		l.Try(func() { l.Terms = append(l.Terms, l.group(t)...) })
	}
	var list []*Summed
	for _, u := range l.grouped {
		list = append(list, &u.Summed)
	}
	l.sumOut(0, list)
}

// groupedGone refuses uses of a grouped unknown outside terms: once summed out, it has no
// value.
func (l *Model) groupedGone() {
	gone := func(v *ir.Value, at source.Span, what string) {
		if u := l.GroupedIn(v); u != nil {
			l.QuietFail(limits.StrategyNotLowered, at,
				"%s reads %s, which is summed out and has no value in a draw", what, u.Name)
		}
	}
	for _, t := range l.tracks {
		gone(t.t.v, t.sym.Span, "the track "+t.sym.Name)
	}
	for _, p := range l.Params {
		if p.LogJ != nil {
			gone(l.B.Add(l.B.Sum(p.X, p.X.Axes...), l.B.Sum(p.LogJ, p.LogJ.Axes...)), l.FileStart(),
				"the interval of "+p.Name)
		}
	}
}

// group splits a term into terms that each read one entry of the grouped unknowns per
// entry of the term, and adds them up by that entry, so that the results have the axes of
// the unknowns. A term that reads no grouped unknown is returned unchanged.
func (l *Model) group(t Term) []Term {
	if l.GroupedIn(t.V) == nil {
		return []Term{t}
	}
	v, reads := l.entries(t)
	if bad := l.apart(t, reads); bad != "" {
		parts := l.summands(t)
		if len(parts) == 1 && parts[0].V == t.V {
			l.Fail(limits.StrategyNotLowered, t.Span, "%s", bad)
		}
		var out []Term
		for _, p := range parts {
			out = append(out, l.group(p)...)
		}
		return out
	}
	u := reads[0]
	t.V = l.collected(v, t.Over, u.at, u.of.family)
	t.Over, t.Seen = u.of.family, nil
	return []Term{t}
}

// apart returns the reason why the entries that a term reads cannot be summed out one by one; "" if
// they can.
func (l *Model) apart(t Term, reads []groupedRead) string {
	first := reads[0]
	for _, r := range reads {
		for _, index := range r.at {
			if len(ir.Without(index.Axes, t.Over)) > 0 {
				return fmt.Sprintf("%s cannot be summed out: a term here depends on many of its "+
					"entries at once, which would take a sum over all their values together",
					r.of.Name)
			}
			if index.State() {
				return fmt.Sprintf("%s cannot be summed out: which of its entries stands here "+
					"depends on an unknown", r.of.Name)
			}
		}
	}
	for _, r := range reads[1:] {
		switch {
		case r.of == first.of && !sameEntry(r.at, first.at):
			return fmt.Sprintf("%s cannot be summed out: a term here depends on two of its "+
				"entries, which ties them together; a hidden Markov chain is a scan over its "+
				"forward probabilities", r.of.Name)
		case r.of != first.of &&
			!(slices.Equal(r.of.family, first.of.family) && sameEntry(r.at, first.at)):
			return fmt.Sprintf("%s and %s cannot be summed out: a term here depends on entries "+
				"of both that are not chosen by one index, which ties many of them together",
				first.of.Name, r.of.Name)
		}
	}
	return ""
}

// sameEntry reports whether two lists of indices choose the same entry.
func sameEntry(x, y []*ir.Value) bool {
	return slices.EqualFunc(x, y,
		func(a, b *ir.Value) bool { return sameIndex(a, b, map[*ir.Axis]*ir.Axis{}) })
}

// sameIndex reports whether two values are equal by construction: the same operations on
// the same leaves, up to axes that are added and removed again.
func sameIndex(x, y *ir.Value, same map[*ir.Axis]*ir.Axis) bool {
	switch {
	case x == y:
		return true
	case x.Op == ir.OpData || collapse.Selects(x.Op):
		return collapse.Alike(x, y, same) &&
			(len(x.Args) == 0 || sameIndex(x.Args[0], y.Args[0], same))
	}
	return false
}

// summands returns the summands of a term, so that each can be attributed to one entry
// of an unknown.
func (l *Model) summands(t Term) []Term {
	b := l.B
	with := func(v *ir.Value, over []*ir.Axis) Term {
		p := t
		p.V, p.Over, p.Seen = v, over, nil
		return p
	}
	free := func(v *ir.Value, axes []*ir.Axis) bool { return !slices.ContainsFunc(axes, v.Has) }
	// each splits one argument and applies the operation to every part.
	each := func(x *ir.Value, put func(x *ir.Value) *ir.Value, others ...*ir.Value) []Term {
		var out []Term
		for _, p := range l.summands(with(x, t.Over)) {
			more := ir.Without(p.Over, t.Over)
			for _, o := range others {
				if !free(o, more) {
					return []Term{t}
				}
			}
			out = append(out, with(put(p.V), p.Over))
		}
		return out
	}
	v := t.V
	same := func(x *ir.Value) *ir.Value { return x }
	switch {
	case l.GroupedIn(v) == nil:
	case v.Op == ir.OpAdd:
		return append(each(v.Args[0], same), each(v.Args[1], same)...)
	case v.Op == ir.OpSub:
		return append(each(v.Args[0], same), each(v.Args[1], b.Neg)...)
	case v.Op == ir.OpNeg:
		return each(v.Args[0], b.Neg)
	case v.Op == ir.OpSum && disjoint(v.Over, t.Over):
		return l.summands(with(v.Args[0], append(slices.Clone(t.Over), v.Over...)))
	case v.Op == ir.OpMul && l.GroupedIn(v.Args[0]) == nil:
		return each(v.Args[1], func(x *ir.Value) *ir.Value { return b.Mul(v.Args[0], x) },
			v.Args[0])
	case v.Op == ir.OpMul && l.GroupedIn(v.Args[1]) == nil:
		return each(v.Args[0], func(x *ir.Value) *ir.Value { return b.Mul(x, v.Args[1]) },
			v.Args[1])
	case v.Op == ir.OpDiv && l.GroupedIn(v.Args[1]) == nil:
		return each(v.Args[0], func(x *ir.Value) *ir.Value { return b.Div(x, v.Args[1]) },
			v.Args[1])
	case v.Op == ir.OpSelect && l.GroupedIn(v.Args[0]) == nil && v.Args[2].Is(0):
		return each(v.Args[1],
			func(x *ir.Value) *ir.Value { return b.Map(ir.OpSelect, v.Args[0], x, v.Args[2]) },
			v.Args[0])
	}
	return []Term{t}
}

// disjoint reports whether two lists of axes have no axis in common.
func disjoint(x, y []*ir.Axis) bool { return len(ir.Without(x, y)) == len(x) }

// collected adds up the entries of a term by the entry of the unknown that each reads. at
// has an index for every axis of the unknown's family; the result has these axes.
func (l *Model) collected(
	v *ir.Value, over []*ir.Axis, at []*ir.Value, family []*ir.Axis,
) *ir.Value {
	b := l.B
	used := map[*ir.Axis]int{}
	for _, index := range at {
		for _, a := range index.Axes {
			used[a]++
		}
	}
	gone := slices.DeleteFunc(slices.Clone(over), func(a *ir.Axis) bool { return used[a] > 0 })
	v = b.Sum(v, gone...)
	over = ir.Without(over, gone)
	// If the index is that of a plate over the whole axis, nothing is added up.
	var by []int
	for j, index := range at {
		if index.Op == ir.OpIota && used[index.Axes[0]] == 1 &&
			index.Axes[0].Size.Equal(family[j].Size) {
			v = b.Rename(v, index.Axes[0], family[j])
			over = ir.Without(over, index.Axes)
			continue
		}
		by = append(by, j)
	}
	if len(by) == 0 {
		return v
	}
	if len(over) == 0 { // all indices are constants
		for _, j := range by {
			v = b.Map(ir.OpSelect, b.Map(ir.OpEq, b.Iota(family[j]), at[j]), v, b.Num(0))
		}
		return v
	}
	// Several indices are combined into one, in row-major order.
	index, place, n := b.Num(0), b.Num(0), sizeNumber(1)
	for _, j := range slices.Backward(by) {
		index = b.Add(index, b.Mul(at[j], b.Size(n)))
		place = b.Add(place, b.Mul(b.Iota(family[j]), b.Size(n)))
		n = n.Mul(family[j].Size)
	}
	for _, a := range over {
		if mask := l.masks[a]; mask != nil { // padding reads no entry of the unknown
			// The ends of a range may depend on plates that are summed over already. An index outside the
			// range in all their entries is padding.
			if outer := ir.Without(mask.Axes, over); len(outer) > 0 {
				mask = b.Reduce(ir.OpReduceMax, mask, outer...)
			}
			index = b.Map(ir.OpSelect, mask, index, b.Num(0))
		}
	}
	to := family[by[0]]
	if len(by) > 1 {
		to = b.Axis("entry", n)
	}
	v = b.Scatter(v, index, to, append([]*ir.Axis{to}, ir.Without(v.Axes, over)...))
	if len(by) > 1 {
		v = b.Gather(v, place, to)
	}
	return v
}

package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
)

// under lowers an expression that is evaluated where cond is true (or, if truth is false, where it
// is false). Parts of the condition that depend on data alone guard the indices in the expression;
// see guarded.
func (l *Model) under(cond tensor, truth bool, e ast.Expr) tensor {
	taken, unsure := l.taken, l.unsure
	defer func() { l.taken, l.unsure = taken, unsure }()
	l.taken = append([]*ir.Value{}, taken...)
	if len(cond.axes) > 0 {
		l.unsure++ // an elementwise condition does not guard an index as a whole
	} else {
		l.learn(cond.v, truth)
	}
	return l.expr(e)
}

// learn adds to taken the data conditions that follow from cond having the given truth value.
func (l *Model) learn(cond *ir.Value, truth bool) {
	switch {
	case cond.Op == ir.OpNot:
		l.learn(cond.Args[0], !truth)
	case cond.Op == ir.OpAnd && truth, cond.Op == ir.OpOr && !truth:
		l.learn(cond.Args[0], truth)
		l.learn(cond.Args[1], truth)
	case cond.State():
		l.unsure++
	case truth:
		l.taken = append(l.taken, cond)
	default:
		l.taken = append(l.taken, l.B.Map(ir.OpNot, cond))
	}
}

// guarded returns an index with 0 where its branch is not taken and in the padding of rows.
func (l *Model) guarded(index *ir.Value) *ir.Value {
	index = l.unpadded(index)
	for _, cond := range l.taken {
		index = l.B.Map(ir.OpSelect, cond, index, l.B.Num(0))
	}
	return index
}

// unpadded returns an index with 0 in the padding of rows. A discrete unknown stays as it is: its
// values are inside there too, and a chain that draws it recognises a selection only if it reads
// the unknown directly.
func (l *Model) unpadded(index *ir.Value) *ir.Value {
	if _, ok := l.unknownValues(index); ok {
		return index
	}
	for _, a := range index.Axes {
		if mask := l.masks[a]; mask != nil && !plain(index) {
			index = l.B.Map(ir.OpSelect, mask, index, l.B.Num(0))
		}
	}
	return index
}

// plain reports whether an index is read unchanged from data; the padding of data is 0.
func plain(v *ir.Value) bool {
	for v.Op == ir.OpSlice || v.Op == ir.OpRename || v.Op == ir.OpAt {
		v = v.Args[0]
	}
	return v.Op == ir.OpData
}

// unread returns a value that is read at a guarded index, with 0 where its branch is not taken. So
// nothing that the branch computes changes the gradients of unknowns that it reads.
func (l *Model) unread(v *ir.Value) *ir.Value {
	if !v.State() {
		return v
	}
	for _, cond := range l.taken {
		v = l.B.Map(ir.OpSelect, cond, v, l.B.Num(0))
	}
	return v
}

// around returns the axes of the plates and comprehensions in sight whose entries may
// be padding, in one order.
func (l *Model) around() []*ir.Axis {
	var out []*ir.Axis
	for f := l.frame; f != nil; f = f.up {
		for s := range f.values {
			if a := l.bound[s]; a != nil && l.masks[a] != nil && !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	slices.SortFunc(out, func(a, b *ir.Axis) int { return a.ID - b.ID })
	return out
}

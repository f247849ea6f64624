package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// storedEntries returns Σ s·x, where x varies by row and column, as a sum over the stored entries
// of s; nil where x has other axes or another factor is sparse too.
func storedEntries(b *ir.Builder, product *ir.Value, over []*ir.Axis) *sparsePart {
	s, x := sparseFactor(b, factorsOf(product))
	if s == nil || !slices.Contains(over, s.Axes[1]) || !x.Has(s.Axes[0]) || !x.Has(s.Axes[1]) {
		return nil
	}
	own := func(f *ir.Value) bool { return !f.Sparse && f.Has(s.Axes[0]) && f.Has(s.Axes[1]) }
	if !slices.ContainsFunc(factorsOf(product), own) {
		return nil // a product of matrices times a factor of the row
	}
	t := takerOf(b, s)
	if x = t.at(x); t.failed {
		return nil
	}
	return &sparsePart{v: t.where(b.Mul(t.counts(), x)), over: t.axes(over)}
}

// beyondZero returns Σ f(s, r) over the columns of s as Σ f(0, r) plus a sum over stored entries of
// f(s, r) − f(0, r); nil where f is not a function of single entries.
func beyondZero(b *ir.Builder, x *ir.Value, over []*ir.Axis) []sparsePart {
	s := sparseLeaf(x)
	if s == nil || len(s.Axes) != 2 || !slices.Contains(over, s.Axes[1]) {
		return nil
	}
	z := zeroed{b: b, s: s, made: map[*ir.Value]*ir.Value{}}
	zero, t := z.at(x), takerOf(b, s)
	stored, before := t.at(x), t.at(zero)
	if z.failed || t.failed {
		return nil
	}
	out := []sparsePart{{v: t.where(b.Sub(stored, before)), over: t.axes(over)}}
	if zero.Is(0) {
		return out
	}
	return append(denseParts(b, s, []sparsePart{{v: zero, over: over}}), out...)
}

// AtStored splits a term, a row's sparse counts times x: it returns x at every stored entry, the
// counts there, and their axes. For the counts alone, x is 1. It returns nil for other terms.
func AtStored(b *ir.Builder, v *ir.Value, axes []*ir.Axis) (x, counts *ir.Value, at []*ir.Axis) {
	if !madeOfSparse(v, axes) {
		return nil, nil, nil
	}
	s, x := sparseFactor(b, factorsOf(v))
	if s == nil {
		return nil, nil, nil
	}
	t := takerOf(b, s)
	if x = t.at(x); t.failed {
		return nil, nil, nil
	}
	return x, t.counts(), t.axes(axes)
}

// sparseFactor splits factors into the sparse one, which has the entries of a row, and the product
// of the others; nil unless there is exactly one.
func sparseFactor(b *ir.Builder, factors []*ir.Value) (s, x *ir.Value) {
	x = b.Num(1)
	for _, f := range factors {
		switch {
		case !f.Sparse:
			x = b.Mul(x, f)
		case s != nil:
			return nil, nil
		default:
			s = f
		}
	}
	if s == nil || len(s.Axes) != 2 {
		return nil, nil
	}
	return s, x
}

// sparseLeaf returns the only sparse datum that x is an elementwise function of; nil where there is
// none or several.
func sparseLeaf(x *ir.Value) *ir.Value {
	var found *ir.Value
	for _, v := range ir.Reach(x) {
		if !v.Sparse {
			continue
		}
		if found != nil && v != found {
			return nil
		}
		found = v
	}
	return found
}

// reduces reports whether v is computed entry by entry along the axes. Ops that reduce over other
// axes are allowed.
func reduces(v *ir.Value, axes []*ir.Axis) bool {
	switch {
	case v.Op.Class == ir.Map:
		return true
	case is(v, ir.OpSum), is(v, ir.OpContract), is(v, ir.OpLogSumExp):
		return len(ir.Without(v.Over, axes)) == len(v.Over)
	}
	return false
}

// A taker replaces an axis, along a row's entries, by the axis of the stored entries, in a value
// and its arguments.
type taker struct {
	b          *ir.Builder
	s          *ir.Value // the sparse datum
	row, along *ir.Axis
	entry      *ir.Axis
	index      *ir.Value
	made       map[*ir.Value]*ir.Value
	failed     bool // s is used other than entry by entry
}

func takerOf(b *ir.Builder, s *ir.Value) *taker {
	e := b.Axis("entry", data.EntriesDim(s.Name))
	row := s.Axes[0]
	return &taker{b: b, s: s, row: row, along: s.Axes[1], entry: e,
		index: b.Leaf(ir.OpData, data.ColumnsOf(s.Name), row, e), made: map[*ir.Value]*ir.Value{}}
}

// counts returns the stored counts.
func (t *taker) counts() *ir.Value {
	return t.b.Leaf(ir.OpData, data.CountsOf(t.s.Name), t.row, t.entry)
}

// where returns x at stored entries and 0 in padding.
func (t *taker) where(x *ir.Value) *ir.Value {
	zero := t.b.Num(0)
	return t.b.Map(ir.OpSelect, t.b.Map(ir.OpEq, t.counts(), zero), zero, x)
}

// axes replaces the axis of the columns by that of the stored entries.
func (t *taker) axes(over []*ir.Axis) []*ir.Axis {
	return append(ir.Without(over, []*ir.Axis{t.along}), t.entry)
}

// at returns x at the stored entries. Values that all rows share are computed for all entries first
// and then selected; values of a row are computed for the selected entries only.
func (t *taker) at(x *ir.Value) *ir.Value {
	if !x.Has(t.along) {
		return x
	}
	if v := t.made[x]; v != nil {
		return v
	}
	switch {
	case x == t.s:
		t.made[x] = t.counts()
	case x.Sparse:
		t.failed = true
		return x
	case x.Has(t.row) && reduces(x, []*ir.Axis{t.row, t.along}):
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = t.at(a)
		}
		t.made[x] = t.b.Like(x, args)
	case slices.ContainsFunc(ir.Reach(x), func(v *ir.Value) bool { return v.Sparse }):
		t.failed = true
		return x
	case is(x, ir.OpGather) && x.Has(t.row) && x.Args[0].Has(t.along) && !x.Args[0].Has(t.row) &&
		!x.Args[1].Has(t.along):
		// A selection from a selection is made in one step, so that no rows are copied.
		k, n := x.Over[0], t.b.AxisSize(t.along)
		flat := t.b.Axis(k.Name+t.along.Name, k.Size.Mul(t.along.Size))
		at := t.b.Add(t.b.Mul(x.Args[1], n), t.index)
		t.made[x] = t.b.Gather(t.b.Flatten(x.Args[0], []*ir.Axis{k, t.along}, flat), at, flat)
	default:
		t.made[x] = t.b.Gather(x, t.index, t.along)
	}
	return t.made[x]
}

// A zeroed replaces a sparse datum by 0.
type zeroed struct {
	b      *ir.Builder
	s      *ir.Value
	made   map[*ir.Value]*ir.Value
	failed bool
}

func (z *zeroed) at(x *ir.Value) *ir.Value {
	if v := z.made[x]; v != nil {
		return v
	}
	out := x
	switch {
	case x == z.s:
		out = z.b.Num(0)
	case !x.Has(z.s.Axes[1]) || !slices.Contains(ir.Reach(x), z.s):
	case !reduces(x, z.s.Axes):
		z.failed = true
	default:
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = z.at(a)
		}
		if is(x, ir.OpMul) && (args[0].Is(0) || args[1].Is(0)) {
			out = z.b.Num(0) // whatever the other factor is, as for all unstored zeros
		} else {
			out = z.b.Like(x, args)
		}
	}
	z.made[x] = out
	return out
}

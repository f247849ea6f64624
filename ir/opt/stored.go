package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// storedEntries is Σ s·x, with x of the row of s, as a sum over what is stored;
// nil where x is not, or where another factor is sparse too.
func storedEntries(b *ir.Builder, product *ir.Value, over []*ir.Axis) *sparsePart {
	s, x := sparseFactor(b, factorsOf(product))
	if s == nil || !slices.Contains(over, s.Axes[1]) || !x.Has(s.Axes[0]) || !x.Has(s.Axes[1]) {
		return nil
	}
	own := func(f *ir.Value) bool { return !f.Sparse && f.Has(s.Axes[0]) && f.Has(s.Axes[1]) }
	if !slices.ContainsFunc(factorsOf(product), own) {
		return nil // a product of matrices, times what is the row's
	}
	t := takerOf(b, s)
	if x = t.at(x); t.failed {
		return nil
	}
	return &sparsePart{v: t.where(b.Mul(t.counts(), x)), over: t.axes(over)}
}

// beyondZero is Σ f(s, r) over the columns of s as Σ f(0, r), and what the stored
// entries have beyond that; nil where f is not a function of single entries.
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

// AtStored is, of a row's sparse counts times x, the x of every stored entry and
// the counts, along these axes; of sparse counts alone, x is 1. nil for others.
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

// sparseFactor parts factors into the one that is sparse data, of a row's entries,
// and the product of the others; nil where there is not one.
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

// sparseLeaf is the only sparse datum that x is made of entry by entry; nil where
// there is none, and where there are several.
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

// reduces reports whether v is computed of single entries along the axes, or, of
// ops that take away other axes, of what stands at an entry.
func reduces(v *ir.Value, axes []*ir.Axis) bool {
	switch {
	case v.Op.Class == ir.Map:
		return true
	case is(v, ir.OpSum), is(v, ir.OpContract), is(v, ir.OpLogSumExp):
		return len(ir.Without(v.Over, axes)) == len(v.Over)
	}
	return false
}

// A taker takes entries along an axis, a row's own, out of what they are computed of.
type taker struct {
	b          *ir.Builder
	s          *ir.Value // the sparse datum
	row, along *ir.Axis
	entry      *ir.Axis
	index      *ir.Value
	made       map[*ir.Value]*ir.Value
	failed     bool // s is used otherwise than entry by entry
}

func takerOf(b *ir.Builder, s *ir.Value) *taker {
	e := b.Axis("entry", data.EntriesDim(s.Name))
	row := s.Axes[0]
	return &taker{b: b, s: s, row: row, along: s.Axes[1], entry: e,
		index: b.Leaf(ir.OpData, data.ColumnsOf(s.Name), row, e), made: map[*ir.Value]*ir.Value{}}
}

// counts are what is stored.
func (t *taker) counts() *ir.Value {
	return t.b.Leaf(ir.OpData, data.CountsOf(t.s.Name), t.row, t.entry)
}

// where is x at the entries that are stored, and 0 at padding.
func (t *taker) where(x *ir.Value) *ir.Value {
	zero := t.b.Num(0)
	return t.b.Map(ir.OpSelect, t.b.Map(ir.OpEq, t.counts(), zero), zero, x)
}

// axes are these with that of the stored entries in the place of that of the columns.
func (t *taker) axes(over []*ir.Axis) []*ir.Axis {
	return append(ir.Without(over, []*ir.Axis{t.along}), t.entry)
}

// at is x at the index: what all rows share is computed for all entries before,
// what is a row's own for the entries that are taken.
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
		// Entries of entries are taken at once, so that no rows are copied.
		k, n := x.Over[0], t.b.AxisSize(t.along)
		flat := t.b.Axis(k.Name+t.along.Name, k.Size.Mul(t.along.Size))
		at := t.b.Add(t.b.Mul(x.Args[1], n), t.index)
		t.made[x] = t.b.Gather(t.b.Flatten(x.Args[0], []*ir.Axis{k, t.along}, flat), at, flat)
	default:
		t.made[x] = t.b.Gather(x, t.index, t.along)
	}
	return t.made[x]
}

// zeroed puts 0 in the place of a sparse datum.
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
			out = z.b.Num(0) // whatever the other factor is, as everywhere here
		} else {
			out = z.b.Like(x, args)
		}
	}
	z.made[x] = out
	return out
}

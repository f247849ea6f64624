package lower

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// rowify rewrites values along an axis that runs over rows of the minibatch dim onto the row axis
// itself. Values of data alone become columns that are computed once (for a plate over part of the
// dim, the column is shifted into place). Values that depend on unknowns are rebuilt on the row
// axis.
type rowify struct {
	b    *ir.Builder
	axis *ir.Axis // the plate's
	row  *ir.Axis // the minibatch's
	full *ir.Axis // the whole dim's
	done map[*ir.Value]*ir.Value
	err  error
}

func (r *rowify) value(v *ir.Value) *ir.Value {
	if out, ok := r.done[v]; ok {
		return out
	}
	out := r.make(v)
	if out.Hint == "" {
		out.Hint = v.Hint
	}
	r.done[v] = out
	return out
}

func (r *rowify) make(v *ir.Value) *ir.Value {
	if !v.State() {
		if !v.Has(r.axis) {
			return v
		}
		return r.column(v)
	}
	if v.Op == ir.OpCarry {
		axes := append([]*ir.Axis(nil), v.Axes...)
		for i, a := range axes {
			if a == r.axis {
				axes[i] = r.row
			}
		}
		return r.b.CarryLike(v, axes)
	}
	if v.Op == ir.OpLocal && v.Has(r.axis) && r.axis.Size.Equal(r.full.Size) {
		axes := append([]*ir.Axis(nil), v.Axes...)
		for i, a := range axes {
			if a == r.axis {
				axes[i] = r.row
			}
		}
		return r.b.LeafLike(v, axes...)
	}
	if v.Op.Class == ir.Leaf {
		if v.Has(r.axis) {
			r.fail("an unknown has the axis")
		}
		return v
	}
	if v.Op == ir.OpScatter {
		return r.scatter(v)
	}
	for _, a := range v.Over {
		if a == r.axis {
			r.fail(fmt.Sprintf("%s works along it", v.Op.Name))
			return v
		}
	}
	if v.To == r.axis {
		r.fail(fmt.Sprintf("%s makes it", v.Op.Name))
		return v
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = r.value(a)
	}
	return r.b.Like(v, args)
}

// scatter rebuilds a scatter; it fails where the scatter works along the plate's axis.
func (r *rowify) scatter(v *ir.Value) *ir.Value {
	c, index := v.Args[0], v.Args[1]
	if v.To == r.axis || !v.Has(r.axis) && (c.Has(r.axis) || index.Has(r.axis)) {
		r.fail("scatter works along it")
		return v
	}
	axes := append([]*ir.Axis(nil), v.Axes...)
	for i, a := range axes {
		if a == r.axis {
			axes[i] = r.row
		}
	}
	return r.b.Scatter(r.value(c), r.value(index), v.To, axes)
}

func (r *rowify) fail(why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s", why)
	}
}

// column returns a value of data alone at the current rows. A single number per row is computed
// once for all rows. Wider values are computed for each minibatch, so that the data are stored
// once, in their original form.
func (r *rowify) column(v *ir.Value) *ir.Value {
	if v.Op == ir.OpWindow || v.Op == ir.OpWindowMax {
		return r.read(v)
	}
	if v.Op.Class == ir.Map && len(v.Axes) > 1 {
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = r.value(a)
		}
		return r.b.Like(v, args)
	}
	return r.b.Rows(r.b.Extend(v, r.axis, r.full, r.axis.Lo), r.full, r.row)
}

// read returns a value read from data through windows. It is many times as large as the data, so it
// is computed for each minibatch.
func (r *rowify) read(v *ir.Value) *ir.Value {
	switch v.Op {
	case ir.OpWindow, ir.OpWindowMax, ir.OpLayout, ir.OpPad, ir.OpAt:
		if v.Has(r.axis) && len(v.Axes) > 1 && (len(v.Over) == 0 || v.Over[0] != r.axis) {
			return r.b.Like(v, []*ir.Value{r.read(v.Args[0])})
		}
	}
	return r.value(v)
}

// inside is 1 for rows that the plate's axis runs over; nil when it runs over all.
func (r *rowify) inside() *ir.Value {
	if r.axis.Size.Equal(r.full.Size) {
		return nil
	}
	i, b := r.b.Iota(r.full), r.b
	mask := b.Map(ir.OpAnd, b.Map(ir.OpGe, i, b.Size(r.axis.Lo)),
		b.Map(ir.OpLt, i, b.Size(r.axis.Lo.Add(r.axis.Size))))
	return b.Rows(mask, r.full, r.row)
}

// ByRow sums a term over its other axes and puts it on the row axis. ok is false when the term does
// not run over the dim; err says why its rows are coupled.
func (l *Model) ByRow(
	v *ir.Value, over []*ir.Axis, dim string, row, full *ir.Axis,
) (out *ir.Value, ok bool, err error) {
	out, rest, ok, err := l.OnRows(v, over, dim, row, full)
	if !ok || err != nil {
		return nil, ok, err
	}
	out = l.B.Sum(out, rest...)
	if !out.Has(row) {
		// A term that is the same for every row is still added once per row.
		out = l.B.Mul(out, l.B.Rows(l.Ones(full), full, row))
	}
	return out, true, nil
}

// OnRows is ByRow without the sum over the other axes, which it returns in rest.
func (l *Model) OnRows(
	v *ir.Value, over []*ir.Axis, dim string, row, full *ir.Axis,
) (out *ir.Value, rest []*ir.Axis, ok bool, err error) {
	var along *ir.Axis
	for _, a := range over {
		if a.Dim != dim {
			rest = append(rest, a)
			continue
		}
		if along != nil {
			return nil, nil, false, fmt.Errorf("it runs over %s twice", dim)
		}
		along = a
	}
	if along == nil {
		return nil, nil, false, nil
	}
	r := &rowify{b: l.B, axis: along, row: row, full: full, done: map[*ir.Value]*ir.Value{}}
	out = r.value(v)
	if r.err != nil {
		return nil, nil, false, r.err
	}
	if mask := r.inside(); mask != nil {
		out = l.B.Map(ir.OpSelect, mask, out, l.B.Num(0))
	}
	return out, rest, true, nil
}

// Ones returns a column of ones.
func (l *Model) Ones(full *ir.Axis) *ir.Value {
	return l.B.Map(ir.OpEq, l.B.Iota(full), l.B.Iota(full))
}

func DimAxis(b *ir.Builder, dim string) *ir.Axis {
	a := b.Axis(lowerName(dim), size.Dim(dim))
	a.Dim = dim
	return a
}

package collapse

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// counted is collect for w = [x = k], with data x and the index k of a vector unknown, where each
// entry of the child adds one number. It avoids an array of all entries by all k. It returns nil
// where w has another form.
func (c *child) counted(w *ir.Value) *ir.Value {
	b := c.B
	if len(c.u.Own) != 1 || w.Op != ir.OpEq {
		return nil
	}
	k := c.u.Own[0]
	x := w.Args[0]
	if x == b.Iota(k) {
		x = w.Args[1]
	} else if w.Args[1] != b.Iota(k) {
		return nil
	}
	at := c.at
	for at.Op == ir.OpRename && at.To == c.ownAxis(at) {
		at = at.Args[0]
	}
	one, index, to := c.masked(b.Num(1)), x, k
	var by *ir.Axis
	if at.Op == ir.OpGather {
		by = at.Over[0]
		to = b.Axis("cell", by.Size.Mul(k.Size))
		index = b.Add(b.Mul(at.Args[1], b.Size(k.Size)), x)
		at = at.Args[0]
	}
	for _, m := range c.masks { // padding may hold any number
		index = b.Map(ir.OpSelect, m, index, b.Num(0))
	}
	index = c.Pad(index, 0, c.u.Plates)
	var axes []*ir.Axis
	for _, a := range append(append(slices.Clone(c.u.Plates), c.over...), k) {
		if one.Has(a) || index.Has(a) {
			axes = append(axes, a)
		}
	}
	if !c.u.Is(at) || one.State() || index.State() || index.Has(k) ||
		len(ir.Without(index.Axes, axes)) > 0 || len(ir.Without(one.Axes, axes)) > 0 {
		return nil
	}
	kept := ir.Without(axes, ir.Without(axes, at.Axes))
	counts := b.Scatter(one, index, to, append([]*ir.Axis{to}, kept...))
	if by != nil {
		counts = b.Unflatten(counts, to, []*ir.Axis{by, k})
	}
	for _, a := range ir.Without(ir.Without(c.over, axes), c.at.Axes) {
		counts = b.Mul(counts, b.AxisSize(a)) // every row of the axis adds the same entry
	}
	return c.back(at, counts, nil)
}

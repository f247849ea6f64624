package collapse

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// An affine value is rest + scale · at, where at is a selection: one entry of
// the unknown, by renames, slices and gathers, for every entry of the value.
type affine struct{ at, scale, rest *ir.Value }

// affineIn reads a value as affine in an unknown; at is nil where it is not.
func affineIn(b *ir.Builder, u *Unknown, v *ir.Value) affine {
	a := affineReader{b, u, map[*ir.Value]bool{}}
	for _, x := range ir.Reach(v) {
		a.reads[x] = u.Is(x) ||
			slices.ContainsFunc(x.Args, func(y *ir.Value) bool { return a.reads[y] })
	}
	out, ok := a.value(v)
	if !ok {
		return affine{}
	}
	return out
}

type affineReader struct {
	b     *ir.Builder
	u     *Unknown
	reads map[*ir.Value]bool
}

func (a affineReader) value(v *ir.Value) (affine, bool) {
	b := a.b
	zero := b.Num(0)
	switch {
	case !a.reads[v]:
		return affine{scale: zero, rest: v}, true
	case a.u.Is(v):
		return affine{v, b.Num(1), zero}, true
	case Selects(v.Op):
		if len(v.Args) > 1 && a.reads[v.Args[1]] {
			return affine{}, false
		}
		x, ok := a.value(v.Args[0])
		if !ok {
			return affine{}, false
		}
		like := func(y *ir.Value) *ir.Value {
			return b.Like(v, append([]*ir.Value{y}, v.Args[1:]...))
		}
		return affine{like(x.at), like(x.scale), like(x.rest)}, true
	case v.Op == ir.OpSelect:
		x, ok := a.value(v.Args[1])
		y, ok2 := a.value(v.Args[2])
		if at, same := a.one(x, y); ok && ok2 && same && !a.reads[v.Args[0]] {
			return affine{at, b.Map(ir.OpSelect, v.Args[0], x.scale, y.scale),
				b.Map(ir.OpSelect, v.Args[0], x.rest, y.rest)}, true
		}
		return affine{}, false
	}
	var parts []affine
	for _, arg := range v.Args {
		x, ok := a.value(arg)
		if !ok {
			return affine{}, false
		}
		parts = append(parts, x)
	}
	switch v.Op {
	case ir.OpNeg:
		x := parts[0]
		return affine{x.at, b.Neg(x.scale), b.Neg(x.rest)}, true
	case ir.OpAdd, ir.OpSub:
		x, y := parts[0], parts[1]
		at, same := a.one(x, y)
		return affine{at, b.Map(v.Op, x.scale, y.scale), b.Map(v.Op, x.rest, y.rest)}, same
	case ir.OpMul:
		x, y := parts[0], parts[1]
		if x.at == nil {
			x, y = y, x
		}
		return affine{x.at, times(b, x.scale, y.rest), times(b, x.rest, y.rest)}, y.at == nil
	case ir.OpDiv:
		x, y := parts[0], parts[1]
		return affine{x.at, b.Div(x.scale, y.rest), times(b, x.rest, b.Div(b.Num(1), y.rest))},
			y.at == nil
	}
	return affine{}, false
}

// times is a product that folds a written 0, so that adding it to an unknown is recognised as
// adding nothing.
func times(b *ir.Builder, x, y *ir.Value) *ir.Value {
	if x.Is(0) {
		return x
	}
	return b.Mul(x, y)
}

// one returns the entry of the unknown that both values read; false where they read different
// entries.
func (a affineReader) one(x, y affine) (*ir.Value, bool) {
	switch {
	case x.at == nil:
		return y.at, true
	case y.at == nil || x.at == y.at:
		return x.at, true
	}
	return x.at, Alike(x.at, y.at, map[*ir.Axis]*ir.Axis{})
}

// Alike reports whether two selections read the same entry: equal by construction, except for axes
// that each use of a name adds and removes again.
func Alike(x, y *ir.Value, same map[*ir.Axis]*ir.Axis) bool {
	if x == y {
		return true
	}
	if x.Op != y.Op || x.Name != y.Name || !x.Off.Equal(y.Off) || len(x.Args) != len(y.Args) ||
		len(x.Axes) != len(y.Axes) || len(x.Over) != len(y.Over) {
		return false
	}
	for i := range x.Over {
		same[x.Over[i]] = y.Over[i]
	}
	equal := func(a, b *ir.Axis) bool { return a == b || a != nil && same[a] == b }
	if x.Op != ir.OpLayout && x.To != y.To && !equal(x.To, y.To) {
		return false
	}
	for i := range x.Axes {
		if !equal(x.Axes[i], y.Axes[i]) {
			return false
		}
	}
	if len(x.Args) > 1 && x.Args[1] != y.Args[1] {
		return false
	}
	return len(x.Args) == 0 || Alike(x.Args[0], y.Args[0], same)
}

// Selects reports whether an op reads entries of its first argument.
func Selects(op *ir.Op) bool {
	switch op {
	case ir.OpRename, ir.OpSlice, ir.OpAt, ir.OpGather, ir.OpLayout:
		return true
	}
	return false
}

// keepsOwn reports whether the selection reads whole values of a vector unknown, with their entries
// in order.
func (c *child) keepsOwn() bool {
	return len(c.u.Own) == 0 || c.ownAxis(c.at) != nil
}

// ownAxis returns the axis of a selection that runs along the entries of one value of the unknown.
func (c *child) ownAxis(v *ir.Value) *ir.Axis {
	if len(c.u.Own) == 0 {
		return nil
	}
	if c.u.Is(v) {
		return v.Axes[len(v.Axes)-1]
	}
	k := c.ownAxis(v.Args[0])
	switch {
	case k == nil || v.Op == ir.OpLayout || v.Over[0] != k:
		return k
	case v.Op == ir.OpRename:
		return v.To
	}
	return nil
}

// collect sums w, which has one number for every entry of the child, over the entries that read the
// same entry of the unknown: it is the adjoint of the selection. Where the unknown is a vector, w
// may also have the axis of its entries. Parts of data alone are summed separately, and so only
// once: Σ (y − b x) is Σ y − b Σ x.
func (c *child) collect(w *ir.Value) *ir.Value {
	if n := c.counted(w); n != nil {
		return n
	}
	products, ok := c.products(w)
	if !ok {
		return c.gathered(w)
	}
	b, out := c.B, c.B.Num(0)
	for _, p := range products {
		out = b.Add(out, b.Sum(b.Mul(p.outside, c.gathered(p.data)), p.over...))
	}
	return out
}

// total is a sum over the entries of the child.
func (c *child) total(w *ir.Value) *ir.Value { return c.B.Sum(c.masked(w), c.over...) }

func (c *child) masked(w *ir.Value) *ir.Value {
	for _, m := range c.masks {
		w = c.B.Map(ir.OpSelect, m, w, c.B.Num(0))
	}
	return w
}

func (c *child) gathered(w *ir.Value) *ir.Value {
	gone := ir.Without(c.over, c.at.Axes)
	return c.back(c.at, c.B.Sum(c.masked(w), gone...), ir.Without(c.over, gone))
}

// back applies the adjoint of the selection v to w, step by step down to the unknown. over are the
// axes of the child's entries under the names that v has for them.
func (c *child) back(v, w *ir.Value, over []*ir.Axis) *ir.Value {
	b := c.B
	if c.u.Is(v) {
		for i, a := range v.Axes[:len(v.Axes)-len(c.u.Own)] {
			w = b.Rename(w, a, c.u.Leaf.Axes[i])
		}
		return w
	}
	x := v.Args[0]
	switch v.Op {
	case ir.OpRename:
		if v.To != c.ownAxis(v) {
			w = b.Rename(w, v.To, v.Over[0])
			over = append(ir.Without(over, []*ir.Axis{v.To}), v.Over[0])
		}
	case ir.OpSlice:
		w = b.Pad(w, v.To, v.Over[0], v.Off)
	case ir.OpAt:
		w = b.Place(w, v.Over[0], v.Off)
	case ir.OpGather:
		index := v.Args[1]
		if drawnByChain(index) || drawnByChain(w) {
			// Written as sums, since the chain of a local recognises its running counts in this form.
			hit := b.Map(ir.OpEq, index, b.Iota(v.Over[0]))
			w = b.Sum(b.Mul(hit, w), ir.Without(over, x.Axes)...)
			break
		}
		axes := append(append([]*ir.Axis{v.Over[0]}, w.Axes...), ir.Without(index.Axes, w.Axes)...)
		w = b.Scatter(w, index, v.Over[0], ir.Without(axes, ir.Without(over, x.Axes)))
	}
	return c.back(x, w, over)
}

// drawnByChain reports whether a value depends on a local that is drawn.
func drawnByChain(v *ir.Value) bool {
	return slices.ContainsFunc(ir.Reach(v), func(x *ir.Value) bool { return x.Op == ir.OpLocal })
}

// read applies the child's selection to p, an array shaped like the unknown, in place of the
// unknown.
func (c *child) read(p *ir.Value) *ir.Value {
	return ir.Rewrite(c.B, []*ir.Value{c.at},
		func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if !c.u.Is(v) {
				return nil
			}
			out := p
			for i, a := range c.u.Leaf.Axes {
				out = b.Rename(out, a, v.Axes[i])
			}
			return out
		})[0]
}

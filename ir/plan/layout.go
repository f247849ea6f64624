package plan

import (
	"fmt"
	"sort"

	"github.com/sgppl/sgppl/ir"
)

// layout chooses the order of axes of every value: the row axis first, then
// what the kernels that read it want. Where a kernel wants another order than
// its argument has, a layout value (a copy) stands between.
func layout(b *ir.Builder, f *ir.Func) (*ir.Func, error) {
	var failed error
	out := ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch {
		case v.Op.Class == ir.Leaf:
			w := *v
			w.Axes = rowsFirst(v.Axes)
			for i, a := range v.Axes {
				if a.Rows {
					w.Lead = i
				}
			}
			return b.Make(w)
		case v.Op == ir.OpContract:
			w, err := layoutContract(b, v, args)
			if err != nil && failed == nil {
				failed = err
			}
			return w
		case v.Op == ir.OpScatter:
			w := *v
			w.Args = args
			w.Axes = append([]*ir.Axis{v.To}, ir.Without(v.Axes, []*ir.Axis{v.To})...)
			return b.Make(w)
		case v.Op.Class == ir.Reduce, v.Op == ir.OpCumSum:
			w := *v
			// The axes worked along must stand together.
			w.Args = []*ir.Value{b.Layout(args[0], together(args[0].Axes, v.Over))}
			w.Axes = ir.Without(w.Args[0].Axes, v.Over)
			if v.Op == ir.OpCumSum {
				w.Axes = w.Args[0].Axes
			}
			return b.Make(w)
		}
		like := b.Like(v, args)
		w := *like
		if w.Axes = rowsFirst(w.Axes); equal(w.Axes, like.Axes) {
			return like
		}
		return b.MakeOrdered(w)
	})
	return out, failed
}

func rowsFirst(axes []*ir.Axis) []*ir.Axis {
	out := append([]*ir.Axis(nil), axes...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Rows && !out[j].Rows })
	return out
}

// together moves the axes of over next to each other, at the end, unless they are already.
func together(axes, over []*ir.Axis) []*ir.Axis {
	first, last := -1, -1
	for i, a := range axes {
		if has(over, a) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if last-first+1 == len(over) {
		return axes
	}
	kept := ir.Without(axes, over)
	for _, a := range axes {
		if has(over, a) {
			kept = append(kept, a)
		}
	}
	return rowsFirst(kept)
}

func has(axes []*ir.Axis, a *ir.Axis) bool {
	for _, x := range axes {
		if x == a {
			return true
		}
	}
	return false
}

// layoutContract puts the arguments of a contraction into an order that a
// matrix kernel accepts: batch axes, then M and K (or K and M), N and K.
func layoutContract(b *ir.Builder, v *ir.Value, args []*ir.Value) (*ir.Value, error) {
	x, y := args[0], args[1]
	if y.Sparse {
		x, y = y, x
	}
	g := groups(x, y, v.Over)
	// The row axis leads the result, so it must be among M or the batch.
	if len(g.N) > 0 && g.N[0].Rows && !x.Sparse {
		x, y = y, x
		g = groups(x, y, v.Over)
	}
	w := *v
	if x.Sparse {
		if err := layoutSparse(b, &g, x, &y, v); err != nil {
			return b.Make(w), err
		}
	} else {
		// The inner order of M and K follows x, of N follows y.
		if !either(x.Axes, g.Batch, g.M, g.K) {
			x = b.Layout(x, join(g.Batch, g.M, g.K))
		}
		if !either(y.Axes, g.Batch, g.N, g.K) {
			y = b.Layout(y, join(g.Batch, g.K, g.N))
		}
	}
	w.Args = []*ir.Value{x, y}
	w.Axes = join(g.Batch, g.M, g.N)
	if !equal(w.Axes, rowsFirst(w.Axes)) {
		return b.Make(w), fmt.Errorf("the row axis stands inside a contraction")
	}
	// Make directly: the builder would sort commuting arguments.
	return b.MakeOrdered(w), nil
}

func layoutSparse(b *ir.Builder, g *group, x *ir.Value, y **ir.Value, v *ir.Value) error {
	if len(x.Axes) != 2 || len(v.Over) != 1 || len(g.Batch) > 0 {
		return dense(x)
	}
	if !equal((*y).Axes, join(g.K, g.N)) {
		*y = b.Layout(*y, join(g.K, g.N))
	}
	return nil
}

func dense(x *ir.Value) error {
	return fmt.Errorf("the sparse %s would have to be made dense", x.Name)
}

// group sorts the axes of a contraction by where they occur.
type group struct{ Batch, M, N, K []*ir.Axis }

func groups(x, y *ir.Value, over []*ir.Axis) group {
	var g group
	for _, a := range x.Axes {
		switch {
		case has(over, a):
			g.K = append(g.K, a)
		case y.Has(a):
			g.Batch = append(g.Batch, a)
		default:
			g.M = append(g.M, a)
		}
	}
	for _, a := range y.Axes {
		if !has(over, a) && !x.Has(a) {
			g.N = append(g.N, a)
		}
	}
	return g
}

// either reports whether axes are batch, then p and q in one order or the other.
func either(axes, batch, p, q []*ir.Axis) bool {
	return equal(axes, join(batch, p, q)) || equal(axes, join(batch, q, p))
}

func join(lists ...[]*ir.Axis) []*ir.Axis {
	out := []*ir.Axis{}
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func equal(a, b []*ir.Axis) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

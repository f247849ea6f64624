package plan

import (
	"fmt"
	"slices"
	"sort"

	"github.com/sgppl/sgppl/ir"
)

// layout chooses the order of axes of every value: the row axis first, then as the kernels that
// read it need. Where a kernel needs another order than its argument has, a layout value (a copy)
// is inserted.
func layout(b *ir.Builder, f *ir.Func) (*ir.Func, error) {
	var failed error
	fail := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	steps := inSteps(f.Values())
	again := map[string]bool{} // carries of scans that are inside the steps of other scans
	for _, v := range f.Values() {
		if v.Op == ir.OpScan && steps[v] {
			again[ir.Bound(v)[0].Name] = true
		}
	}
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
			if v.Sparse && w.Lead > 0 {
				fail(dense(v))
			}
			return b.Make(w)
		case v.Op == ir.OpContract:
			once := func(i int) bool { return steps[v] && !steps[v.Args[i]] }
			w, err := layoutContract(b, v, args, once)
			fail(err)
			return w
		}
		for _, a := range args {
			if a.Sparse {
				fail(dense(a))
			}
		}
		switch {
		case v.Op == ir.OpScatter:
			w := *v
			w.Args = args
			w.Axes = rowsFirst(append([]*ir.Axis{v.To}, ir.Without(v.Axes, []*ir.Axis{v.To})...))
			return b.Make(w)
		case v.Op.Class == ir.Structured:
			return layoutStructured(b, v, args)
		case v.Op.Class == ir.Reduce, v.Op == ir.OpCumSum:
			return layoutReduce(b, v, args[0])
		case v.Op == ir.OpOde:
			return layoutOde(b, v, args)
		case v.Op == ir.OpPlace:
			// One entry placed among zeros is a choice by the index.
			here := b.Map(ir.OpEq, b.Iota(v.To), b.Size(v.Off))
			like := *b.Map(ir.OpSelect, here, args[0], b.Num(0))
			like.Axes = rowsFirst(like.Axes)
			return b.MakeOrdered(like)
		case v.Op == ir.OpNow && again[v.Name] && !steps[v.Args[0]]:
			return b.Like(v, []*ir.Value{byStep(b, args[0], v.Over[0])})
		case v.Op == ir.OpRows:
			fail(fmt.Errorf("the rows at hand of a computed value: only data have them"))
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

// byStep reorders an array of rows from which every step of a scan reads an entry, many times: the
// axis of the steps comes before the others, so that the entries that a step reads for a row are
// contiguous.
func byStep(b *ir.Builder, x *ir.Value, t *ir.Axis) *ir.Value {
	if x.RowAxis() == nil || len(x.Axes) < 3 || x.Axes[len(x.Axes)-1] != t {
		return x
	}
	return b.Layout(x, rowsFirst(append([]*ir.Axis{t}, ir.Without(x.Axes, []*ir.Axis{t})...)))
}

// inSteps marks the values that every step of a scan computes anew: those that depend on a carry or
// on an entry of the current step.
func inSteps(values []*ir.Value) map[*ir.Value]bool {
	free, in := ir.Carries(values), map[*ir.Value]bool{}
	for _, v := range values {
		in[v] = len(free[v]) > 0 || v.Op == ir.OpNow
		for _, a := range v.Args {
			in[v] = in[v] || in[a] && len(ir.Bound(v)) == 0
		}
	}
	return in
}

// layoutReduce orders axes so that the reduced axes are adjacent.
func layoutReduce(b *ir.Builder, v, x *ir.Value) *ir.Value {
	w := *v
	if len(v.Over) > 1 {
		// The row axis is first, so reduced axes after another axis cannot be adjacent to it. They are
		// summed before it.
		inner := ir.Without(v.Over, []*ir.Axis{x.RowAxis()})
		if order := together(x.Axes, v.Over); len(inner) < len(v.Over) && !adjacent(order, v.Over) {
			w.Over = inner
			x = layoutReduce(b, &w, x)
			w.Over = []*ir.Axis{x.RowAxis()}
		}
	}
	x = b.Layout(x, together(x.Axes, w.Over))
	w.Args = []*ir.Value{x}
	w.Axes = ir.Without(x.Axes, w.Over)
	if v.Op == ir.OpCumSum {
		w.Axes = x.Axes
	}
	return b.Make(w)
}

// adjacent reports whether the axes of over are adjacent.
func adjacent(axes, over []*ir.Axis) bool {
	first, last := -1, -1
	for i, a := range axes {
		if slices.Contains(over, a) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return last-first+1 == len(over)
}

func rowsFirst(axes []*ir.Axis) []*ir.Axis {
	out := append([]*ir.Axis(nil), axes...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Rows && !out[j].Rows })
	return out
}

// together moves the axes of over to the end, next to each other, unless they are adjacent already.
func together(axes, over []*ir.Axis) []*ir.Axis {
	if adjacent(axes, over) {
		return axes
	}
	kept := ir.Without(axes, over)
	for _, a := range axes {
		if slices.Contains(over, a) {
			kept = append(kept, a)
		}
	}
	return rowsFirst(kept)
}

// layoutContract puts the arguments of a contraction into an order that a matrix kernel accepts:
// batch axes, then M and K (or K and M), N and K. once reports whether an argument is read
// repeatedly by the steps of a scan, so that transposing it once beforehand costs less than doing
// so in every product.
func layoutContract(
	b *ir.Builder, v *ir.Value, args []*ir.Value, once func(i int) bool,
) (*ir.Value, error) {
	x, y := args[0], args[1]
	if y.Sparse {
		x, y = y, x
	}
	g := groups(x, y, v.Over)
	// The row axis comes first in the result, so it must be in M or in the batch.
	if len(g.N) > 0 && g.N[0].Rows && !x.Sparse {
		x, y = y, x
		g = groups(x, y, v.Over)
	}
	w := *v
	switch rowsApart := hasRows(g.M) || hasRows(g.N) || hasRows(g.K); {
	case x.Sparse:
		if err := layoutSparse(b, &g, x, &y, v); err != nil {
			return b.Make(w), err
		}
	case rowsApart && len(g.Batch) > 0 && g.rowsOutside():
		// One matrix product for every entry of the batch axes. The rows of the matrices are not
		// contiguous; strides give their distance.
		if g.M[0].Rows {
			x, y = b.Layout(x, join(g.M, g.Batch, g.K)), arrange(b, y, g.Batch, g.N, g.K)
			w.Axes = join(g.M, g.Batch, g.N)
		} else {
			x, y = b.Layout(x, join(g.K, g.Batch, g.M)), b.Layout(y, join(g.K, g.Batch, g.N))
			w.Axes = join(g.Batch, g.M, g.N)
		}
		w.Args = []*ir.Value{x, y}
		return b.MakeOrdered(w), nil
	case rowsApart && len(g.Batch) > 0:
		// A matrix for every entry of the batch axes, with the row axis inside it: no layout has the row
		// axis first, so it is computed entry by entry.
		p := *b.Mul(x, y)
		p.Axes = rowsFirst(p.Axes)
		sum := ir.Value{Op: ir.OpSum, Over: v.Over}
		return layoutReduce(b, &sum, b.MakeOrdered(p)), nil
	default:
		// The inner order of M and K follows x, that of N follows y. The row axis is first, in M or in K.
		x, y = arrange(b, x, g.Batch, g.M, g.K), arrange(b, y, g.Batch, g.N, g.K)
		if turned := y == args[1] && once(1) ||
			y == args[0] && once(0); turned && len(g.M) > 0 && len(g.N) > 0 {
			y = b.Layout(y, join(g.Batch, g.K, g.N))
		}
	}
	w.Args = []*ir.Value{x, y}
	w.Axes = join(g.Batch, g.M, g.N)
	// Made directly, since the builder would sort commuting arguments.
	return b.MakeOrdered(w), nil
}

// arrange returns x with the batch axes first, then p and q in either order.
func arrange(b *ir.Builder, x *ir.Value, batch, p, q []*ir.Axis) *ir.Value {
	switch {
	case either(x.Axes, batch, p, q):
		return x
	case hasRows(q):
		return b.Layout(x, join(batch, q, p))
	}
	return b.Layout(x, join(batch, p, q))
}

func hasRows(axes []*ir.Axis) bool {
	for _, a := range axes {
		if a.Rows {
			return true
		}
	}
	return false
}

func layoutSparse(b *ir.Builder, g *group, x *ir.Value, y **ir.Value, v *ir.Value) error {
	if len(x.Axes) != 2 || len(v.Over) != 1 || len(g.Batch) > 0 || (*y).Sparse || hasRows(g.N) {
		return dense(x)
	}
	if !equal((*y).Axes, join(g.K, g.N)) {
		*y = b.Layout(*y, join(g.K, g.N))
	}
	return nil
}

// A DenseError refuses a plan that would make sparse data dense.
type DenseError struct{ Name string }

func (e *DenseError) Error() string {
	return fmt.Sprintf("the sparse %s would have to be made dense", e.Name)
}

func dense(x *ir.Value) error { return &DenseError{x.Name} }

// rowsOutside reports whether, in a matrix product with batch axes, one dimension consists of the
// row axis alone.
func (g *group) rowsOutside() bool {
	if len(g.M) == 0 || len(g.N) == 0 || len(g.K) == 0 {
		return false
	}
	return len(g.M) == 1 && g.M[0].Rows || len(g.K) == 1 && g.K[0].Rows
}

// A group has the axes of a contraction by role: batch axes, those of one argument only (M, N), and
// those that are summed over (K).
type group struct{ Batch, M, N, K []*ir.Axis }

func groups(x, y *ir.Value, over []*ir.Axis) group {
	var g group
	for _, a := range x.Axes {
		switch {
		case slices.Contains(over, a):
			g.K = append(g.K, a)
		case y.Has(a):
			g.Batch = append(g.Batch, a)
		default:
			g.M = append(g.M, a)
		}
	}
	for _, a := range y.Axes {
		if !slices.Contains(over, a) && !x.Has(a) {
			g.N = append(g.N, a)
		}
	}
	return g
}

// either reports whether axes are the batch axes followed by p and q in either order.
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

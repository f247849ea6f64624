package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// LateGathers is for functions with latent values, where many entries index into a small array. It
// computes a function of all entries of the array first and selects afterwards,
//
//	f(x at i)              → (f(x)) at i
//	log Σ_v exp(x[i, v])   → (log Σ_v exp(x[·, v])) at i
//
// and an entry of an entry is one of a flat array, so that no rows are copied:
//
//	x at i at j            → x flat at i·|j| + j
//
// Latent values are locals, and blocks of the state with one of the names.
func LateGathers(b *ir.Builder, f *ir.Func, names ...string) *ir.Func {
	on := map[*ir.Value]bool{} // depends on a latent value
	mark := func(v *ir.Value) *ir.Value {
		for _, x := range ir.Reach(v) {
			on[x] = x.Op == ir.OpLocal || x.Op == ir.OpState && slices.Contains(names, x.Name) ||
				slices.ContainsFunc(x.Args, func(a *ir.Value) bool { return on[a] })
		}
		return v
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		for _, a := range args {
			mark(a)
		}
		taken := slices.IndexFunc(args,
			func(a *ir.Value) bool { return is(a, ir.OpGather) && on[a.Args[1]] && !on[a.Args[0]] })
		if taken < 0 {
			return nil
		}
		g := args[taken]
		switch {
		case is(v, ir.OpGather) && taken == 0:
			return gatherTwice(b, g, args[1], v.Over[0])
		case v.Op.Class == ir.Map || is(v, ir.OpSum) || is(v, ir.OpLogSumExp) ||
			is(v, ir.OpContract):
			return gatherLast(b, v, args, g)
		}
		return nil
	})
}

// gatherTwice combines two gathers, along two axes, into one.
func gatherTwice(b *ir.Builder, g, index *ir.Value, along *ir.Axis) *ir.Value {
	x, k := g.Args[0], g.Over[0]
	if !x.Has(along) || x.Sparse || g.Args[1].Has(along) {
		return nil
	}
	flat := b.Axis(k.Name+along.Name, k.Size.Mul(along.Size))
	at := b.Add(b.Mul(g.Args[1], b.AxisSize(along)), index)
	return b.Gather(b.Flatten(x, []*ir.Axis{k, along}, flat), at, flat)
}

// gatherLast computes v for all entries and then selects, where every argument is selected by the
// index of g or lacks its axes.
func gatherLast(b *ir.Builder, v *ir.Value, args []*ir.Value, g *ir.Value) *ir.Value {
	index, k := g.Args[1], g.Over[0]
	if len(ir.Without(index.Axes, v.Over)) < len(index.Axes) {
		return nil // v sums over the entries
	}
	whole := make([]*ir.Value, len(args))
	for i, a := range args {
		switch {
		case is(a, ir.OpGather) && a.Args[1] == index && a.Over[0].Size.Equal(k.Size) &&
			(a.Over[0] == k || !a.Args[0].Has(k)):
			whole[i] = b.Rename(a.Args[0], a.Over[0], k)
			if slices.ContainsFunc(whole[i].Axes, index.Has) {
				return nil // its entries go together with those of the index
			}
		case a.Has(k) || slices.ContainsFunc(a.Axes, index.Has):
			return nil
		default:
			whole[i] = a
		}
	}
	return b.Gather(b.Like(v, whole), index, k)
}

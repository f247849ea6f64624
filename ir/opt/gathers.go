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

// EarlyGathers is for the chains of latent values, which read some entries of large arrays of the
// params. It selects entries first where nothing reads the others:
//
//	(x + y) at i   → (x at i) + (y at i)
//
// where i has the row axis, x + y has not, and i is the same in all sweeps.
func EarlyGathers(b *ir.Builder, f *ir.Func) *ir.Func {
	whole := map[*ir.Value]bool{} // read by something else than a gather
	for _, v := range f.Values() {
		for i, a := range v.Args {
			whole[a] = whole[a] || v.Op != ir.OpGather || i > 0
		}
	}
	for _, o := range f.Outputs {
		whole[o.Value] = true
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpGather || whole[v.Args[0]] || args[1].RowAxis() == nil ||
			args[0].RowAxis() != nil || !arithmetic(args[0]) ||
			slices.ContainsFunc(ir.Reach(args[1]),
				func(x *ir.Value) bool { return x.Op == ir.OpCarry }) {
			return nil
		}
		return gatherFirst(b, args[0], args[1], v.Over[0])
	})
}

// arithmetic reports whether v costs no more than to read its arguments.
func arithmetic(v *ir.Value) bool {
	return is(v, ir.OpAdd) || is(v, ir.OpSub) || is(v, ir.OpMul) || is(v, ir.OpNeg)
}

// gatherFirst is the entries of x at an index, computed from the entries of its arguments.
func gatherFirst(b *ir.Builder, x, index *ir.Value, k *ir.Axis) *ir.Value {
	switch {
	case !x.Has(k):
		return x
	case !arithmetic(x):
		return b.Gather(x, index, k)
	}
	args := make([]*ir.Value, len(x.Args))
	for i, a := range x.Args {
		args[i] = gatherFirst(b, a, index, k)
	}
	return b.Map(x.Op, args...)
}

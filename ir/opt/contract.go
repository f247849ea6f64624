package opt

import (
	"sort"

	"github.com/sgppl/sgppl/ir"
)

// contract: a sum of a product is a contraction, whatever its shape.
//
//	Σp x[n, p]·w[p]              → contract x w over p          (a matrix and a vector)
//	Σn r[n]·s[n]·x[n, p]         → contract (r·s) x over n
//	Σp x[n, p]·w[p, h]·v[h]      → the factor lacking p leaves first
//	Σp s[n, p], s sparse         → contract s ones over p
//
// A product of one shape, summed over everything, is a dot product.
func contract(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if is(v, ir.OpSum) && args[0].Sparse {
			return sparseSum(b, args[0], v.Over)
		}
		if !is(v, ir.OpSum) || !is(args[0], ir.OpMul) {
			return nil
		}
		return product2(b, args[0], v.Over)
	})
}

// sparseSum returns a sum of sparse data as products with ones, one axis at a time.
func sparseSum(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	a := over[0]
	ones := b.Map(ir.OpEq, b.Iota(a), b.Iota(a))
	return b.Sum(b.Contract(x, ones, a), over[1:]...)
}

func product2(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	factors := flatten(x, over, nil)
	// Factors without any of the axes leave the sum.
	outside := b.Num(1)
	var inside []*ir.Value
	for _, f := range factors {
		if in, _ := split(f, over); len(in) == 0 {
			outside = b.Mul(outside, f)
		} else {
			inside = append(inside, f)
		}
	}
	if len(inside) < 2 {
		if inside[0].Sparse {
			in, out := split(inside[0], over)
			v := sparseSum(b, inside[0], in)
			for _, a := range out {
				outside = b.Mul(outside, b.AxisSize(a))
			}
			return b.Mul(outside, v)
		}
		return b.Mul(outside, b.Sum(inside[0], over...))
	}
	// The factor with the most axes stays alone; the others multiply to
	// something smaller first.
	sort.SliceStable(inside, func(i, j int) bool { return weight(inside[i]) > weight(inside[j]) })
	left, right := inside[0], inside[1]
	for _, f := range inside[2:] {
		right = b.Mul(right, f)
	}
	// An axis of one side only is summed on that side.
	var both, onlyLeft, onlyRight []*ir.Axis
	for _, a := range over {
		switch {
		case left.Has(a) && right.Has(a):
			both = append(both, a)
		case left.Has(a):
			onlyLeft = append(onlyLeft, a)
		default:
			onlyRight = append(onlyRight, a)
		}
	}
	if len(both) == 0 {
		return b.Mul(outside, b.Mul(b.Sum(left, onlyLeft...), b.Sum(right, onlyRight...)))
	}
	if len(onlyLeft) > 0 && !left.Sparse {
		left = b.Sum(left, onlyLeft...)
		onlyLeft = nil
	}
	if len(onlyRight) > 0 && !right.Sparse {
		right = b.Sum(right, onlyRight...)
		onlyRight = nil
	}
	out := b.Contract(left, right, both...)
	return b.Mul(outside, b.Sum(out, append(onlyLeft, onlyRight...)...))
}

// flatten lists the factors of a product. A factor that is itself a product
// is opened only where keeping it would build something larger than its parts
// or hide one that the sum can lose.
func flatten(x *ir.Value, over []*ir.Axis, out []*ir.Value) []*ir.Value {
	for _, a := range x.Args {
		if is(a, ir.OpMul) && opens(a, over) {
			out = flatten(a, over, out)
		} else {
			out = append(out, a)
		}
	}
	return out
}

func opens(x *ir.Value, over []*ir.Axis) bool {
	l, r := x.Args[0], x.Args[1]
	if l.Sparse || r.Sparse {
		return true
	}
	if in, _ := split(l, over); len(in) == 0 {
		return true
	}
	if in, _ := split(r, over); len(in) == 0 {
		return true
	}
	return len(x.Axes) > len(l.Axes) || len(x.Axes) > len(r.Axes)
}

// weight ranks values for the order of a product: sparse data first, then values with more axes.
func weight(v *ir.Value) int {
	if v.Sparse {
		return 100
	}
	return len(v.Axes)
}

package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/data"
)

// sparse-terms: the log likelihood of sparse counts s reads what is stored of
// them alone, since its terms are sums of s times something, of what does not
// depend on s, and of log s!, which is 0 where s is.
//
//	Σv (s[n, v]·log r[v] − r[v] − log s[n, v]!)   → Σv s[n, v]·log r[v] − Σv r[v] − f[n],   f the datum Σv log s!
//	Σv (0 where s is 0, else s·x)                 → Σv s·x
//
// The product with a zero that is not stored is 0 whatever the other factor, so
// 0·log 0 is 0 here as well.
func sparseTerms(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if is(v, ir.OpSum) && !args[0].Sparse && madeOfSparse(args[0], v.Over) {
			return sparseParts(b, args[0], v.Over)
		}
		return nil
	})
}

// madeOfSparse reports whether x is made entry by entry of sparse data that have
// one of the axes.
func madeOfSparse(x *ir.Value, over []*ir.Axis) bool {
	if x.Sparse {
		return !lacksAll(x, over)
	}
	if x.Op.Class != ir.Map {
		return false
	}
	for _, a := range x.Args {
		if madeOfSparse(a, over) {
			return true
		}
	}
	return false
}

func lacksAll(x *ir.Value, over []*ir.Axis) bool {
	in, _ := split(x, over)
	return len(in) == 0
}

// sparseParts is Σ over the axes of x, term by term.
func sparseParts(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	if madeOfSparse(x, over) {
		switch x.Op {
		case ir.OpNeg:
			return b.Neg(sparseParts(b, x.Args[0], over))
		case ir.OpAdd, ir.OpSub:
			return b.Map(x.Op, sparseParts(b, x.Args[0], over), sparseParts(b, x.Args[1], over))
		case ir.OpSelect:
			if s := zeroWhere(x.Args[0]); s != nil && x.Args[1].Is(0) && hasFactor(x.Args[2], s) {
				return sparseParts(b, x.Args[2], over)
			}
		case ir.OpLgamma:
			if s := plusOne(x.Args[0]); s != nil {
				if last := s.Axes[len(s.Axes)-1]; slices.Contains(over, last) {
					rest := ir.Without(over, []*ir.Axis{last})
					return b.Sum(b.Leaf(ir.OpData, data.LogFactorialsOf(s.Name), s.Axes[:len(s.Axes)-1]...), rest...)
				}
			}
		}
	}
	return b.Sum(x, over...)
}

// zeroWhere is the sparse datum that a condition finds to be 0; nil for others.
func zeroWhere(cond *ir.Value) *ir.Value {
	if !is(cond, ir.OpEq) {
		return nil
	}
	for i, a := range cond.Args {
		if a.Is(0) && cond.Args[1-i].Sparse {
			return cond.Args[1-i]
		}
	}
	return nil
}

// plusOne is the sparse datum s of s + 1.
func plusOne(x *ir.Value) *ir.Value {
	if !is(x, ir.OpAdd) {
		return nil
	}
	for i, a := range x.Args {
		if a.Is(1) && x.Args[1-i].Sparse {
			return x.Args[1-i]
		}
	}
	return nil
}

// hasFactor reports whether s is a factor of the product x.
func hasFactor(x, s *ir.Value) bool {
	if !is(x, ir.OpMul) {
		return x == s
	}
	return hasFactor(x.Args[0], s) || hasFactor(x.Args[1], s)
}
